import { AdContext, add, allSteps, type CallStep, conj, createCatalog, exp, iotaBeside, less, log, matmul, mul, type Operand, padToMatch, real, select, slice, sum, swapaxes, tensor } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { cond, eig, eigh, eigvals, eigvalsh, linalgExtension, lstsq, matrixLog, matrixNorm, matrixSqrt, type MatrixOrder, orth, pinv, polar, svd, svdvals, sylvester, truncatedSvd } from '@tf/linalg';
import { compile, evaluate, grad, input, type TracedTensor, vmap } from '@tf/traced';
import { describe, expect, test } from 'vitest';
import { countingEngine } from './counting-engine.ts';

type F64 = TracedTensor<'float64'>;
type OfOne = (x: F64) => F64;
type Loss = (x: Operand) => Operand;
type Numbers = readonly number[];

const { engine, runs } = await countingEngine();
const context = new AdContext({ catalog: createCatalog([linalgExtension]) });

const flat = (value: { toArray(): unknown }): Numbers => [value.toArray()].flat(3) as Numbers;
const data = tensor([[2, 0.5, -0.25], [0.3, 1, 0.75], [-0.5, 0.2, 3]]);
const weights = tensor([[1, 2, -1], [0.5, -0.25, 3], [2, 1, -2]]);
const weighted = (y: Operand): Operand => sum(mul(y, weights) as Operand) as Operand;
const transposed = (v: Operand): Operand => swapaxes(v, -1, -2) as Operand;
const leading = (u: Operand, count: number): Operand => {
  const columns = slice(u, [0, 0], [3, count]) as Operand;
  return matmul(columns, transposed(columns)) as Operand;
};
const hermitian = (x: Operand): Operand => mul(add(x, transposed(x)) as Operand, 0.5) as Operand;

/** The kernels that a plan calls, in order. */
function calledBy(f: Loss | OfOne, shape: readonly number[] = [3, 3]): readonly string[] {
  const { plan } = compile({ y: (f as OfOne)(input('x', { shape }) as F64) }, { engine });
  return allSteps(plan.steps).flatMap((step) => (step.kind === 'call' ? [(step as CallStep).symbol.split('.').at(-2) as string] : []));
}

/** The kernels that ran during a call, with how often. */
function runsOf(run: () => void): Readonly<Record<string, number>> {
  runs.clear();
  run();
  return Object.fromEntries([...runs].sort());
}

const losses: readonly (readonly [string, Loss])[] = [
  ['singular values', (x) => sum(mul(svdvals(x), svdvals(x)) as Operand) as Operand],
  ['a projector of svd', (x) => weighted(leading(svd(x).u as Operand, 2))],
  ['a function of a symmetric matrix', (x) => { const { values, vectors } = eigh(hermitian(x)); return weighted(matmul(mul(vectors, exp(values)) as Operand, transposed(vectors as Operand)) as Operand); }],
  ['eigenvalues', (x) => sum(real(mul(eigvals(x), eigvals(x)) as Operand)) as Operand],
  ['moduli of eigenvectors', (x) => { const { vectors } = eig(x); return weighted(real(mul(conj(vectors), vectors) as Operand) as Operand); }],
  ['a pseudoinverse', (x) => weighted(pinv(x) as Operand)],
  ['least squares', (x) => { const { x: y, residuals } = lstsq(slice(x, [0, 0], [3, 2]), slice(x, [0, 2], [3, 3])); return add(sum(y), sum(residuals)) as Operand; }],
  ['an equation', (x) => weighted(sylvester(x, x, weights) as Operand)],
  ['a root', (x) => weighted(real(matrixSqrt(add(x, tensor([[4, 0, 0], [0, 4, 0], [0, 0, 4]])))) as Operand)],
  ['an orthogonal factor', (x) => weighted(polar(x).u as Operand)],
  ['a nuclear norm', (x) => matrixNorm(x, { ord: 'nuc' }) as Operand],
];

