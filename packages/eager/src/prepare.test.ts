import { createEngine } from '@tf/engine-cpu-wasm';
import { expect, test } from 'vitest';
import { EagerRuntime, type EagerTensor } from './index.ts';

test('the gradient by a variable that was assigned 300 000 times adds up 300 000 leaves', { timeout: 120_000 }, async () => {
  const runtime = new EagerRuntime();
  const count = 300_000;
  const w = runtime.variable(0);
  const first = runtime.variable(0);
  runtime.session(await createEngine(), () => {
    let y: EagerTensor<'float64'> = first;
    for (let at = 0; at < count; at++) {
      y = y.add(w);
      w.assign(at % 7);
    }
    expect(runtime.grad(y, w).item()).toBe(count);
    expect(runtime.vjp(y, w, 2).item()).toBe(2 * count);
  });
});
