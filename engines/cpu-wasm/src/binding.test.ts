import { addDims, type Dim, type DimConstraint, loop, mulDims, subDims, symbolicDim, tensorType } from '@tf/core';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from './index.ts';
import { argumentOf, elementwisePlan, loopStep, planOf, reductionPlan, viewOf } from './testing/plans.ts';

const n = symbolicDim('n');
const sum = loop.add(argumentOf('float64', 0), argumentOf('float64', 1));
const vector = (length: number, value = 1): { readonly data: Float64Array; readonly shape: readonly number[] } => ({ data: new Float64Array(length).fill(value), shape: [length] });

describe('symbolic extents', () => {
  test('one module and one plan serve 64 sizes', () => {
    const engine = createEngineSync();
    const executable = engine.compile(elementwisePlan(['float64', 'float64'], 'float64', [n], sum));
    for (let size = 0; size < 64; size++) {
      const [out] = executable.run([vector(size), vector(size, 2)]);
      expect(out!.shape).toEqual([size]);
      expect(engine.read(out!)).toEqual(new Float64Array(size).fill(3));
    }
    expect([engine.stats().modulesCompiled, engine.stats().plansCompiled]).toEqual([1, 1]);
  });

  test('plans that differ only in sizes or number of steps share one module', () => {
    const engine = createEngineSync();
    for (let size = 1; size <= 20; size++) engine.compile(reductionPlan({ monoid: 'sum', dtype: 'float64', shape: [size, 3], axes: 1 })).run([{ data: new Float64Array(3 * size), shape: [size, 3] }]);
    expect([engine.stats().modulesCompiled, engine.stats().plansCompiled]).toEqual([1, 20]);
    const step = (from: number, to: number): ReturnType<typeof loopStep> => loopStep(['float64', 'float64'], 'float64', [4], [viewOf(from, [1]), viewOf(from, [1])], viewOf(to, [1]), sum);
    const type = tensorType('float64', [4]);
    engine.compile(planOf({ inputs: [type], outputs: [type], steps: [step(0, 1)] }));
    engine.compile(planOf({ inputs: [type], outputs: [type, type], steps: [step(0, 1), step(1, 2)] }));
    expect(engine.stats().modulesCompiled).toBe(2);
  });

  test('arena, strides and offsets follow the sizes, back and forth', () => {
    const engine = createEngineSync();
    const m = symbolicDim('m');
    // The last row of x + x, through an intermediate.
    const size = mulDims(m, n);
    const plan = planOf({
      inputs: [tensorType('float64', [m, n])],
      outputs: [tensorType('float64', [n])],
      more: [{ dtype: 'float64', elements: size, place: { kind: 'arena', slot: 0 } }],
      slots: [[mulDims(8, size), 64]],
      steps: [
        loopStep(['float64', 'float64'], 'float64', [m, n], [viewOf(0, [n, 1]), viewOf(0, [n, 1])], viewOf(2, [n, 1]), sum),
        { kind: 'copy', dtype: 'float64', elements: n, from: { buffer: 2, offset: addDims(size, mulDims(-1, n)) }, to: { buffer: 1, offset: 0 } },
      ],
    });
    const executable = engine.compile(plan);
    for (const [rows, columns] of [[2, 3], [50, 40], [2, 3], [300, 7], [1, 1]] as const) {
      const data = Float64Array.from({ length: rows * columns }, (_, i) => i);
      const [out] = executable.run([{ data, shape: [rows, columns] }]);
      expect(engine.read(out!)).toEqual(data.slice(-columns).map((x) => 2 * x));
    }
  });

  test('sizes must agree across inputs, and a constraint names its reason and both sizes', () => {
    const engine = createEngineSync();
    const plan = elementwisePlan(['float64', 'float64'], 'float64', [n], sum);
    expect(() => engine.compile(plan).run([vector(3), vector(4)])).toThrow(/input 1 must have shape \[n\] \(with n = 3\), got \[4\]/);
    const m = symbolicDim('m');
    const constraint: DimConstraint = { left: n, right: addDims(m, 1), reason: 'tf.core.dot: contracted axes' };
    const constrained = engine.compile(planOf({ ...plan, inputs: [tensorType('float64', [n]), tensorType('float64', [m])], constraints: [constraint] }));
    const wrong = (): unknown => constrained.run([vector(5), vector(3)]);
    expect(wrong).toThrow(expect.objectContaining({ name: 'ConstraintError', fields: { reason: constraint.reason, left: 5, right: 4 } }));
    expect(wrong).toThrow(/n and m\+1 must be equal, and n is 5 and m\+1 is 4/);
    expect(constrained.run([vector(4), vector(3)])).toHaveLength(1);
    expect(wrong).toThrow(/must be equal/);
  });

  test('an extent that one symbol decides is solved for it', () => {
    const engine = createEngineSync();
    const twice: Dim = mulDims(2, n);
    const plan = planOf({
      inputs: [tensorType('float64', [twice]), tensorType('float64', [subDims(n, 1)])],
      outputs: [tensorType('float64', [n])],
      steps: [loopStep(['float64', 'float64'], 'float64', [n], [viewOf(0, [2]), viewOf(0, [1])], viewOf(2, [1]), sum)],
    });
    const executable = engine.compile(plan);
    for (const size of [3, 1, 5]) expect(engine.read(executable.run([vector(2 * size), vector(size - 1)])[0]!)).toEqual(new Float64Array(size).fill(2));
    expect(() => executable.run([vector(7), vector(2)])).toThrow(/input 0 must have shape \[2\*n\], got \[7\]/);
    expect(() => executable.run([vector(6), vector(3)])).toThrow(/input 1 must have shape \[n-1\] \(with n = 3\), got \[3\]/);
    expect([engine.stats().modulesCompiled, engine.stats().plansCompiled]).toEqual([1, 1]);
  });

  test('polynomial extents are checked against the symbols', () => {
    const engine = createEngineSync();
    const square: Dim = mulDims(n, n);
    const plan = planOf({
      inputs: [tensorType('float64', [square]), tensorType('float64', [n])],
      outputs: [tensorType('float64', [n])],
      steps: [loopStep(['float64', 'float64'], 'float64', [n], [viewOf(0, [2]), viewOf(1, [1])], viewOf(2, [1]), sum)],
    });
    const executable = engine.compile(plan);
    expect(engine.read(executable.run([vector(9), vector(3)])[0]!)).toEqual(Float64Array.of(2, 2, 2));
    expect(() => executable.run([vector(7), vector(3)])).toThrow(/input 0 must have shape \[n\*n\] \(with n = 3\), got \[7\]/);
    expect(() => executable.run([vector(5), vector(3)])).toThrow(expect.objectContaining({ name: 'ShapeError' }));
  });
});

