import { describe, expect, it } from 'vitest';
import { add, mul } from '../primitives/arithmetic.ts';
import { matmul } from '../primitives/contraction.ts';
import { less } from '../primitives/compare.ts';
import { sum } from '../primitives/reduce.ts';
import { select } from '../primitives/select.ts';
import { pad } from '../primitives/slicing.ts';
import { tensor } from '../tensor/create.ts';
import { addDims, symbolicDim } from '../types/dim.ts';
import { tensorType } from '../types/tensor-type.ts';
import { Builder } from './builder.ts';
import { paramsKey, printProgram } from './print.ts';
import { callOperation } from './random-program.testing.ts';

describe('printProgram', () => {
  it('prints inputs, instructions, parameters and outputs', () => {
    const builder = new Builder();
    const x = builder.input(tensorType('float32', [2, 3]), 'x');
    const y = builder.input(tensorType('int32', []));
    const masked = select(less(x, 0), 0.5, mul(x, y));
    expect(printProgram(builder.build([sum(masked, { axes: -1 }), x]))).toBe(`program(%0 "x":f32[2, 3], %1:i32[]) {
  %2:bool[2, 3] = tf.core.less(%0, 0:f32[])
  %3:f32[] = tf.core.convert(%1) {dtype: "float32"}
  %4:f32[2, 3] = tf.core.mul(%0, %3)
  %5:f32[2, 3] = tf.core.select(%2, 0.5:f32[], %4)
  %6:f32[2] = tf.core.sum(%5) {axes: [1], keepdims: false}
  return %6, %0
}`);
  });

  it('prints bound inputs by type, constraints and symbolic extents', () => {
    const builder = new Builder();
    const n = symbolicDim('n');
    const a = builder.input(tensorType('float64', [2, n]), 'a');
    const b = builder.input(tensorType('float64', [3, 2]), 'b');
    const c = add(matmul(a, b), tensor(new Float64Array(130), { shape: [65, 1, 2] }));
    expect(printProgram(builder.build([pad(c, { low: [0, 0, n], high: [0, 0, addDims(n, -1)] })]))).toBe(`program(%0 "a":f64[2, n], %1 "b":f64[3, 2]) bound(%2:f64[65, 1, 2]) {
  require n == 3 "dotGeneral: contracted axes 1 of lhs and 0 of rhs"
  require 0 <= n-1 "pad: axis 2 of f64[65, 2, 2]"
  %3:f64[2, 2] = tf.core.dot(%0, %1) {lhsBatch: [], lhsContract: [1], rhsBatch: [], rhsContract: [0]}
  %4:f64[65, 2, 2] = tf.core.add(%3, %2)
  %5:f64[65, 2, 2*n+1] = tf.core.pad(%4) {high: [0, 0, dim(n-1)], interior: [0, 0, 0], low: [0, 0, dim(n)]}
  return %5
}`);
  });

  it('prints regions as programs inside programs', () => {
    const inner = new Builder();
    const own = inner.input(tensorType('float64', []), 'own');
    const builder = new Builder();
    const x = builder.input(tensorType('float64', []), 'x');
    const body = inner.build([mul(own, -0)]);
    expect(printProgram(builder.build(builder.emit(callOperation, [x], { body, note: 'a "b"', list: [null, true, []] })))).toBe(`program(%0 "x":f64[]) {
  %1:f64[] = acme.test.call(%0) {body: program(%0 "own":f64[]) {
    %1:f64[] = tf.core.mul(%0, -0:f64[])
    return %1
  }, list: [null, true, []], note: "a \\"b\\""}
  return %1
}`);
  });

  it('prints an empty program', () => {
    expect(printProgram(new Builder().build([]))).toBe('program() {\n  return \n}');
  });
});

describe('paramsKey', () => {
  it('is equal for equal parameters, whatever their order', () => {
    expect(paramsKey({ b: [1, 'x'], a: null })).toBe(paramsKey({ a: null, b: [1, 'x'] }));
    const keys = [{}, { a: 1 }, { a: '1' }, { a: [1] }, { a: -0 }, { a: 0 }, { a: true }, { a: 'true' }, { a: null }, { b: 1 }, { a: symbolicDim('n') }, { a: 'dim(n)' }, { a: ['x', 'y'] }, { a: ['x", "y'] }].map(paramsKey);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
