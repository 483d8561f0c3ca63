import { describe, expect, it } from 'vitest';
import { isTfError } from '../errors.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { exp } from '../primitives/functions.ts';
import { erf } from '../primitives/special.ts';
import { sum } from '../primitives/reduce.ts';
import { Builder } from '../program/builder.ts';
import { hostForm } from '../program/host.ts';
import { printProgram } from '../program/print.ts';
import type { Operand } from '../types/operand.ts';
import { tensorType } from '../types/tensor-type.ts';
import { tensor, zeros } from './create.ts';
import { deferOperation, hostListener } from './host-tensor.ts';

const thrown = (run: () => unknown): { name: string; message: string } => {
  try {
    run();
  } catch (error) {
    if (isTfError(error)) return { name: error.name, message: error.message };
    throw error;
  }
  return { name: 'nothing', message: '' };
};

describe('a host tensor of data', () => {
  it('gives numbers for every dtype, and booleans for bool', () => {
    expect(tensor(Int32Array.of(1, -2)).toArray()).toEqual([1, -2]);
    expect(tensor(BigInt64Array.of(5n)).toArray()).toEqual([5]);
    expect(tensor([[true, false]]).toArray()).toEqual([[true, false]]);
    expect([tensor(2.5).item(), tensor([[true]]).item(), tensor(7n).item()]).toEqual([2.5, true, 7]);
  });

  it('gives no number for an int64 beyond 2^53, and names toBigIntArray', () => {
    const x = tensor([2n ** 53n, 1n]);
    const { name, message } = thrown(() => x.toArray());
    expect(name).toBe('UnsafeIntegerError');
    expect(message).toContain('toBigIntArray');
    expect(x.toBigIntArray()).toEqual([2n ** 53n, 1n]);
    expect(thrown(() => tensor([1]).toBigIntArray()).name).toBe('DTypeError');
    expect(tensor([2n ** 53n - 1n]).toArray()).toEqual([2 ** 53 - 1]);
  });

  it('has an item only when it has one element', () => {
    expect(thrown(() => tensor([1, 2]).item())).toEqual({ name: 'ShapeError', message: expect.stringContaining('f64[2] has 2 elements') as string });
    expect(thrown(() => tensor([]).item()).name).toBe('ShapeError');
  });

  it('gives copies of its data', async () => {
    const x = tensor([1, 2]);
    (await x.data())[0] = 9;
    expect(await x.data()).toEqual(Float64Array.of(1, 2));
  });

  it('keeps empty axes', () => {
    expect(tensor(new Float64Array(0), { shape: [2, 0, 3] }).toArray()).toEqual([[], []]);
    expect(tensor(new Float64Array(0), { shape: [0, 2] }).toArray()).toEqual([]);
  });
});

describe('an operation on host tensors', () => {
  it('is read where its elements are created, rearranged or mapped one by one', async () => {
    expect(zeros([2, 2]).toArray()).toEqual([[0, 0], [0, 0]]);
    expect(String(add(tensor([1, 2]), 1))).toBe('[2, 3] float64[2]');
    expect(exp(tensor(0)).item()).toBe(1);
    expect([...(await zeros([2]).data())]).toEqual([0, 0]);
  });

  it('that needs an engine computes nothing, and says what to do when it is read', async () => {
    const y = sum(tensor([1, 2]));
    const { name, message } = thrown(() => y.toArray());
    expect(y.type.key).toBe('f64[]');
    expect(name).toBe('NoSessionError');
    expect(message).toMatch(/evaluate.*runtime\.constant/);
    expect(thrown(() => y.item()).name).toBe('NoSessionError');
    expect(String(y)).toBe('float64[], not run yet');
    await expect(y.data()).rejects.toMatchObject({ name: 'NoSessionError' });
  });

  it('is not computed here where an engine would be a thousand times faster', () => {
    const many = add(zeros([2 ** 18 + 1]), 1);
    expect(thrown(() => many.toArray()).name).toBe('NoSessionError');
    expect(String(add(zeros([5000]), 1))).toBe('float64[5000], not run yet');
  });

  it('checks operands at once', () => {
    expect(thrown(() => add(tensor([1, 2]), tensor([1, 2, 3]))).name).toBe('ShapeError');
    expect(thrown(() => erf(tensor(new Float32Array(4), { dtype: 'complex64' }))).name).toBe('DTypeError');
  });

  it('converts operands of different dtypes', () => {
    const y = mul(tensor(Int32Array.of(1)), tensor(new Float32Array(1)));
    const form = hostForm(y);
    expect(y.dtype).toBe('float32');
    expect(form?.form === 'deferred' && form.inputs.map((input) => input.type.key)).toEqual(['f32[1]', 'f32[1]']);
  });

  it('with two outputs shares one description', () => {
    const split = { id: 'acme.test.split', family: 'acme.test', name: 'split', traits: {}, infer: () => [tensorType('float64', []), tensorType('int32', [2])] };
    const [a, b] = deferOperation(split, [tensor([1])], {}).map((x) => hostForm(x));
    expect([a, b]).toMatchObject([{ output: 0 }, { output: 1 }]);
    expect(a?.form === 'deferred' && b?.form === 'deferred' && a.inputs === b.inputs && a.operation === b.operation).toBe(true);
  });
});

describe('a host tensor met by a Var', () => {
  const type = tensorType('float64', [2]);

  it('becomes a literal when small, a bound input when large', () => {
    const builder = new Builder();
    const x = builder.input(type, 'x');
    const program = builder.build([add(x, tensor([1, 2])), sum(mul(builder.input(tensorType('float64', [100])), tensor(new Float64Array(100))))]);
    expect(printProgram(program)).toContain('tf.core.add(%0, [1, 2]:f64[2])');
    expect(program.bound.map(({ variable }) => variable.type.key)).toEqual(['f64[100]']);
  });

  it('is carried out once where it is used twice inside one operand', () => {
    const builder = new Builder();
    const shared = exp(tensor([1, 2]));
    const program = builder.build([add(builder.input(type), mul(shared, shared))]);
    expect(program.instructions.map(({ operation }) => operation.name)).toEqual(['exp', 'mul', 'add']);
  });

  it('may be a description of 100 000 operations', () => {
    const builder = new Builder();
    let y: Operand = tensor([1, 2]);
    for (let step = 0; step < 100_000; step++) y = add(y, 1) as Operand;
    expect(builder.build([add(builder.input(type), y as never) as never]).instructions).toHaveLength(100_001);
  });
});

describe('the listener of host tensors', () => {
  it('refuses what is no host tensor', () => {
    const x = new Builder().input(tensorType('float64', []), 'x');
    expect(thrown(() => hostListener.lift(x)).name).toBe('ForeignValueError');
  });

  it('takes host tensors of another copy of core', () => {
    const other = Object.create(tensor([1]), {}) as Operand;
    expect(hostListener.lift(other)).toBe(other);
  });
});
