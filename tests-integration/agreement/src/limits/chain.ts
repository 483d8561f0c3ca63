import { add, mul } from '@tf/core';
import { EagerRuntime, type EagerTensor } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';

/** Seconds for a chain of `count` operations: forward, backward, disposal. */
interface Times {
  readonly forward: number;
  readonly backward: number;
  readonly disposal: number;
}

const runtime = new EagerRuntime();
const engine = await createEngine();

function chain(count: number): Times {
  return runtime.session(engine, () => {
    const x = runtime.variable(1);
    const tensors: EagerTensor[] = [];
    const started = performance.now();
    let y: EagerTensor<'float64'> = x;
    for (let step = 0; step < count / 2; step++) {
      const small = mul(y, 1e-6);
      y = add(y, small);
      tensors.push(small, y);
    }
    const recorded = performance.now();
    y.backward();
    const differentiated = performance.now();
    const expected = Math.pow(1 + 1e-6, count / 2);
    if (Math.abs((x.grad?.item() ?? 0) / expected - 1) > 1e-9) throw new Error(`the gradient is ${String(x.grad)} instead of ${expected}`);
    const checked = performance.now();
    for (const tensor of tensors) tensor.dispose();
    x.dispose();
    const disposed = performance.now();
    return { forward: recorded - started, backward: differentiated - recorded, disposal: disposed - checked };
  });
}

/** Runs of both lengths in turn, so that whatever slows the machine slows both. */
const samples: { readonly long: Times; readonly short: Times }[] = [];
chain(10_000);
for (let round = 0; round < 5; round++) samples.push({ short: chain(50_000), long: chain(100_000) });
console.log(JSON.stringify(samples));
