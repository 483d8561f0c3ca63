/** Derivatives where spectra are degenerate: against differences, exact values, and each other. */
import { AdContext, add, createCatalog, mul, type Operand, real, slice, sum, tensor, type Var } from '@tf/core';
import { createRandom, type HostValue, hostValue, interpretProgram, programOf, vjpProgram } from '@tf/testkit';
import { describe, expect, test } from 'vitest';
import { referenceOperations } from './reference.testing.ts';
import { adjoint, scaleColumns, times } from './src/algebra.ts';
import { eigh, eigvals, linalgExtension, polar, svd, svdFull, type SvdOptions } from './src/index.ts';
import { linalgHost } from './src/modules/host.ts';

const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
const operations = referenceOperations(linalgExtension.operations, linalgHost());

type Function = (x: Operand) => Operand;

/** A loss that weighs every element differently. */
function weighted(y: Operand): Operand {
  const [rows, columns] = y.type.shape as readonly [number, number];
  const weights = Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => Math.sin(1 + 3 * i + 7 * j)));
  return sum(mul(y, tensor(weights)) as Operand) as Operand;
}

function matrix(rows: readonly (readonly number[])[]): HostValue {
  return hostValue('float64', [rows.length, rows[0]?.length ?? 0], rows.flat());
}

function gradient(f: Function, x: HostValue): readonly number[] {
  const program = programOf((v) => f(v as Operand) as Var, [x.type]);
  const [result] = interpretProgram(vjpProgram(context, program, [0]), [x, hostValue('float64', [], [1])], { operations });
  return Array.from(result?.data as Float64Array);
}

function differences(f: Function, x: HostValue, step = 1e-5): readonly number[] {
  const program = programOf((v) => f(v as Operand) as Var, [x.type]);
  const at = (index: number, t: number): number => {
    const moved = Float64Array.from(x.data as Float64Array);
    moved[index] = (moved[index] as number) + t;
    return Number(interpretProgram(program, [{ ...x, data: moved }], { operations })[0]?.data[0]);
  };
  return Array.from(x.data as Float64Array, (_, index) => (at(index, step) - at(index, -step)) / (2 * step));
}

function farthest(a: readonly number[], b: readonly number[]): number {
  return a.reduce((most, value, at) => Math.max(most, Math.abs(value - (b[at] as number))), a.length === b.length ? 0 : Infinity);
}

/** The projector on the first columns. */
function projector(u: Operand, count: number): Operand {
  const columns = slice(u, [0, 0], [u.type.shape[0] as number, count]) as Operand;
  return times(columns, adjoint(columns));
}

const leftProjector = (count: number, options: SvdOptions = {}): Function => (x) => weighted(projector((svd(x, options) as { readonly u: Operand }).u, count));

/** Q of a random matrix, by Gram and Schmidt twice. */
function orthogonal(n: number, seed: number): readonly (readonly number[])[] {
  const random = createRandom(seed);
  const columns: number[][] = [];
  for (let j = 0; j < n; j++) {
    const column = Array.from({ length: n }, () => random() * 2 - 1);
    for (let pass = 0; pass < 2; pass++) for (const other of columns) {
      const share = other.reduce((total, value, i) => total + value * (column[i] as number), 0);
      other.forEach((value, i) => (column[i] = (column[i] as number) - share * value));
    }
    const length = Math.hypot(...column);
    columns.push(column.map((value) => value / length));
  }
  return columns;
}

/** Σ sᵢ uᵢ vᵢᵀ. */
function withValues(s: readonly number[], seed: number): HostValue {
  const [u, v] = [orthogonal(s.length, seed), orthogonal(s.length, seed + 1000)];
  return matrix(s.map((_, i) => s.map((__, j) => s.reduce((total, value, k) => total + value * (u[k]?.[i] as number) * (v[k]?.[j] as number), 0))));
}

const rankTwo = matrix([[2, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]]);
const doubled = matrix([[2, 0, 0], [0, 2, 0], [0, 0, 1]]);
const seeds = Array.from({ length: 40 }, (_, seed) => seed + 1);

