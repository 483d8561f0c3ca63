const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => fetch('/outcome', { method: 'POST', body: JSON.stringify(data) });
worker.onerror = ({ message }) => fetch('/outcome', { method: 'POST', body: JSON.stringify({ error: { name: 'Error', message } }) });
