import { cumprod, cumsum, type HostTensor, less, matmul, prod, sum, tensor, trace, whileLoop } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { evaluate } from './evaluate.ts';
import { grad } from './gradients.ts';
import { jit } from './jit.ts';
import type { TracedTensor } from './traced-tensor.ts';
import { vmap } from './vmap.ts';

const engine = await createEngine();
type T = TracedTensor<'float64'>;
const valueOf = (x: unknown): unknown => (evaluate(x as never, engine) as { toArray(): unknown }).toArray();

describe('booleans', () => {
  const held = tensor([[true, false, true], [true, true, true]]);

  it('are counted in int32 by sums and products', () => {
    expectTypeOf(sum(held)).toEqualTypeOf<HostTensor<'int32'>>();
    expectTypeOf(held.sum()).toEqualTypeOf<HostTensor<'int32'>>();
    expect([sum(held), prod(held), cumsum(held), cumprod(held), trace(held)].map(({ dtype }) => dtype)).toEqual(new Array(5).fill('int32'));
    expect([sum(held), sum(held, { axes: 1 }), prod(held, { axes: 1 }), cumsum(held, 1), cumprod(held, 1), trace(held)].map(valueOf)).toEqual([5, [2, 3], [0, 1], [[1, 1, 2], [1, 2, 3]], [[1, 0, 0], [1, 1, 1]], 2]);
  });
});

describe('host tensors where JavaScript wants a number', () => {
  it('are the number or boolean of one element', () => {
    expect([+(tensor(2) as never), +(tensor([[2.5]]) as never), Number(tensor(true)), (tensor(2) as never) < 3]).toEqual([2, 2.5, 1, true]);
    expect(`${String(tensor([1, 2]))}`).toBe(tensor([1, 2]).toString());
  });

  it('are refused where there is no one number', () => {
    expect(() => +(tensor([1, 2]) as never)).toThrow(/^A tensor f64\[2\] was used as a number, but it does not have exactly one element\. .*x\.item\(\)/);
    expect(() => +(tensor({ re: 1, im: 2 } as never) as never)).toThrow(/^A tensor c128\[\] was used as a number, but a complex value is no number/);
    expect(() => +(matmul(tensor([[1]]), tensor([[2]])) as never)).toThrow(/item: this f64\[1, 1\] describes an operation/);
  });
});

describe('whileLoop with a limit', () => {
  const doubled = (steps: number) => (x: T): readonly [T, T] => whileLoop((y: T) => less(y, 100), (y: T) => y.mul(2), x, { maxSteps: steps, finished: true }) as unknown as readonly [T, T];

  it.each([[5, 96, false], [6, 192, true], [9, 192, true]])('says whether it ended: %d steps', (steps, value, finished) => {
    const [last, ended] = jit(doubled(steps), { engine })(3 as never) as unknown as readonly { item(): unknown }[];
    expect([last!.item(), ended!.item()]).toEqual([value, finished]);
  });

  it('says so of each element of a batch, and has a gradient', () => {
    const [, ended] = jit(vmap(doubled(5) as never) as never, { engine })(tensor([3, 4, 200]) as never) as unknown as readonly { toArray(): unknown }[];
    expect(ended!.toArray()).toEqual([false, true, true]);
    expect((jit(grad((x: T) => doubled(5)(x)[0]), { engine })(4 as never) as unknown as { item(): unknown }).item()).toBe(32);
    expect(() => doubled(undefined as never)(tensor(1) as never)).toThrow(/^whileLoop: finished is asked for without maxSteps/);
  });
});