describe.each(losses)('%s', (_name, f) => {
  test('has gradients of two orders traced and eager, of one value', () => {
    const runtime = new EagerRuntime({ context });
    const x = runtime.variable(data);
    const eager = runtime.session(engine, () => {
      const y = f(x) as typeof x;
      const g = runtime.grad(y, x);
      return [y, g, runtime.grad(sum(mul(g, weights)), x)].map(flat);
    });
    const df = grad(f as unknown as OfOne, { context });
    const traced = evaluate([f(data) as F64, df(data), grad(((z: F64) => sum(mul(df(z), weights))) as OfOne, { context })(data)], engine).map((value) => flat(value!));
    // Values may come of another algorithm where vectors are not formed, so last digits may differ.
    eager.forEach((values, order) => values.forEach((value, at) => expect(traced[order]?.[at]).toBeCloseTo(value, 9)));
  });
});

describe('what is not read is not formed', () => {
  test('values alone, left or right vectors alone', () => {
    expect(calledBy((x: Operand) => svd(x).s as Operand)).toEqual(['svdvals']);
    expect(calledBy((x: Operand) => leading(svd(x).u as Operand, 1))).toEqual(['svdLeft']);
    expect(calledBy((x: Operand) => svd(x).vh as Operand)).toEqual(['svdRight']);
    expect(calledBy((x: Operand) => eigh(x).values as Operand)).toEqual(['eigvalsh']);
    expect(calledBy((x: Operand) => real(eig(x).values) as Operand)).toEqual(['eigvals']);
    expect(calledBy((x: Operand) => { const { u, s, vh } = svd(x); return add(matmul(u, vh), sum(s)) as Operand; })).toEqual(['svd']);
  });

  test('values beside vectors come from one decomposition', () => {
    expect(calledBy((x: Operand) => { const { u } = svd(x); return add(u, sum(svdvals(x))) as Operand; })).toEqual(['svdLeft']);
    expect(calledBy((x: Operand) => { const { u, vh } = svd(x); return add(matmul(u, vh), sum(svdvals(x))) as Operand; })).toEqual(['svd']);
    expect(calledBy((x: Operand) => { const { u } = svd(x, { vectors: 'left' }); return add(matmul(u, svd(x, { vectors: 'right' }).vh), sum(svd(x).s)) as Operand; })).toEqual(['svd']);
    expect(calledBy((x: Operand) => { const { vectors } = eigh(x); return add(vectors, sum(eigvalsh(x))) as Operand; })).toEqual(['eigh']);
  });

  test('derivatives of values decompose once, with vectors', () => {
    const gradientOf = (f: Loss): OfOne => grad(f as unknown as OfOne, { context });
    expect(calledBy(gradientOf((x) => sum(mul(svdvals(x), svdvals(x)) as Operand) as Operand))).toEqual(['svd']);
    expect(calledBy(gradientOf((x) => sum(log(svd(x).s) as Operand) as Operand))).toEqual(['svd']);
    expect(calledBy(gradientOf((x) => sum(mul(eigvalsh(x), eigvalsh(x)) as Operand) as Operand))).toEqual(['eigh']);
    expect(calledBy(gradientOf((x) => weighted(pinv(x) as Operand)))).toEqual(['svd']);
    expect(calledBy(gradientOf((x) => weighted(sylvester(x, x, weights) as Operand)))).toEqual(['schur', 'triangularSylvester', 'triangularSylvester']);
  });

  test('so they do in eager mode, where only what is asked for runs', () => {
    const runtime = new EagerRuntime({ context });
    const backward = (f: Loss): Readonly<Record<string, number>> => runsOf(() => runtime.session(engine, () => runtime.backward(f(runtime.variable(data)) as never)));
    expect(backward((x) => sum(svdvals(x)) as Operand)).toEqual({ svd: 1 });
    expect(backward((x) => sum(mul(svd(x, { vectors: 'right' }).vh, weights) as Operand) as Operand)).toEqual({ svd: 1 });
    expect(backward((x) => sum(eigvalsh(x)) as Operand)).toEqual({ eigh: 1 });
    expect(backward((x) => sum(real(eigvals(x))) as Operand)).toEqual({ distinct: 1, eig: 1, lu: 1, luSolve: 1 });
    // After eigenvalues alone, which another operation computes that keeps less of itself, vectors are not computed twice.
    expect(backward((x) => weighted(eigh(x).vectors as Operand))).toEqual({ eigh: 1 });
    expect(backward((x) => { const { u, vh } = svd(x); return weighted(matmul(u, vh) as Operand); })).toEqual({ svd: 1 });
    expect(runsOf(() => runtime.session(engine, () => flat(svdvals(runtime.constant(data)))))).toEqual({ svdvals: 1 });
    expect(runsOf(() => runtime.session(engine, () => flat(svd(runtime.constant(data), { vectors: 'left' }).u)))).toEqual({ svdLeft: 1 });
  });
});

