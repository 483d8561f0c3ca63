import { outcome } from './work.mjs';

postMessage(await outcome());
