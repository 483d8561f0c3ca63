import { abs, add, bitwiseAnd, bitwiseNot, bitwiseOr, bitwiseXor, ceil, clamp, elu, floor, hardSwish, isFinite, isInf, isNan, isTfError, leakyRelu, leftShift, logicalAnd, logicalNot, logicalOr, logicalXor, logSigmoid, mul, reciprocal, rightShift, round, signbit, square, sum, tensor, trunc, type Operand, where } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { evaluate, grad, jvp, type TracedTensor } from './index.ts';

const engine = await createEngine();
type F64 = TracedTensor<'float64'>;

function numbers(x: { toArray(): unknown }): readonly number[] {
  return [x.toArray()].flat(9) as number[];
}

const valuesOf = (x: Operand): readonly number[] => numbers(evaluate(x as unknown as F64, engine));

/** ∂ Σf/∂ each argument. */
function slopes(f: (...xs: readonly F64[]) => Operand, ...at: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return at.map((_, wrt) => numbers(evaluate(grad((x: F64) => sum(f(...at.map((point, i) => (i === wrt ? x : (tensor([...point]) as unknown as F64))))) as unknown as F64)(tensor([...at[wrt]!])), engine)));
}

const [inf, nan] = [Infinity, NaN];

describe.each(['float32', 'float64'] as const)('rounding in %s', (dtype) => {
  const points = [-0.4, 0.5, 1.5, 2.5, -0.5, -1.5, -0, 0, inf, -inf, nan, 1e30, 8388609, 0.1, -0.9];
  const at = (f: (x: Operand) => unknown): readonly number[] => valuesOf(f(tensor(points, { dtype }) as Operand) as Operand);

  it('keeps signs, zeros, infinities and NaN', () => {
    const [big] = valuesOf(tensor([1e30], { dtype }) as Operand);
    expect(at(round)).toEqual([-0, 0, 2, 2, -0, -2, -0, 0, inf, -inf, nan, big, 8388609, 0, -1]);
    expect(at(floor)).toEqual([-1, 0, 1, 2, -1, -2, -0, 0, inf, -inf, nan, big, 8388609, 0, -1]);
    expect(at(ceil)).toEqual([-0, 1, 2, 3, -0, -1, -0, 0, inf, -inf, nan, big, 8388609, 1, -0]);
    expect(at(trunc)).toEqual([-0, 0, 1, 2, -0, -1, -0, 0, inf, -inf, nan, big, 8388609, 0, -0]);
  });

  it('classifies', () => {
    const xs = tensor([1, -0, 0, -2, inf, -inf, nan, 1e-45], { dtype }) as Operand;
    expect(valuesOf(isNan(xs))).toEqual([false, false, false, false, false, false, true, false]);
    expect(valuesOf(isFinite(xs))).toEqual([true, true, true, true, false, false, false, true]);
    expect(valuesOf(isInf(xs))).toEqual([false, false, false, false, true, true, false, false]);
    expect(valuesOf(signbit(xs))).toEqual([false, true, false, true, false, true, false, false]);
  });
});

describe('integers and booleans', () => {
  const ints = (...values: readonly number[]): Operand => tensor(Int32Array.from(values)) as Operand;

  it('are rounded to themselves and classified as finite', () => {
    expect(floor(ints(3, -2)).type.dtype).toBe('int32');
    expect(valuesOf(round(ints(3, -2)))).toEqual([3, -2]);
    expect(valuesOf(isFinite(ints(3, -2)))).toEqual([true, true]);
    expect(valuesOf(signbit(ints(3, -2)))).toEqual([false, true]);
  });

  it('shift: beyond the width and below 0 everything goes', () => {
    const [x, count] = [ints(5, -5, 5, -5, 1, -1, -7), ints(1, 1, 32, 32, 30, -1, 3)];
    expect(valuesOf(rightShift(x, count))).toEqual([2, -3, 0, -1, 0, -1, -1]);
    expect(valuesOf(leftShift(x, count))).toEqual([10, -10, 0, 0, 2 ** 30, 0, -56]);
  });

  it('combine bit by bit', () => {
    const [a, b] = [ints(12, -7), ints(10, 3)];
    expect([bitwiseAnd(a, b), bitwiseOr(a, b), bitwiseXor(a, b), bitwiseNot(a)].map((x) => valuesOf(x as Operand))).toEqual([[8, 1], [14, -5], [6, -6], [-13, 6]]);
    const [p, q] = [tensor([true, true, false, false]), tensor([true, false, true, false])] as unknown as readonly [Operand, Operand];
    expect([logicalAnd(p, q), logicalOr(p, q), logicalXor(p, q), logicalNot(p), bitwiseXor(p, q), bitwiseNot(q)].map((x) => valuesOf(x as Operand))).toEqual([
      [true, false, false, false], [true, true, true, false], [false, true, true, false], [false, false, true, true], [false, true, true, false], [false, true, false, true],
    ]);
  });

  it('refuse what they have no meaning for, with the remedy', () => {
    for (const [call, message] of [
      [() => logicalAnd(ints(1), ints(2)), /^logicalAnd: takes bool, got i32\[1\].*convert\(x, 'bool'\)/],
      [() => bitwiseAnd(ints(1), 0.5), /^bitwiseAnd: takes bool, int32, int64, got f64/],
      [() => leftShift(tensor([true]) as Operand, true), /^leftShift: takes int32, int64, got bool/],
      [() => clamp(ints(1), undefined as never), /^clamp: min and max are both undefined/],
      [() => clamp(ints(1), 2 ** 40), /^clamp: argument 1 is 1099511627776/],
    ] as const) {
      try {
        call();
        expect.unreachable();
      } catch (error) {
        expect(isTfError(error) && error.message).toMatch(message);
      }
    }
  });
});