describe('truncation at run time', () => {
  const x = (seed: number): Operand => tensor(Array.from({ length: 6 }, (_, i) => Array.from({ length: 5 }, (__, j) => Math.sin(seed + 3 * i + 7 * j * j) + (i === j ? 2 : 0))));
  const wide = tensor(Array.from({ length: 6 }, (_, i) => Array.from({ length: 5 }, (__, j) => Math.cos(1 + i * j))));
  const product = ({ u, s, vh }: Readonly<Record<'u' | 's' | 'vh', unknown>>): Operand => matmul(mul(u as Operand, s as Operand) as Operand, vh as Operand) as Operand;
  const cut = (a: Operand, rtol: number): Operand => sum(mul(product(truncatedSvd(a, { rtol })), wide) as Operand) as Operand;

  /** The same with all columns, those cut off being masked. */
  function masked(a: Operand, rtol: number): Operand {
    const { u, s, vh } = svd(a);
    const stays = less(iotaBeside('masked', a, 5), truncatedSvd(a, { rtol }).rank);
    return sum(mul(product({ u, s: select(stays, s as Operand, 0), vh }), wide) as Operand) as Operand;
  }

  test('has the value and the gradient of the masked form, for every rank', () => {
    const ranks = new Set<number>();
    for (const rtol of [0, 0.2, 0.4, 0.6, 0.8, 0.99, 1]) {
      const a = input('a', { shape: [6, 5] });
      const [one, two] = [cut(a, rtol) as F64, masked(a, rtol) as F64];
      const run = compile({ one, two, done: one.grad(a, { context }), wanted: two.grad(a, { context }), rank: truncatedSvd(a, { rtol }).rank }, { engine });
      const found = run({ a: x(1) });
      ranks.add(found.rank.item());
      expect(found.one.item()).toBeCloseTo(found.two.item(), 12);
      const wanted = flat(found.wanted);
      flat(found.done).forEach((value, at) => expect(Math.abs(value - (wanted[at] as number))).toBeLessThan(1e-8));
    }
    expect(ranks.size).toBeGreaterThan(3);
  });

  test('is compiled once for all ranks', () => {
    const a = input('a', { shape: [6, 5] });
    const kept = truncatedSvd(a, { maxRank: input('k', { dtype: 'int32' }) });
    const loss = sum(mul(product(kept), wide) as Operand) as F64;
    const run = compile({ loss, gradient: loss.grad(a, { context }), rank: kept.rank }, { engine });
    const before = engine.stats().modulesCompiled;
    const found = [0, 1, 2, 3, 4, 5, 9].map((k) => run({ a: x(2), k }).rank.item());
    expect(found).toEqual([0, 1, 2, 3, 4, 5, 5]);
    expect(engine.stats().modulesCompiled - before).toBeLessThanOrEqual(1);
  });

  test('by weight goes what is light together', () => {
    const diagonal = tensor([[4, 0, 0], [0, 2, 0], [0, 0, 1]]);
    const of = (discardedWeight: number): readonly unknown[] => {
      const { rank, discardedWeight: gone } = truncatedSvd(input('x', { shape: [3, 3] }), { discardedWeight });
      const found = compile({ rank, gone }, { engine })({ x: diagonal });
      return [found.rank.item(), found.gone.item()];
    };
    expect(of(0)).toEqual([3, 0]);
    expect(of(1 / 21 + 1e-12)).toEqual([2, expect.closeTo(1 / 21, 14)]);
    expect(of(5 / 21 - 1e-12)).toEqual([2, expect.closeTo(1 / 21, 14)]);
    expect(of(5 / 21 + 1e-12)).toEqual([1, expect.closeTo(5 / 21, 14)]);
    expect(of(1)).toEqual([0, 1]);
  });

  test('what is not a number is not cut off', () => {
    const unclear = tensor([[NaN, 0], [0, 0]]);
    const a = input('a', { shape: [2, 2] });
    const { rank, s } = truncatedSvd(a, { rtol: 0.1, atol: 0.1, discardedWeight: 0.1 });
    const found = compile({ rank, s, basis: orth(a) }, { engine })({ a: unclear });
    expect([found.rank.item(), flat(found.s), flat(found.basis)]).toEqual([2, [NaN, NaN], [NaN, NaN, NaN, NaN]]);
    expect(compile({ rank }, { engine })({ a: tensor([[0, 0], [0, 0]]) }).rank.item()).toBe(0);
  });

  test('what was cut off can come back as zeros', () => {
    const f = ((a: F64) => sum(padToMatch(truncatedSvd(a, { maxRank: 1 }).s, tensor([0, 0, 0])))) as OfOne;
    expect(flat(evaluate(grad(f, { context })(tensor([[3, 0, 0], [0, 2, 0], [0, 0, 1]])), engine))).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

test('over a batch the kernels run once', () => {
  const batch = tensor([[[2, 1], [1, 3]], [[1, 0], [0, 1]], [[0, 1], [-1, 0]]]);
  const f = (a: F64): F64 => sum(mul(svd(a).s, svd(a).s)) as F64;
  const found = runsOf(() => expect(flat(evaluate(vmap(f, { context })(batch as never), engine)).map((value) => Math.round(value * 1e9) / 1e9)).toEqual([15, 2, 2]));
  expect(found).toEqual({ svdvals: 1 });
});

test.each<MatrixOrder>(['fro', 'nuc', 1, -1, Infinity, -Infinity])('of a batch the condition in the norm %s is infinite where a matrix is singular, and that alone', (ord) => {
  const regular = tensor([[1, 2], [3, 4]]);
  const batch = tensor([[[1, 2], [2, 4]], [[1, 2], [3, 4]], [[0, 0], [0, 0]]]);
  const of = (a: F64): F64 => cond(a, { ord }) as F64;
  expect(flat(evaluate(of(batch as never), engine))).toEqual([Infinity, evaluate(of(regular as never), engine).item(), Infinity]);
  const share = ((a: F64) => sum(mul(of(a), tensor([1, 1, 1])))) as OfOne;
  expect(flat(evaluate(grad(share, { context })(batch), engine))).toEqual([0, 0, 0, 0, ...flat(evaluate(grad(of as OfOne, { context })(regular), engine)), 0, 0, 0, 0]);
});

test.each<readonly [string, Loss]>([
  ['eigenvalues', (x) => sum(real(mul(eigvals(x), eigvals(x)) as Operand)) as Operand],
  ['a logarithm', (x) => sum(real(matrixLog(x) as Operand)) as Operand],
])('%s have gradients where rows and columns are two symbols', (_name, f) => {
  const x = input('x', { shape: ['m', 'n'] });
  const { gradient } = compile({ gradient: (f(x) as F64).grad(x, { context }) }, { engine })({ x: data });
  expect(flat(gradient)).toEqual(flat(evaluate(grad(f as unknown as OfOne, { context })(data), engine)));
});
