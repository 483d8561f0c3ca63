/** How often matrices are factored, what is refused, sizes that are bound late, and what other libraries got wrong. */
import { AdContext, allSteps, Builder, type BoundInput, compileProgram, createCatalog, type Dim, type DType, type EngineInput, type HostForm, hostForm, mul, type Operand, type Plan, type Program, sum, symbolicDim, tensorType, type Var } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { type HostValue, hostValue, interpretProgram, jvpProgram, programOf, type VarFunction, vjpProgram } from '@tf/testkit';
import { describe, expect, it, test } from 'vitest';
import { referenceOperations } from './reference.testing.ts';
import { cholesky, choleskySolve, cross, det, fullPivLu, fullPivLuSolve, HouseholderQr, householderQr, inv, linalgExtension, logdet, lu, matrixExp, matrixPower, multiDot, qr, rankRevealingQr, slogdet, solve, tensorinv, tensorsolve, triangularSolve, vander } from './src/index.ts';
import { linalgHost } from './src/modules/host.ts';

const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
const operations = referenceOperations(linalgExtension.operations, linalgHost());
const engine = await createEngine({ modules: [linalgHost()] });
const f64 = (...shape: readonly Dim[]): ReturnType<typeof tensorType> => tensorType('float64', shape);
const builder = new Builder();
const parameter = (dtype: DType, ...shape: readonly Dim[]): Operand => builder.input(tensorType(dtype, shape), 'x');

const planOf = (program: Program): Plan => compileProgram(program, { kernels: engine.kernels! });

/** How often each kernel is called. */
function callsOf(program: Program): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const step of allSteps(planOf(program).steps)) if (step.kind === 'call') counts[step.symbol.split('.')[3]!] = (counts[step.symbol.split('.')[3]!] ?? 0) + 1;
  return counts;
}

type OfMatrix = (a: Operand, b: Operand) => unknown;
const asFunction = (f: OfMatrix): VarFunction => (a, b) => f(a as Operand, b as Operand) as Var;
const gradientOf = (f: OfMatrix): Program => vjpProgram(context, programOf(asFunction(f), [f64(4, 4), f64(4, 2)]), [0, 1]);
const alongOf = (f: OfMatrix): Program => {
  const gradient = gradientOf(f);
  return jvpProgram(context, gradient, [0, 1]);
};

describe('one factorisation', () => {
  it.each<readonly [string, OfMatrix, gradient: Readonly<Record<string, number>>]>([
    ['solve', (a, b) => solve(a, b), { lu: 1, luSolve: 2 }],
    ['inv', (a) => inv(a), { lu: 1, luSolve: 2 }],
    ['slogdet', (a) => slogdet(a).logabsdet, { lu: 1, luSolve: 1 }],
    ['logdet', (a) => logdet(a), { lu: 1, luSolve: 1 }],
    ['det', (a) => det(a), { lu: 1, cofactor: 1 }],
    ['det, logdet and two solves of one matrix', (a, b) => sum(mul(mul(det(a), logdet(a)), solve(a, solve(a, b)))), { lu: 1, luSolve: 5, cofactor: 1 }],
    ['fullPivLuSolve', (a, b) => fullPivLuSolve(a, b), { luFullPivot: 1, triangularSolve: 4 }],
    ['cholesky', (a) => cholesky(a), { cholesky: 1, triangularSolve: 2 }],
    ['choleskySolve', (a, b) => choleskySolve(cholesky(a), b), { cholesky: 1, triangularSolve: 6 }],
    ['qr', (a) => { const { q, r } = qr(a); return mul(q, r); }, { qr: 1, triangularSolve: 1 }],
    ['R', (a) => qr(a).r, { qr: 1, triangularSolve: 1 }],
    ['lu', (a) => { const { l, u } = lu(a); return mul(l, u); }, { lu: 1, triangularSolve: 2 }],
    ['columns appended', (a, b) => householderQr(b).append(a).r(), { householder: 2, householderApply: 2, triangularSolve: 1 }],
  ])('serves the gradient of %s', (_name, f, gradient) => {
    expect(callsOf(gradientOf(f))).toEqual(gradient);
  });

  it.each<readonly [string, OfMatrix, string]>([
    ['solve', (a, b) => solve(a, b), 'lu'], ['inv', (a) => inv(a), 'lu'], ['slogdet', (a) => slogdet(a).logabsdet, 'lu'], ['cholesky', (a) => cholesky(a), 'cholesky'], ['qr', (a) => qr(a).q, 'qr'],
  ])('serves second derivatives of %s too', (_name, f, kernel) => {
    expect(callsOf(alongOf(f))[kernel]).toBe(1);
  });

  it('does not form Q where only R is read, nor where columns are appended', () => {
    expect(callsOf(programOf(asFunction((a) => qr(a).r), [f64(4, 4)]))).toEqual({ qrUpper: 1 });
    expect(callsOf(programOf(asFunction((a) => qr(a).q), [f64(4, 4)]))).toEqual({ qr: 1 });
    expect(callsOf(programOf(asFunction((a, b) => householderQr(a).append(b).r()), [f64(4, 2), f64(4, 2)]))).toEqual({ householder: 2, householderApply: 1 });
  });
});

