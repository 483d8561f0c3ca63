import { describe, expect, it } from 'vitest';
import { isTfError } from '../errors.ts';
import { hostForm } from '../program/host.ts';
import { printProgram } from '../program/print.ts';
import { Builder } from '../program/builder.ts';
import { add } from '../primitives/arithmetic.ts';
import { tensorType } from '../types/tensor-type.ts';
import { full, ones, tensor, type TensorValue, zeros } from './create.ts';

const thrown = (run: () => unknown): { name: string; message: string } => {
  try {
    run();
  } catch (error) {
    if (isTfError(error)) return { name: error.name, message: error.message };
    throw error;
  }
  return { name: 'nothing', message: '' };
};

describe('tensor', () => {
  const cases: readonly (readonly [TensorValue, string])[] = [
    [2, 'f64[]'], [true, 'bool[]'], [3n, 'i64[]'],
    [[1, 2], 'f64[2]'], [[[1], [2]], 'f64[2, 1]'], [[true, false], 'bool[2]'], [[true, 1], 'f64[2]'], [[1n, 2n], 'i64[2]'],
    [[], 'f64[0]'], [[[], []], 'f64[2, 0]'],
    [new Float32Array(3), 'f32[3]'], [new Float64Array(3), 'f64[3]'], [new Int32Array(3), 'i32[3]'], [new BigInt64Array(3), 'i64[3]'], [new Uint8Array(3), 'bool[3]'],
  ];
  it.each(cases)('takes %o as its natural type', (value, type) => {
    expect(tensor(value).type.key).toBe(type);
  });

  it('gives nested arrays back as they were', () => {
    for (const value of [[[1, 2], [3, -0]], [NaN, Infinity], [[true], [false]], 7, [[], []]]) expect(tensor(value as TensorValue).toArray()).toEqual(value);
  });

  it('copies what it is given, so the tensor cannot change', () => {
    const data = Float64Array.of(1, 2);
    const x = tensor(data);
    data[0] = 9;
    expect(x.toArray()).toEqual([1, 2]);
  });

  it('copies a part of a buffer only', () => {
    expect(tensor(new Float64Array([0, 1, 2, 3]).subarray(1, 3)).toArray()).toEqual([1, 2]);
  });

  it('gives a typed array the shape asked for', () => {
    expect(tensor(Int32Array.of(1, 2, 3, 4, 5, 6), { shape: [2, 3] }).toArray()).toEqual([[1, 2, 3], [4, 5, 6]]);
    expect(tensor([1, 2, 3, 4], { shape: [2, 2] }).toArray()).toEqual([[1, 2], [3, 4]]);
  });

  it('refuses data that do not fill the shape, naming both numbers', () => {
    const { name, message } = thrown(() => tensor(new Float32Array(5), { shape: [2, 3] }));
    expect(name).toBe('DataLengthError');
    expect(message).toMatch(/needs 6 values, got 5/);
  });

  it('reads interleaved parts when a complex dtype is named', () => {
    const z = tensor(Float32Array.of(1, 2, 3, -4), { dtype: 'complex64' });
    expect([z.type.key, z.toArray()]).toEqual(['c64[2]', [{ re: 1, im: 2 }, { re: 3, im: -4 }]]);
    expect(tensor(new Float64Array(4), { dtype: 'complex128', shape: [1, 2] }).type.key).toBe('c128[1, 2]');
    expect(thrown(() => tensor(new Float32Array(3), { dtype: 'complex64' })).message).toMatch(/needs 4 values, got 3.*takes two/);
  });

  it('takes complex numbers as { re, im }, and numbers beside them', () => {
    const z = tensor([[{ re: 1, im: -0 }, 2], [{ re: NaN, im: 3 }, -1]]);
    expect([z.type.key, z.toArray()]).toEqual(['c128[2, 2]', [[{ re: 1, im: -0 }, { re: 2, im: 0 }], [{ re: NaN, im: 3 }, { re: -1, im: 0 }]]]);
    expect(tensor({ re: 0.1, im: 1 }, { dtype: 'complex64' }).item()).toEqual({ re: Math.fround(0.1), im: 1 });
    expect(tensor([1, 2], { dtype: 'complex64' }).toArray()).toEqual([{ re: 1, im: 0 }, { re: 2, im: 0 }]);
    expect(thrown(() => tensor([{ re: 1, im: 0 }], { dtype: 'float64' })).message).toMatch(/holds a complex number, which float64 cannot/);
    expect(thrown(() => tensor([{ re: 1 }] as never)).name).toBe('ArgumentError');
  });

  it('converts to the dtype named, and refuses values that it cannot hold', () => {
    expect(tensor([1, 2], { dtype: 'int32' }).type.key).toBe('i32[2]');
    expect(tensor(new Float32Array([0.5, 2]), { dtype: 'float64' }).toArray()).toEqual([0.5, 2]);
    expect(tensor([0, 2, NaN], { dtype: 'bool' }).toArray()).toEqual([false, true, false]);
    expect(tensor(Uint8Array.of(0, 1)).toArray()).toEqual([false, true]);
    expect(tensor(Uint8Array.of(0, 7), { dtype: 'bool' }).toArray()).toEqual([false, true]);
    expect(tensor(Uint8Array.of(0, 255), { dtype: 'int32' }).toArray()).toEqual([0, 255]);
    expect(thrown(() => tensor(Uint8Array.of(0, 128, 255)))).toMatchObject({ name: 'ArgumentError', message: expect.stringContaining('holds 128') as string });
    for (const value of [1.5, NaN, Infinity, 2 ** 31, -(2 ** 31) - 1]) expect(thrown(() => tensor([value], { dtype: 'int32' })).name, String(value)).toBe('ArgumentError');
    expect(thrown(() => tensor([2n ** 63n])).name).toBe('ArgumentError');
    expect(tensor([2n ** 63n - 1n, -(2n ** 63n)]).toBigIntArray()).toEqual([2n ** 63n - 1n, -(2n ** 63n)]);
  });

  it.each([
    [[[1, 2], [3]], 'value[1] has 1 entries, where those before it have 2 entries'],
    [[[1, 2], 3], 'value[1] is a single value, where those before it have 2 entries'],
    [[1, [2]], 'value[1] has 1 entries, where those before it are single values'],
    [[[[1], [2]], [[3], [4, 5]]], 'value[1][1] has 2 entries, where those before it have 1 entries'],
    [[[], [1]], 'value[1] has 1 entries, where those before it have 0 entries'],
  ])('refuses the ragged %j with its path', (value, says) => {
    const { name, message } = thrown(() => tensor(value as unknown as TensorValue));
    expect(name).toBe('ShapeError');
    expect(message).toContain(says);
  });

  it.each([
    ['text', "value is string text"], [[1, 'a'], 'value[1] is string a'], [[[1], [null]], 'value[1][0] is null'], [{ a: 1 }, 'value is an Object'], [new Int16Array(2), 'value is an Int16Array'],
  ])('refuses %j by name', (value, says) => {
    const { name, message } = thrown(() => tensor(value as never));
    expect(name).toBe('ArgumentError');
    expect(message).toContain(says);
  });
});