describe('singular vectors', () => {
  test('the projector on the vectors of a rank-deficient tall matrix has the gradient of differences', () => {
    const rightProjector: Function = (x) => weighted(projector(adjoint(svd(x).vh as Operand), 2));
    expect(farthest(gradient(leftProjector(2), rankTwo), differences(leftProjector(2), rankTwo))).toBeLessThan(1e-9);
    expect(farthest(gradient(rightProjector, rankTwo), differences(rightProjector, rankTwo))).toBeLessThan(1e-9);
  });

  test('what is cut across a pair is right, what cuts the pair is finite', () => {
    for (const x of [doubled, ...seeds.map((seed) => withValues([2, 2, 1], seed))]) {
      expect(farthest(gradient(leftProjector(2), x), differences(leftProjector(2), x))).toBeLessThan(1e-8);
      expect(gradient(leftProjector(1), x).every((value) => Number.isFinite(value) && Math.abs(value) < 10)).toBe(true);
    }
  });

  test('pairs that are close, but not equal, leave what does not cut them right', () => {
    for (const gap of [1e-14, 1e-13, 1e-12, 1e-11, 1e-9, 1e-6]) {
      const x = withValues([2 + gap, 2, 1], 7);
      const [got, wanted] = [gradient(leftProjector(2), x), differences(leftProjector(2), x)];
      expect(farthest(got, wanted)).toBeLessThan(1e-3 * 1e-12 / Math.max(gap, 1e-12) + 1e-8);
    }
  });

  test('broadening makes ĝ/(ĝ² + ε²) of the inverse gaps and sums', () => {
    const x = matrix([[2, 0], [0, 1]]);
    const [sharp, broad] = [gradient(leftProjector(1, { derivativeEps: 0 }), x), gradient(leftProjector(1, { derivativeEps: 0.5 }), x)];
    // Ω_U,21 = (E/2)(dA₂₁ + dA₁₂) + (G/2)(dA₂₁ − dA₁₂): with s = (2, 1) E = 1 and G = 1/3; ĝ = (4 − 1)/4, and (2 + 1)/2 of the sum.
    const [gap, sum] = [1.5 * (0.75 / (0.75 ** 2 + 0.25)) / 2, 1.5 / (1.5 ** 2 + 0.25) / 2];
    expect(broad[1]).toBeCloseTo(((sharp[1] as number) / (1 - 1 / 3)) * (gap - sum), 12);
    expect(broad[2]).toBeCloseTo(((sharp[2] as number) / (1 + 1 / 3)) * (gap + sum), 12);
  });

  test('beyond the values the span of the vectors has the gradient of differences', () => {
    const x = matrix([[2, 0.5], [0.1, 1], [0.3, -0.2], [0.7, 0.4]]);
    const rest: Function = (a) => weighted(times(slice(svdFull(a).u as Operand, [0, 2], [4, 4]) as Operand, adjoint(slice(svdFull(a).u as Operand, [0, 2], [4, 4]) as Operand)));
    expect(farthest(gradient(rest, x), differences(rest, x))).toBeLessThan(1e-9);
  });

  test('the orthogonal factor sees no equal values', () => {
    const f: Function = (a) => weighted(polar(a).u as Operand);
    for (const x of [...seeds.map((seed) => withValues([1, 1, 1], seed)), withValues([3, 3, 1], 5), matrix([[0, 2], [-2, 0]])]) expect(farthest(gradient(f, x), differences(f, x))).toBeLessThan(1e-8);
  });

  test('functions of all values and vectors that meet a zero are finite', () => {
    const f: Function = (a) => {
      const { u, s, vh } = svd(a) as unknown as Record<'u' | 's' | 'vh', Operand>;
      return weighted(times(scaleColumns(u, s), vh));
    };
    for (const x of [rankTwo, matrix([[0, 0], [0, 0], [0, 0]]), matrix([[1, 1], [1, 1]])]) expect(gradient(f, x).every(Number.isFinite)).toBe(true);
  });
});

describe('eigenvectors', () => {
  const hermitian = (count: number): Function => (x) => {
    const h = mul(add(x, adjoint(x)) as Operand, 0.5) as Operand;
    return weighted(projector(eigh(h).vectors as Operand, count));
  };

  test('what is cut across a pair is right, what cuts the pair is finite', () => {
    for (const x of [matrix([[1, 0, 0], [0, 1, 0], [0, 0, 3]]), matrix([[0, 0, 0], [0, 0, 0], [0, 0, 5]])]) {
      expect(farthest(gradient(hermitian(2), x), differences(hermitian(2), x))).toBeLessThan(1e-8);
      expect(gradient(hermitian(1), x).every((value) => Number.isFinite(value) && Math.abs(value) < 10)).toBe(true);
    }
    expect(gradient(hermitian(2), matrix([[0, 0, 0], [0, 0, 0], [0, 0, 0]]))).toEqual(new Array<number>(9).fill(0));
  });

  test('one triangle is read, and the gradient is symmetric', () => {
    const x = matrix([[2, 100], [1, 3]]);
    const f: Function = (a) => slice(eigh(a).values as Operand, [1], [2]) as Operand;
    const [a, b, c, d] = gradient((y) => sum(f(y)) as Operand, x);
    expect(b).toBe(c);
    // v vᵀ of the largest eigenvalue of [[2, 1], [1, 3]].
    const w = (5 + Math.sqrt(5)) / 2;
    const v = [1, w - 2].map((value) => value / Math.hypot(1, w - 2)) as [number, number];
    expect(farthest([a as number, b as number, c as number, d as number], [v[0] * v[0], v[0] * v[1], v[0] * v[1], v[1] * v[1]])).toBeLessThan(1e-14);
  });
});

test('a defective matrix has no derivative of eigenvalues, and says so; others have', () => {
  const traceOf: Function = (a) => real(sum(eigvals(a)) as Operand) as Operand;
  expect(() => gradient(traceOf, matrix([[1, 1], [0, 1]]))).toThrow(/element 0: two of its singular values or eigenvalues are numerically equal/);
  expect(farthest(gradient(traceOf, matrix([[1, 2], [3, 4]])), [1, 0, 0, 1])).toBeLessThan(1e-14);
  expect(farthest(gradient(traceOf, matrix([[3, 0], [0, 3]])), [1, 0, 0, 1])).toBeLessThan(1e-14);
});

describe('onDegenerate: throw', () => {
  const refusal = /numerically equal/;

  test('the run that needs derivatives of vectors of equal values fails and names the element', () => {
    expect(() => gradient(leftProjector(1, { onDegenerate: 'throw' }), doubled)).toThrow(/element 0: two of its singular values/);
    expect(() => gradient(leftProjector(2, { onDegenerate: 'throw' }), rankTwo)).toThrow(refusal);
    expect(() => gradient((x) => weighted(eigh(x, { onDegenerate: 'throw' }).vectors as Operand), matrix([[1, 0], [0, 1]]))).toThrow(refusal);
  });

  test('where all differ, or only values are differentiated, it changes nothing', () => {
    const x = matrix([[2, 0.1, 0], [0, 1, 0.3], [0.2, 0, 0.4]]);
    expect(gradient(leftProjector(1, { onDegenerate: 'throw' }), x)).toEqual(gradient(leftProjector(1), x));
    expect(gradient((a) => sum(svd(a, { onDegenerate: 'throw' }).s as Operand) as Operand, doubled)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });
});