/** A bound number, or the data of a host tensor. */
function boundInput({ variable, value }: BoundInput): EngineInput {
  if (typeof value === 'number') return value;
  return { data: (hostForm(value as Operand) as Extract<HostForm, { form: 'data' }>).data, shape: variable.type.shape as readonly number[] };
}

function runOnEngine(program: Program, inputs: readonly HostValue[]): readonly (readonly number[])[] {
  const given = inputs.map(({ data, type }) => ({ data, shape: type.shape as readonly number[] }));
  return engine.compile(planOf(program)).run([...given, ...program.bound.map(boundInput)]).map((output) => {
    const data = engine.read(output);
    output.dispose();
    return [...data as Float64Array].map((value) => Number(value) + 0);
  });
}

describe('what has no result', () => {
  const singular = hostValue('float64', [2, 2, 2], [1, 0, 0, 1, 1, 2, 2, 4]);
  const sides = hostValue('float64', [2, 2, 1], [1, 1, 1, 1]);
  it.each<readonly [string, OfMatrix, RegExp]>([
    ['solve', (a, b) => solve(a, b), /singular/],
    ['inv', (a) => inv(a), /singular/],
    ['fullPivLuSolve', (a, b) => fullPivLuSolve(a, b), /singular/],
    ['cholesky', (a) => cholesky(a), /not positive definite/],
    ['a triangle', (a, b) => triangularSolve(a, b, { upper: true }), /never/],
  ])('is a LinalgError that names the element: %s', (name, f, message) => {
    const program = programOf(asFunction(f), [singular.type, sides.type]);
    const run = (): unknown => runOnEngine(program, [singular, sides]);
    if (name === 'a triangle') expect(run).not.toThrow();
    else expect(run).toThrow(expect.objectContaining({ name: 'LinalgError', message: expect.stringMatching(message) as unknown, fields: expect.objectContaining({ batchIndex: 1 }) as unknown }));
  });

  test('determinants and factors exist all the same', () => {
    const [value, sign, logabsdet, parity] = runOnEngine(programOf(asFunction((a) => [det(a), slogdet(a).sign, slogdet(a).logabsdet, lu(a).parity]), [singular.type]), [singular]);
    expect([value, sign, logabsdet, parity]).toEqual([[1, 0], [1, 0], [0, -Infinity], [1, -1]]);
  });

  test('a derivative that does not exist is refused, or fails where it is needed', () => {
    expect(() => vjpProgram(context, programOf(asFunction((a) => rankRevealingQr(a).r), [f64(3, 3)]), [0])).toThrow(/qrPivoted: no vjp: which column comes next is a discontinuous choice/);
    const dependent = hostValue('float64', [2, 2], [1, 2, 2, 4]);
    const gradient = vjpProgram(context, programOf(asFunction((a) => sum(lu(a).u as Operand)), [f64(2, 2)]), [0]);
    expect(runOnEngine(gradient, [dependent, hostValue('float64', [], [1])])[0]!.every(Number.isFinite)).toBe(true);
    const tall = vjpProgram(context, programOf(asFunction((a) => sum(qr(a).r as Operand)), [f64(2, 2)]), [0]);
    expect(() => runOnEngine(tall, [hostValue('float64', [2, 2], [0, 0, 0, 0]), hostValue('float64', [], [1])])).toThrow(expect.objectContaining({ name: 'LinalgError' }));
  });

  test('what is not finite gives NaN', () => {
    const bad = hostValue('float64', [2, 2], [1, NaN, 2, 3]);
    const results = runOnEngine(programOf(asFunction((a) => [inv(a), det(a), cholesky(a, { upper: true }), qr(a).q, matrixExp(a)]), [bad.type]), [bad]);
    expect(results.map((values) => values.every(Number.isNaN))).toEqual([true, true, true, true, true]);
  });
});

