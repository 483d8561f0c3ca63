import { add, mul, sub, sum } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';

/** Synchronous training steps on tensors of 64 KiB, in a scope each or without any: no step disposes of anything. */
const [, , mode, count] = process.argv;
const elements = 8192;
const runtime = new EagerRuntime();
const engine = await createEngine();

const largest = runtime.session(engine, () => {
  const w = runtime.variable(new Float64Array(elements).fill(1));
  const data = new Float64Array(elements);
  const step = (at: number): void => {
    data.fill(at % 7);
    const x = runtime.constant(data);
    sum(mul(mul(w, x), w)).backward();
    runtime.noGrad(() => w.assign(sub(w, mul(add(w.grad!, 0), 1e-9))));
    w.clearGrad();
  };
  let rss = 0;
  for (let at = 0; at < Number(count); at++) {
    if (mode === 'scope') runtime.scope(() => step(at));
    else step(at);
    if (at % 100 === 0) rss = Math.max(rss, process.memoryUsage.rss());
  }
  return Math.max(rss, process.memoryUsage.rss());
});
console.log(JSON.stringify({ rss: largest, buffers: engine.stats().liveBuffers, stats: runtime.stats() }));
