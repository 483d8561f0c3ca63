import { outcome } from './work.mjs';

const say = (what) => fetch('/outcome', { method: 'POST', body: JSON.stringify(what) });

if (location.search === '?worker') {
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }) => say(data);
  worker.onerror = ({ message }) => say({ error: { name: 'Error', message } });
} else outcome().then(say);