describe('zeros, ones and full', () => {
  it('describe a broadcast literal and hold no memory', () => {
    const x = zeros([1000, 1000], { dtype: 'float32' });
    const form = hostForm(x);
    expect(x.type.key).toBe('f32[1000, 1000]');
    expect(form?.form === 'deferred' && form.operation.id).toBe('tf.core.broadcastTo');
  });

  it('take the dtype named, of the value or float64', () => {
    expect([zeros([2]), ones([2], { dtype: 'complex64' }), full([2], true), full([2], 7, { dtype: 'int64' })].map((x) => x.dtype)).toEqual(['float64', 'complex64', 'bool', 'int64']);
  });

  it('become one literal and one broadcast in a program', () => {
    const builder = new Builder();
    const x = builder.input(tensorType('float64', [2]), 'x');
    const program = builder.build([add(x, full([2], 2.5))]);
    expect(printProgram(program)).toBe(['program(%0 "x":f64[2]) {', '  %1:f64[2] = tf.core.broadcastTo(2.5:f64[]) {shape: [2]}', '  %2:f64[2] = tf.core.add(%0, %1)', '  return %2', '}'].join('\n'));
  });

  it('refuse impossible shapes and values', () => {
    expect(thrown(() => zeros([-1])).name).toBe('ShapeError');
    expect(thrown(() => zeros([2.5])).name).toBe('ShapeError');
    expect(thrown(() => zeros([2 ** 30, 2 ** 30])).name).toBe('TooLargeError');
    expect(thrown(() => full([2], 0.5, { dtype: 'int32' })).name).toBe('ArgumentError');
  });
});