describe('clamp', () => {
  it('gives the gradient to what is returned, at a bound to x', () => {
    const f = (x: F64, low: F64, high: F64): Operand => clamp(x, low, high) as Operand;
    //        inside, below, above, at low, at high, low = high = x, low = high, low > high: below, between, above
    const x = [0.5, -3, 9, 0, 2, 1, 5, 5, 2, 0];
    const low = [0, 0, 0, 0, 0, 1, 3, 3, 3, 3];
    const high = [2, 2, 2, 2, 2, 1, 3, 1, 1, 1];
    expect(valuesOf(f(...([x, low, high].map((data) => tensor(data)) as unknown as [F64, F64, F64])))).toEqual([0.5, 0, 2, 0, 2, 1, 3, 1, 1, 1]);
    const [dx, dlow, dhigh] = slopes(f as never, x, low, high) as [readonly number[], readonly number[], readonly number[]];
    expect(dx).toEqual([1, 0, 0, 1, 1, 1, 0, 0, 0, 0]);
    expect(dlow).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(dhigh).toEqual([0, 0, 1, 0, 0, 0, 1, 1, 1, 1]);
  });

  it('propagates NaN of any operand and lets none into gradients', () => {
    expect(valuesOf(clamp(tensor([nan, 1, 1]), tensor([0, nan, 0]), tensor([1, 1, nan])))).toEqual([nan, nan, nan]);
    for (const part of slopes((x, low, high) => clamp(x, low, high) as Operand, [nan, 1, 1, inf], [0, nan, 0, 0], [1, 1, nan, 1])) expect(part.every(Number.isFinite)).toBe(true);
  });

  it('is a min or max with one bound, and keeps integers', () => {
    expect(valuesOf(clamp(tensor([-1, 0.5, 3]), 0))).toEqual([0, 0.5, 3]);
    expect(valuesOf(clamp(tensor([-1, 0.5, 3]), undefined, 1))).toEqual([-1, 0.5, 1]);
    expect(clamp(tensor(Int32Array.of(5)), 0, 3).type.dtype).toBe('int32');
    expect(clamp(tensor(Int32Array.of(5)), 0, 3.5).type.dtype).toBe('float64');
  });
});

describe('activations', () => {
  it('have their slopes at kinks', () => {
    expect(slopes((x) => leakyRelu(x!, 0.25), [0, -0, 2, -2])).toEqual([[0.25, 0.25, 1, 0.25]]);
    expect(slopes((x) => elu(x!, 0.5), [0, 2])).toEqual([[0.5, 1]]);
    expect(slopes((x) => hardSwish(x!), [-4, 4, 0])).toEqual([[0, 1, 0.5]]);
  });

  it('stay finite far out', () => {
    const far = tensor([1e30, -1e30, inf, -inf]);
    expect(valuesOf(logSigmoid(far))).toEqual([-0, -1e30, -0, -inf]);
    expect(valuesOf(elu(far))).toEqual([1e30, -1, inf, -1]);
    expect(valuesOf(leakyRelu(far, 0))).toEqual([1e30, -0, inf, 0]);
    expect(valuesOf(hardSwish(far))).toEqual([1e30, -0, inf, 0]);
    expect(slopes((x) => elu(x!), [1e30, -inf, inf])).toEqual([[1, 0, 1]]);
    expect(slopes((x) => logSigmoid(x!), [1e30, -1e30])).toEqual([[0, 1]]);
  });

  it('square and reciprocal are a product and a quotient', () => {
    expect(valuesOf(square(tensor([-3, 0.5])))).toEqual([9, 0.25]);
    expect(valuesOf(reciprocal(tensor([-4, 0, -0])))).toEqual([-0.25, inf, -inf]);
    expect(reciprocal(tensor(Int32Array.of(2))).type.dtype).toBe('float64');
  });

  it('a rounding carries no tangent and where is select', () => {
    expect(slopes((x) => add(x!, mul(round(x!), 3)), [0.3, 2.5])).toEqual([[1, 1]]);
    expect(evaluate(jvp((x: F64) => floor(abs(x)) as unknown as F64, [1.5], [1]), engine).map((x) => x.item())).toEqual([1, 0]);
    expect(valuesOf(where(tensor([true, false]), tensor([1, 2]), 7))).toEqual([1, 7]);
  });
});
