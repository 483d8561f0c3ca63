import { add, isTfError, type Operand, reshape, scan, tensor, zeros } from '@tf/core';
import { EagerRuntime, type EagerTensor } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { evaluate, grad, input, jit, type TracedTensor, vmap } from '@tf/traced';
import { describe, expect, expectTypeOf, it } from 'vitest';

type F64 = TracedTensor<'float64'>;
const engine = await createEngine();
const runtime = new EagerRuntime();
const matrix = tensor([[1, 2], [3, 4], [5, 6]]);

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('iteration', () => {
  it('gives the rows of every kind of tensor', () => {
    expect([...matrix].map((row) => row.toArray())).toEqual([[1, 2], [3, 4], [5, 6]]);
    const [first, , last] = matrix;
    expect([first!.toArray(), last!.type.key]).toEqual([[1, 2], 'f64[2]']);
    const resident = evaluate(add(matrix as never as F64, 1), engine);
    expect(Array.from(resident, (row) => evaluate(row, engine).toArray())).toEqual([[2, 3], [4, 5], [6, 7]]);
    runtime.session(engine, () => {
      const x = runtime.variable<'float64'>(matrix);
      let product: EagerTensor<'float64'> = runtime.constant([1, 1]);
      for (const row of x) product = product.mul(row);
      product.sum().backward();
      expect([product.toArray(), x.grad!.toArray()]).toEqual([[15, 48], [[15, 24], [5, 12], [3, 8]]]);
    });
    const f = (x: F64): F64 => [...x].reduce((sum, row) => sum.mul(row)).sum();
    expect(jit(grad(f), { engine })(matrix as never).toArray()).toEqual([[15, 24], [5, 12], [3, 8]]);
    const batch = vmap((x: F64) => { const [a, b] = x; return a!.sub(b!); });
    expect(evaluate(batch(matrix as never), engine).toArray()).toEqual([-1, -1, -1]);
    const [, sums] = scan((carry: F64, x: F64) => { const [a, b] = x; return [carry, a!.add(b!)] as const; }, tensor(0) as never as F64, matrix as never as F64);
    expect(evaluate(sums as never as F64, engine).toArray()).toEqual([3, 7, 11]);
    const complex = tensor([[1, 2], [3, 4]], { dtype: 'complex64' });
    expect([...complex].map((row) => row.toArray())).toEqual([[{ re: 1, im: 0 }, { re: 2, im: 0 }], [{ re: 3, im: 0 }, { re: 4, im: 0 }]]);
    const deferred = reshape(matrix, [2, 3]);
    expect(runtime.session(engine, () => [...deferred].map((row) => runtime.constant(row).toArray()))).toEqual([[1, 2, 3], [4, 5, 6]]);
    expect([...zeros([0, 3])]).toEqual([]);
    for (const row of matrix) expectTypeOf(row.dtype).toEqualTypeOf<'float64'>();
  });

  it('of a scalar, or of rows that only a run counts, is a typed error at once', () => {
    const scalar = thrown(() => [...tensor(3)]);
    expect(isTfError(scalar, 'ShapeError') && scalar.message).toMatch(/^A scalar f64\[\] was iterated over.*x\.item\(\)/);
    expect(isTfError(thrown(() => tensor(3)[Symbol.iterator]()), 'ShapeError')).toBe(true);
    const symbolic = thrown(() => [...input('x', { shape: ['n', 2] })]);
    expect(isTfError(symbolic, 'ShapeError') && symbolic.message).toMatch(/^A f64\[n, 2\] was iterated over, but how many rows it has, n, .*scan/);
  });

  it('is what a test runner does that compares tensors: it is told to compare values', () => {
    const error = thrown(() => expect(tensor([1, 2])).toEqual(tensor([1, 2])));
    expect(isTfError(error, 'ShapeError') && error.message).toMatch(/compare x\.toArray\(\)/);
  });
});

describe('info', () => {
  it('says what a tensor is and where, and reads as a line', async () => {
    const { inspect } = await import('node:util');
    expect(String(matrix.info)).toBe('float64[3, 2], 48 bytes, host');
    expect(inspect(matrix.info)).toBe('float64[3, 2], 48 bytes, host');
    expect(String(evaluate(add(matrix as never as F64, 1), engine).info)).toBe('float64[3, 2], 48 bytes, resident on cpu-wasm');
    expect(String(input('x', { dtype: 'complex64', shape: ['n', 3] }).info)).toBe('complex64[n, 3], 24*n bytes, traced');
    runtime.session(engine, () => {
      const w = runtime.variable([1, 2]);
      expect([String(w.info), w.info.tracked]).toEqual(['float64[2], 16 bytes, eager, tracked', true]);
      const y = w.mul(2);
      expect(y.info).toMatchObject({ dtype: 'float64', shape: [2], bytes: 16, engine: 'cpu-wasm', kind: 'eager', tracked: true });
      expect(String(y.detach().info)).toBe('float64[2], 16 bytes, eager on cpu-wasm');
    });
    expect((matrix.info as { readonly bytes: unknown }).bytes).toBe(48);
    expect('info' in (matrix as Operand)).toBe(true);
  });
});