describe('inputs', () => {
  const engine = createEngineSync();
  const executable = engine.compile(elementwisePlan(['float64', 'float64'], 'float64', [2, 3], sum));
  const good = { data: new Float64Array(6), shape: [2, 3] };

  test('of another number, dtype, shape or length are refused by name', () => {
    expect(() => executable.run([good])).toThrow(expect.objectContaining({ name: 'ArgumentError', fields: expect.objectContaining({ expected: 2, got: 1 }) as unknown }));
    expect(() => executable.run([good, { data: new Float32Array(6), shape: [2, 3] }])).toThrow(/input 1: float64 data comes as Float64Array, got Float32Array/);
    expect(() => executable.run([engine.upload('int32', [2, 3], new Int32Array(6)), good])).toThrow(expect.objectContaining({ name: 'DTypeError', fields: expect.objectContaining({ argument: 'input 0', expected: 'float64', got: 'int32' }) as unknown }));
    expect(() => executable.run([{ data: new Float64Array(6), shape: [3, 2] }, good])).toThrow(/input 0 must have shape \[2, 3\], got \[3, 2\]/);
    expect(() => executable.run([{ data: new Float64Array(6), shape: [6] }, good])).toThrow(expect.objectContaining({ name: 'ShapeError' }));
    expect(() => executable.run([good, { data: new Float64Array(5), shape: [2, 3] }])).toThrow(expect.objectContaining({ name: 'DataLengthError' }));
    expect(() => executable.run([good, 1])).toThrow(/input 1 must have shape \[2, 3\], got \[\]/);
    expect(() => executable.run([good, null as never])).toThrow(expect.objectContaining({ name: 'ArgumentError' }));
    expect(() => executable.run([good, { data: [1, 2, 3, 4, 5, 6] as never, shape: [2, 3] }])).toThrow(/got Array/);
  });

  test('may be numbers where the plan takes a scalar, in its dtype', () => {
    for (const [dtype, given, kept] of [['float64', 0.1, 0.1], ['float32', 0.1, Math.fround(0.1)], ['int32', 7.9, 7], ['bool', 5, 1]] as const) {
      const scalar = engine.compile(elementwisePlan([dtype], dtype, [], argumentOf(dtype, 0)));
      expect(engine.read(scalar.run([given])[0]!)[0]).toBe(kept);
    }
  });

  test('may be one buffer twice, and an output is never an input', () => {
    const x = engine.upload('float64', [2, 3], new Float64Array(6).fill(2));
    const [out] = executable.run([x, x]);
    expect(engine.read(out!)).toEqual(new Float64Array(6).fill(4));
    expect(engine.read(x)).toEqual(new Float64Array(6).fill(2));
    expect(out).not.toBe(x);
  });
});