describe('arguments', () => {
  it.each<readonly [string, () => unknown, RegExp]>([
    ['no square', () => solve(parameter('float64', 2, 3), parameter('float64', 2)), /solve: takes square matrices, got f64\[2, 3\]/],
    ['rows', () => solve(parameter('float64', 3, 3), parameter('float64', 2, 1)), /solve: a f64\[3, 3\] and b f64\[2, 1\] differ in the number of rows/],
    ['a vector of a batch', () => solve(parameter('float64', 5, 3, 3), parameter('float64', 5, 3)), /Vectors of a batch are columns/],
    ['no matrix', () => det(parameter('float64', 3)), /det: x has matrices in its last two axes/],
    ['no square of cholesky', () => cholesky(parameter('float64', 3, 2)), /cholesky: takes square matrices/],
    ['an option of cholesky', () => cholesky(parameter('float64', 2, 2), { upper: 'yes' as unknown as boolean }), /cholesky: upper is/],
    ['an option of qr', () => qr(parameter('float64', 2, 2), { mode: 'full' as 'complete' }), /qr: mode is string full; it takes one of 'reduced', 'complete'/],
    ['an option of systems', () => triangularSolve(parameter('float64', 2, 2), parameter('float64', 2), { of: 'inverse' as 'matrix' }), /triangularSolve: of is/],
    ['a power', () => matrixPower(parameter('float64', 2, 2), 0.5), /matrixPower: n is/],
    ['a range', () => householderQr(parameter('float64', 3, 2)).qColumns([2, 4]), /qColumns: \[2,4\] is no range of the 3 columns of Q/],
    ['other rows', () => householderQr(parameter('float64', 3, 2)).append(parameter('float64', 2, 2)), /append: columns f64\[2, 2\] do not stand/],
    ['another dtype', () => householderQr(parameter('float32', 3, 2)).append(parameter('complex64', 3, 2)), /append: the decomposition is of f32\[3, 2\].*convert\(x, 'complex64'\)/],
    ['factors of two', () => HouseholderQr.fromFactors({ matrix: parameter('float64', 3, 2), h: parameter('float64', 3, 3), tau: parameter('float64', 2) }), /are not of one type/],
    ['a tolerance', () => rankRevealingQr(parameter('float64', 3, 2), { rtol: -1 }), /rankRevealingQr: rtol is -1/],
    ['one matrix', () => multiDot([parameter('float64', 3, 2)]), /multiDot: takes a list of two or more/],
    ['matrices that do not fit', () => multiDot([parameter('float64', 3, 2), parameter('float64', 3, 2)]), /matrices\[0\] f64\[3, 2\] and matrices\[1\] f64\[3, 2\] do not fit/],
    ['a batch', () => multiDot([parameter('float64', 1, 3, 2), parameter('float64', 2, 2)]), /matrices\[0\] is f64\[1, 3, 2\]/],
    ['two elements', () => cross(parameter('float64', 2), parameter('float64', 2)), /cross: axis -1 of a f64\[2\] does not have 3 elements/],
    ['an inverse that is none', () => tensorinv(parameter('float64', 2, 3, 4)), /tensorinv: f64\[2, 3, 4\] is no square system/],
    ['a parting', () => tensorinv(parameter('float64', 2, 2), 3), /tensorinv: ind is 3/],
    ['a system that is none', () => tensorsolve(parameter('float64', 2, 3, 4), parameter('float64', 2)), /tensorsolve: f64\[2, 3, 4\] is no square system/],
    ['columns', () => vander(parameter('float64', 2), { n: -1 }), /vander: n is/],
    ['a scalar', () => vander(parameter('float64')), /vander: takes vectors/],
  ])('are refused by name: %s', (_what, call, message) => {
    expect(call).toThrow(message);
  });

  test('types follow the operands', () => {
    expect((solve(parameter('float32', 3, 3), parameter('complex64', 2, 3, 1)) as Operand).type.key).toBe('c64[2, 3, 1]');
    expect((inv(parameter('int32', 2, 2)) as Operand).type.key).toBe('f64[2, 2]');
    expect((slogdet(parameter('complex64', 4, 2, 2)).logabsdet as Operand).type.key).toBe('f32[4]');
    expect((fullPivLu(parameter('float32', 2, 5, 3)).q as Operand).type.key).toBe('f32[2, 3, 3]');
    expect((rankRevealingQr(parameter('float64', 2, 5, 3)).rank as Operand).type.key).toBe('i64[2]');
    expect((vander(parameter('int32', 2, 5), { n: 3 }) as Operand).type.key).toBe('i32[2, 5, 3]');
  });
});

