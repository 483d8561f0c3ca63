import { add, mul, sub, sum } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';

/**
 * Synchronous training steps on tensors of 64 KiB, in a scope each or without any: no step disposes of anything. `both`
 * takes turns and tells the ratio of the least times: each way has rounds that nothing disturbed.
 */
const [, , mode, count] = process.argv;
const elements = 8192;
const rounds = 30;
const runtime = new EagerRuntime();
const engine = await createEngine();

const outcome = runtime.session(engine, () => {
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
  /** Milliseconds. */
  const loop = (isScoped: boolean, steps: number): number => {
    const started = performance.now();
    for (let at = 0; at < steps; at++) {
      if (isScoped) runtime.scope(() => step(at));
      else step(at);
      if (at % 100 === 0) rss = Math.max(rss, process.memoryUsage.rss());
    }
    return performance.now() - started;
  };
  if (mode !== 'both') {
    loop(mode === 'scope', Number(count));
    return { rss, ratio: undefined };
  }
  const scoped: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < rounds; round++) {
    scoped.push(loop(true, Number(count) / rounds));
    plain.push(loop(false, Number(count) / rounds));
  }
  return { rss, ratio: Math.min(...plain) / Math.min(...scoped) };
});
console.log(JSON.stringify({ ...outcome, buffers: engine.stats().liveBuffers, stats: runtime.stats() }));
