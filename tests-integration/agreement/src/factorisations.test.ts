import { AdContext, add, createCatalog, matmul, mul, type Operand, sum, swapaxes, tensor } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { cholesky, choleskySolve, cross, det, fullPivLu, fullPivLuSolve, householderQr, inv, linalgExtension, logdet, lu, matrixExp, matrixPower, multiDot, qr, rankRevealingQr, slogdet, solve, triangularSolve, vander } from '@tf/linalg';
import { evaluate, grad, type TracedTensor, vmap } from '@tf/traced';
import { describe, expect, test } from 'vitest';
import { countingEngine } from './counting-engine.ts';

type F64 = TracedTensor<'float64'>;
type OfOne = (x: F64) => F64;
type Loss = (x: Operand) => Operand;

const { engine, runs } = await countingEngine();
const context = new AdContext({ catalog: createCatalog([linalgExtension]) });

const flat = (value: { toArray(): unknown }): readonly number[] => [value.toArray()].flat(3) as readonly number[];
const data = tensor([[2, 0.5, -0.25], [0.3, 1, 0.75], [-0.5, 0.2, 3]]);
const weights = tensor([[1, 2, -1], [0.5, -0.25, 3], [2, 1, -2]]);
const sides = tensor([[1, -2], [0.5, 3], [2, 1]]);
const added = (...values: readonly unknown[]): Operand => (values as readonly Operand[]).reduce((one, two) => add(one, two) as Operand);
const total = (...values: readonly unknown[]): Operand => added(...values.map((y) => sum(mul(y as Operand, y as Operand) as Operand)));
const weighted = (y: unknown): Operand => sum(mul(y as Operand, weights) as Operand) as Operand;
const definite = (x: Operand): Operand => matmul(x, swapaxes(x, -1, -2)) as Operand;

function runsOf(run: () => void): Readonly<Record<string, number>> {
  runs.clear();
  run();
  return Object.fromEntries([...runs].sort());
}

const losses: readonly (readonly [string, Loss])[] = [
  ['a solution', (x) => total(solve(x, sides))],
  ['a solution by complete pivoting', (x) => total(fullPivLuSolve(x, sides))],
  ['an inverse', (x) => weighted(inv(x))],
  ['a determinant', (x) => det(x) as Operand],
  ['logarithms of determinants', (x) => added(slogdet(x).logabsdet, logdet(definite(x)))],
  ['LU factors', (x) => { const { l, u } = lu(x); return added(weighted(l), weighted(u)); }],
  ['LU factors by complete pivoting', (x) => { const { l, u } = fullPivLu(x); return added(total(l), total(u)); }],
  ['a Cholesky factor', (x) => weighted(cholesky(definite(x)))],
  ['a solution by a Cholesky factor', (x) => total(choleskySolve(cholesky(definite(x)), sides))],
  ['a triangular solution', (x) => total(triangularSolve(x, sides, { upper: true }))],
  ['QR factors', (x) => { const { q, r } = qr(x); return added(weighted(q), total(r)); }],
  ['appended columns', (x) => { const state = householderQr(sides).append(x); return added(total(state.r()), weighted(state.qColumns())); }],
  ['an exponential', (x) => weighted(matrixExp(x))],
  ['a power', (x) => weighted(matrixPower(x, -3))],
  ['products', (x) => added(total(multiDot([x, sides, swapaxes(sides, -1, -2) as Operand])), total(cross(x, weights)), total(vander(x, { n: 4 })))],
];

describe.each(losses)('%s', (_name, f) => {
  test('has the same value and gradients of two orders, to the bit, traced and eager', () => {
    const runtime = new EagerRuntime({ context });
    const x = runtime.variable(data);
    const eager = runtime.session(engine, () => {
      const y = f(x) as typeof x;
      const g = runtime.grad(y, x);
      return [y, g, runtime.grad(sum(mul(g, weights)), x)].map(flat);
    });
    const df = grad(f as unknown as OfOne, { context });
    const traced = evaluate([f(data) as F64, df(data), grad(((z: F64) => sum(mul(df(z), weights))) as OfOne, { context })(data)], engine).map((value) => flat(value!));
    expect(traced).toEqual(eager);
  });
});

describe('a matrix is factored once', () => {
  const backward = (f: Loss): Readonly<Record<string, number>> => {
    const runtime = new EagerRuntime({ context });
    return runsOf(() => runtime.session(engine, () => runtime.backward(f(runtime.variable(data)) as never)));
  };

  test('for a value and its gradient in eager mode', () => {
    expect(backward((x) => total(solve(x, sides)))).toEqual({ lu: 1, luSolve: 2 });
    expect(backward((x) => weighted(inv(x)))).toEqual({ lu: 1, luSolve: 2 });
    expect(backward((x) => slogdet(x).logabsdet as Operand)).toEqual({ lu: 1, luSolve: 1 });
    expect(backward((x) => det(x) as Operand)).toEqual({ cofactor: 1, lu: 1 });
    expect(backward((x) => weighted(cholesky(definite(x))))).toEqual({ cholesky: 1, triangularSolve: 2 });
    expect(backward((x) => weighted(qr(x).q))).toEqual({ qr: 1, triangularSolve: 1 });
  });

  test('for a value, its gradient and the determinant of the same matrix, traced', () => {
    const f = ((x: F64) => added(total(solve(x, sides)), slogdet(x).logabsdet) as F64) as OfOne;
    expect(runsOf(() => evaluate([f(data as unknown as F64), grad(f, { context })(data)], engine))).toEqual({ lu: 1, luSolve: 3 });
  });

  test('over a batch the kernels run once', () => {
    const batch = tensor([[[2, 1], [1, 3]], [[1, 0], [0, 4]], [[0, 1], [-1, 0]]]);
    const f = (a: F64): F64 => sum(solve(a, tensor([1, 2]))) as F64;
    expect(runsOf(() => expect(flat(evaluate(vmap(f, { context })(batch as never), engine)).map((value) => Math.round(value * 1e12) / 1e12)).toEqual([0.8, 1.5, -1]))).toEqual({ lu: 1, luSolve: 1 });
  });
});

test('a choice of columns has no derivative, and a singular matrix no inverse', () => {
  expect(() => grad(((x: F64) => sum(rankRevealingQr(x).r)) as OfOne, { context })(data)).toThrow(/which column comes next is a discontinuous choice/);
  const runtime = new EagerRuntime({ context });
  expect(() => runtime.session(engine, () => flat(inv(runtime.constant(tensor([[1, 2], [2, 4]])))))).toThrow(expect.objectContaining({ name: 'LinalgError', fields: expect.objectContaining({ batchIndex: 0 }) as unknown }));
});

test('the sign of a singular matrix is 0, never −0', () => {
  // Rows exchanged and a negative pivot before the one that is 0.
  for (const rows of [[[0, 0], [-1, 2]], [[0, 0], [1, 2]], [[-1, 2], [-2, 4]], [[0, 0], [0, 0]]]) {
    const { sign, logabsdet } = slogdet(tensor(rows));
    expect([evaluate(sign, engine).item(), evaluate(logabsdet, engine).item()]).toEqual([0, -Infinity]);
  }
});