test('one plan serves all sizes', () => {
  const [n, p] = [symbolicDim('n'), symbolicDim('p')];
  const program = programOf(asFunction((a, b) => [solve(a, b), det(a), qr(a).r, matrixExp(mul(a, 0.1)), matrixPower(a, 2)]), [f64(n, n), f64(n, p)]);
  for (const size of [0, 1, 3, 6]) {
    const a = hostValue('float64', [size, size], Array.from({ length: size * size }, (_, at) => ((at * 7) % 5) + (at % (size + 1) === 0 ? 9 : 0)));
    const b = hostValue('float64', [size, 2], Array.from({ length: size * 2 }, (_, at) => at));
    const results = runOnEngine(program, [a, b]);
    const expected = interpretProgram(programOf(asFunction((x, y) => [solve(x, y), det(x), qr(x).r, matrixExp(mul(x, 0.1)), matrixPower(x, 2)]), [a.type, b.type]), [a, b], { operations });
    results.forEach((values, which) => {
      const wanted = [...expected[which]!.data as Float64Array];
      const scale = Math.max(1e-300, ...wanted.map(Math.abs));
      expect(Math.max(0, ...values.map((value, at) => Math.abs(value - wanted[at]!)))).toBeLessThanOrEqual(1e-13 * scale);
    });
  }
  const bySymbols = programOf(asFunction((a) => inv(a)), [f64(n, p)]);
  expect(runOnEngine(bySymbols, [hostValue('float64', [1, 1], [5])])).toEqual([[0.2]]);
  expect(() => runOnEngine(bySymbols, [hostValue('float64', [2, 3], [1, 2, 3, 4, 5, 6])])).toThrow(expect.objectContaining({ name: 'ConstraintError', message: 'inv: rows and columns of x: n and p must be equal, and n is 2 and p is 3.' }));
});

