import { describe, expect, it } from 'vitest';
import type { Var } from '../contract.ts';
import { Builder } from '../program/builder.ts';
import { type DType, dtypes, promote } from '../types/dtype.ts';
import type { Argument, Operand } from '../types/operand.ts';
import { tensorType } from '../types/tensor-type.ts';
import { commonDType } from './arguments.ts';
import { add, mul } from './arithmetic.ts';
import { equal, less } from './compare.ts';
import { div } from './division.ts';
import { exp } from './functions.ts';
import { erf } from './special.ts';
import { maximum } from './extrema.ts';
import { select } from './select.ts';

const all = Object.keys(dtypes) as DType[];
const numeric = all.filter((dtype) => dtype !== 'bool');
const operand = (dtype: DType, builder = new Builder()): Var => builder.input(tensorType(dtype, []));
const weak = (): Operand => Object.assign(Object.create(operand('float64')) as object, { type: tensorType('float64', []), weak: true }) as Operand;

describe('dtypes of results', () => {
  it('of two tensors are their promotion, in either order', () => {
    for (const a of numeric) {
      for (const b of numeric) {
        const builder = new Builder();
        const [x, y] = [operand(a, builder), operand(b, builder)];
        expect([add(x, y).type.dtype, mul(y, x).type.dtype], `${a} ${b}`).toEqual([promote(a, b), promote(a, b)]);
      }
    }
  });

  it('of a number and a tensor are the tensor\'s, in either order', () => {
    for (const dtype of numeric) {
      const x = operand(dtype);
      for (const y of [add(x, 2), add(2, x), mul(x, true), mul(x, 0)]) expect(y.type.dtype).toBe(dtype);
    }
  });

  const cases: readonly (readonly [DType, Argument, DType])[] = [
    ['int32', 0.5, 'float64'], ['int64', 0.5, 'float64'], ['int32', NaN, 'float64'], ['int32', Infinity, 'float64'], ['int32', true, 'int32'], ['int32', -3, 'int32'],
    ['bool', true, 'bool'], ['bool', 2, 'int32'], ['bool', 0.5, 'float64'],
    ['float32', 0.1, 'float32'], ['float32', 1e300, 'float32'], ['complex64', 0.1, 'complex64'],
  ];
  it.each(cases)('of %s with the number %s are %s', (dtype, number, result) => {
    expect([commonDType([operand(dtype), number], 'common'), commonDType([number, operand(dtype)], 'common')]).toEqual([result, result]);
  });

  it('of a weak tensor and a strong one are the strong one\'s, or float64 where that is an integer', () => {
    expect(all.map((dtype) => commonDType([weak(), operand(dtype)], 'common'))).toEqual(['float64', 'float64', 'float64', 'float32', 'float64', 'complex64', 'complex128']);
    expect(commonDType([weak(), 2], 'common')).toBe('float64');
  });

  it('of comparisons are bool, of quotients and functions of integers float64', () => {
    const builder = new Builder();
    const [i, f, z] = [operand('int32', builder), operand('float32', builder), operand('complex64', builder)];
    expect([less(i, f), equal(z, f), less(i, 0.5)].map((x) => x.type.dtype)).toEqual(['bool', 'bool', 'bool']);
    expect([div(i, i), exp(i), div(i, f), div(f, 2), exp(f)].map((x) => x.type.dtype)).toEqual(['float64', 'float64', 'float32', 'float32', 'float32']);
  });

  it('that an operation does not take are a DTypeError that names it', () => {
    const builder = new Builder();
    const [mask, z] = [operand('bool', builder), operand('complex64', builder)];
    for (const run of [() => add(mask, mask), () => less(z, z), () => maximum(z, 1), () => erf(z)]) expect(run).toThrow(expect.objectContaining({ name: 'DTypeError' }));
  });
});

describe('select', () => {
  it('refuses a condition that is not bool', () => {
    const x = operand('float64');
    expect(() => select(x as never, x, x)).toThrow(expect.objectContaining({ name: 'DTypeError' }));
  });

  it('promotes its branches, not its condition', () => {
    const builder = new Builder();
    const mask = operand('bool', builder) as Var<'bool'>;
    expect([select(mask, operand('int32', builder), operand('float32', builder)), select(mask, 0, operand('float32', builder)), select(mask, 1, 2)].map((x) => x.type.dtype)).toEqual(['float32', 'float32', 'float64']);
  });
});
