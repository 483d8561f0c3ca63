import { outcome } from './work.mjs';

outcome().then((what) => postMessage(what));