test('two symbols may stand for the rows and columns of a square matrix', () => {
  const [m, n] = [symbolicDim('m'), symbolicDim('n')];
  const a = hostValue('float64', [3, 3], [3, 1, 0.5, 0.2, 2, 0.3, 0.1, 0.4, 5]);
  const [one, direction] = [hostValue('float64', [], [1]), hostValue('float64', [3, 3], [1, 2, 0, -1, 0, 1, 0.5, 1, 0])];
  for (const f of [(x: Operand) => det(x), (x: Operand) => slogdet(x).logabsdet, (x: Operand) => logdet(x)]) {
    const found = [f64(m, n), f64(3, 3)].map((type) => {
      const program = programOf((x) => f(x as Operand) as Var, [type]);
      const gradient = vjpProgram(context, program, [0]);
      return [runOnEngine(program, [a]), runOnEngine(gradient, [a, one]), runOnEngine(jvpProgram(context, gradient, [0]), [a, one, direction])];
    });
    expect(found[0]).toEqual(found[1]);
  }
  const program = programOf((x) => det(x as Operand) as Var, [f64(m, n)]);
  expect(() => runOnEngine(program, [hostValue('float64', [2, 3], [1, 2, 3, 4, 5, 6])])).toThrow(/det: rows and columns of x: m and n must be equal/);
});

test('vectors multiply along an axis of tensors of different ranks', () => {
  const [rows, one] = [hostValue('float64', [3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 10]), hostValue('float64', [3], [1, 2, 3])];
  const along = (axis: number): readonly (readonly number[])[] => runOnEngine(programOf(asFunction((a, b) => cross(a, b, axis)), [rows.type, one.type]), [rows, one]);
  expect(along(0)).toEqual([[-2, -1, -2, 4, 2, 1, -2, -1, 0]]);
  expect(along(-1)).toEqual([[0, 0, 0, 3, -6, 3, 4, -11, 6]]);
});

describe('what other libraries got wrong', () => {
  const valuesOf = (f: OfMatrix, ...inputs: readonly HostValue[]): readonly number[] => runOnEngine(programOf(asFunction(f), inputs.map(({ type }) => type)), inputs)[0]!;
  const gradientAt = (f: OfMatrix, x: HostValue, ct: HostValue): readonly number[] => runOnEngine(vjpProgram(context, programOf(asFunction(f), [x.type]), [0]), [x, ct])[0]!.map((value) => Math.round(value * 1e12) / 1e12 + 0);

  test('the triangle that is not read may hold anything', () => {
    expect(valuesOf((a) => cholesky(a), hostValue('float64', [2, 2], [4, 100, 2, 3]))).toEqual([2, 0, 1, Math.SQRT2]);
  });

  test('a complex matrix of determinant 0 has its cofactors as gradient', () => {
    expect(gradientAt((a) => det(a), hostValue('complex128', [2, 2], [1, 0, 0, 1, 0, 1, -1, 0]), hostValue('complex128', [], [1, 0]))).toEqual([-1, 0, 0, 1, 0, 1, 1, 0]);
  });

  test('the sign of a complex determinant turns', () => {
    // sign = z/|z| of a 1×1 matrix z: along i·z it turns by i·sign.
    expect(gradientAt((a) => slogdet(a).sign, hostValue('complex128', [1, 1], [0, 2]), hostValue('complex128', [], [1, 0]))).toEqual([0.5, 0]);
  });

  test('the Hessian of a singular determinant is that of its minors', () => {
    const program = alongOf((a) => det(a));
    const direction = hostValue('float64', [4, 4], Array.from({ length: 16 }, (_, at) => (at === 0 ? 1 : 0)));
    const a = hostValue('float64', [4, 4], Array.from({ length: 16 }, (_, at) => (at === 10 || at === 15 ? 1 : at < 8 && at % 4 < 2 ? 1 : 0)));
    const [along] = interpretProgram(program, [a, hostValue('float64', [4, 2], new Array<number>(8).fill(0)), hostValue('float64', [], [1]), direction, hostValue('float64', [4, 2], new Array<number>(8).fill(0))], { operations });
    // det of the first two rows and columns beside an identity: a d − b c, whose derivative along a is 1 in d.
    expect([...along!.data as Float64Array].map((value) => Math.round(value * 1e12) / 1e12 + 0)).toEqual(Array.from({ length: 16 }, (_, at) => (at === 5 ? 1 : at === 10 || at === 15 ? 1 : 0)));
  });
});
