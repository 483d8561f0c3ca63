import { add, checkpoint, cond, exp, fori, greater, mul, type Operand, scan, sin, sum, tensor } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { grad, jit } from '@tf/traced';
import { expect, it } from 'vitest';

const engine = await createEngine();
const o = (x: unknown): Operand => x as Operand;

/** Bodies that compute from captured values alone, from the same value as argument and capture, and in each other. */
const losses: Readonly<Record<string, (x: Operand) => Operand>> = {
  'a checkpoint': (x) => o(sum(checkpoint((s: Operand) => o(add(o(mul(o(sin(s)), x)), o(exp(x)))))(x))),
  'a loop in a loop': (x) => o(sum(fori(3, (_i, s: Operand) => o(sin(o(add(o(mul(s, x)), fori(2, (_j, q: Operand) => o(mul(q, o(exp(x)))), s))))), x))),
  'a branch': (x) => o(sum(cond(greater(o(sum(x)), -9), (s: Operand) => o(add(o(mul(o(sin(s)), x)), o(exp(x)))), (s: Operand) => s, x))),
  'a scan in checkpoints': (x) => o(sum(scan((s: Operand, c: Operand) => [o(sin(o(add(o(mul(s, x)), c)))), s] as const, x, o(mul(o(tensor([[1], [2], [3], [4], [5]])), x)), { checkpointEvery: 2 })[0])),
};

it.each(Object.entries(losses))('%s has the same gradient in both modes, to the bit', (_name, loss) => {
  for (let draw = 0; draw < 10; draw++) {
    const point = tensor([Math.sin(draw) * 1.3, Math.cos(3 * draw)]);
    const run = jit(grad(loss as never) as (x: unknown) => unknown, { engine }) as unknown as (x: unknown) => { toArray(): unknown };
    const traced = run(point).toArray();
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const x = runtime.variable(point);
      runtime.backward(loss(x as never));
      expect(x.grad?.toArray()).toEqual(traced);
    });
  }
});
