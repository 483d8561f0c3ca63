/** Errors name the function that was called, whatever it is made of; and what is not a number stays visible. */
import { AdContext, Builder, checkConstraints, createCatalog, decidableConstraints, isTfError, type Operand, symbolicDim, tensorType, type Var, vectorNorm } from '@tf/core';
import { hostValue, interpretProgram, programOf, vjpProgram } from '@tf/testkit';
import { expect, test } from 'vitest';
import { referenceOperations } from './reference.testing.ts';
import * as linalg from './src/index.ts';
import { linalgExtension } from './src/index.ts';
import { linalgHost } from './src/modules/host.ts';

type Call = (...operands: readonly never[]) => unknown;
/** The functions with operands of any kind, as JavaScript calls them. */
const functions = linalg as unknown as Readonly<Record<string, Call>>;
const call = (name: string, ...args: readonly unknown[]): unknown => functions[name]!(...(args as readonly never[]));

const builder = new Builder();
const [m, n] = [symbolicDim('m'), symbolicDim('n')];
const square = builder.input(tensorType('float64', [3, 3]));
const vector = builder.input(tensorType('float64', [3]));

const shapes = [[], [3], [0], [2, 3], [3, 2], [3, 3], [0, 0], [0, 3], [3, 0], [2, 0, 0], [2, 3, 3], [m, n], [n, m], [n, n], [m, 3], [3, m], [2, m, n], [m], [m, n, n]];
const tensors = shapes.map((shape) => builder.input(tensorType('float64', shape)));
const others = (['complex64', 'bool', 'int32'] as const).flatMap((dtype) => [[], [3], [3, 3], [0, 0], [2, 3], [m, n]].map((shape) => builder.input(tensorType(dtype, shape))));
const operands: readonly unknown[] = [...tensors, ...others, 'x', undefined, {}, Number.NaN, [1, 2]];
const pairs: readonly unknown[] = [...tensors, builder.input(tensorType('complex64', [3, 3])), builder.input(tensorType('bool', [3])), 'x'];

const orders = ['fro', 'nuc', 1, -1, 2, -2, Infinity, -Infinity, 0, 0.5, Number.NaN];

/** Functions of one tensor, each with sets of options under which it takes other ways. */
const unary: Readonly<Record<string, readonly unknown[]>> = {
  cholesky: [{}, { upper: true }], cond: orders.map((ord) => ({ ord })), det: [{}], eig: [{}, { gauge: 'canonicalPivot' }], eigh: [{}, { gauge: 'canonicalPivot' }], eigvals: [{}], eigvalsh: [{}],
  fullPivLu: [{}], householderQr: [{}], inv: [{}], logdet: [{}], lu: [{}], matrixExp: [{}], matrixLog: [{}], matrixNorm: orders.map((ord) => ({ ord })), matrixPower: [-2, 0, 1, 3], matrixRank: [{}],
  matrixSqrt: [{}], norm: [{}, ...orders.flatMap((ord) => [{ ord }, { ord, axes: [0, 1] }, { ord, axes: 0 }])], nullSpace: [{}], orth: [{}], pinv: [{}], polar: [{}, { side: 'left' }],
  qr: [{}, { mode: 'complete' }, { gauge: 'positiveDiagonal' }], rankRevealingQr: [{}], schur: [{}], slogdet: [{}], svd: [{}, { gauge: 'canonicalPivot' }, { vectors: 'left' }, { vectors: 'right' }],
  svdFull: [{}, { gauge: 'canonicalPivot' }], svdvals: [{}], tensorinv: [1, 2], truncatedSvd: [{}, { rtol: 0.1 }], vander: [{}, { n: 2 }],
};

/** Functions of two tensors. */
const binary: Readonly<Record<string, readonly ((a: unknown, b: unknown) => unknown)[]>> = {
  choleskySolve: [(a, b) => call('choleskySolve', a, b), (a, b) => call('choleskySolve', a, b, { upper: true })],
  cross: [(a, b) => call('cross', a, b), (a, b) => call('cross', a, b, 0)],
  fullPivLuSolve: [(a, b) => call('fullPivLuSolve', a, b)],
  lstsq: [(a, b) => call('lstsq', a, b)],
  multiDot: [(a, b) => call('multiDot', [a, b]), (a, b) => call('multiDot', [a, b, a])],
  solve: [(a, b) => call('solve', a, b)],
  sylvester: [(a, b) => call('sylvester', a, a, b), (a, b) => call('sylvester', a, b, a), (a, b) => call('sylvester', b, a, a)],
  tensorsolve: [(a, b) => call('tensorsolve', a, b), (a, b) => call('tensorsolve', a, b, [0]), (a, b) => call('tensorsolve', a, b, [0, 0])],
  triangularSolve: [(a, b) => call('triangularSolve', a, b), (a, b) => call('triangularSolve', a, b, { side: 'right' }), (a, b) => call('triangularSolve', a, b, { side: 'right', of: 'adjoint' })],
};

const values: readonly unknown[] = ['?', Number.NaN, -1, {}, 1.5, [0, 0], [5], null, true, Infinity, 7, [0], [], '0', [0, 1, 2], ['a']];
const spectral = ['gauge', 'derivativeEps', 'onDegenerate'];

/** Options by function; an option that none has is among them. */
const options: Readonly<Record<string, readonly string[]>> = {
  eigh: ['uplo', ...spectral], eigvalsh: ['uplo', ...spectral], cholesky: ['upper'], qr: ['mode', 'gauge'], rankRevealingQr: ['rtol', 'atol'], vander: ['n', 'increasing'], svd: [...spectral, 'driver', 'vectors'],
  svdFull: [...spectral, 'driver'], svdvals: [...spectral, 'driver'], eig: spectral, eigvals: spectral, pinv: ['rtol'], cond: ['ord'], matrixNorm: ['ord', 'keepdims'], norm: ['ord', 'axes', 'keepdims'],
  matrixRank: ['rtol'], nullSpace: ['rtol'], orth: ['rtol'], polar: ['side'], truncatedSvd: ['rtol', 'atol', 'discardedWeight', 'maxRank', ...spectral, 'driver'],
};

/** Further arguments that are no options. */
const further: Readonly<Record<string, (value: unknown) => unknown>> = {
  matrixPower: (value) => call('matrixPower', square, value),
  tensorinv: (value) => call('tensorinv', square, value),
  tensorsolve: (value) => call('tensorsolve', square, vector, value),
  cross: (value) => call('cross', square, square, value),
  multiDot: (value) => call('multiDot', value),
  lstsq: (value) => call('lstsq', square, square, { rtol: value }),
  choleskySolve: (value) => call('choleskySolve', square, square, { upper: value }),
  triangularSolve: (value) => [call('triangularSolve', square, square, { side: 'left' }), call('triangularSolve', square, square, { of: value })],
  qColumns: (value) => linalg.householderQr(square).qColumns(value as never),
  append: (value) => linalg.householderQr(square).append(value as never),
  'HouseholderQr.fromFactors': (value) => linalg.HouseholderQr.fromFactors(value as never),
};

/** The message of an error that does not name the function, or undefined. */
function misnamed(name: string, body: () => unknown): string | undefined {
  try {
    body();
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return isTfError(error) && new RegExp(`^${name}[: ]`).test(message) ? undefined : `${name}: ${message}`;
  }
}

const none = (found: readonly (string | undefined)[]): void => expect([...new Set(found.filter((message) => message !== undefined))]).toEqual([]);

test('the tables have every function', () => {
  const exported = Object.keys(linalg).filter((name) => /^[a-z]/.test(name) && typeof functions[name] === 'function');
  expect(exported.filter((name) => !Object.hasOwn(unary, name) && !Object.hasOwn(binary, name))).toEqual([]);
});

test('errors of one operand name the function', () => {
  none(Object.entries(unary).flatMap(([name, ways]) => ways.flatMap((way) => operands.map((x) => misnamed(name, () => call(name, x, ...(Object.keys(way as object).length === 0 && typeof way === 'object' ? [] : [way])))))));
});

test('errors of two operands name the function', () => {
  none(Object.entries(binary).flatMap(([name, ways]) => ways.flatMap((way) => pairs.flatMap((a) => pairs.map((b) => misnamed(name, () => way(a, b)))))));
});

test('errors of columns that are appended name the method', () => {
  const matrices = tensors.filter(({ type: { shape } }) => shape.length >= 2 && shape.every((dim) => typeof dim === 'number'));
  none(matrices.flatMap((a) => pairs.map((b) => misnamed('append', () => linalg.householderQr(a as Operand).append(b as never)))));
});

test('errors of options and of further arguments name the function', () => {
  none(Object.entries(options).flatMap(([name, own]) => [...own, 'unknown'].flatMap((option) => values.map((value) => misnamed(name, () => call(name, name === 'vander' ? vector : square, { [option]: value }))))));
  none(Object.keys(options).flatMap((name) => values.map((value) => misnamed(name, () => call(name, square, value)))));
  none(Object.entries(further).flatMap(([name, way]) => values.map((value) => misnamed(name, () => way(value)))));
  none(values.map((value) => misnamed('HouseholderQr.fromFactors', () => linalg.HouseholderQr.fromFactors({ matrix: square, h: square, tau: value } as never))));
});

const [p, q] = [symbolicDim('p'), symbolicDim('q')];
const openShapes = [[m, n], [n, n], [m, 3], [3, m], [2, m, n], [m], [p], [3], [p, q], [q, p, p], [q, n, p], [3, 3], [2, 3, q]];
const bindings = [[3, 3, 3, 3], [3, 4, 3, 4], [2, 3, 4, 5], [3, 3, 2, 2], [2, 2, 3, 3], [1, 3, 3, 2], [3, 1, 1, 3]].map((sizes) => new Map(['m', 'n', 'p', 'q'].map((symbol, at) => [symbol, sizes[at]!] as const)));

/** What is wrong with the errors of sizes that do not fit: with the first of them, which is what a run throws. */
function misnamedSizes(name: string, shapes: readonly (readonly (number | typeof m)[])[], way: (...given: readonly unknown[]) => unknown): readonly (string | undefined)[] {
  const own = new Builder();
  const given = shapes.map((shape) => own.input(tensorType('float64', shape)));
  try {
    way(...given);
  } catch {
    return [];
  }
  const { constraints } = own.build(given);
  return bindings.map((binding) => misnamed(name, () => checkConstraints(decidableConstraints(constraints, binding), binding)));
}

test('errors of sizes that a run brings name the function', () => {
  none(Object.entries(unary).flatMap(([name, ways]) => ways.flatMap((way) => openShapes.flatMap((shape) => misnamedSizes(name, [shape], (x) => call(name, x, way))))));
  none(Object.entries(binary).flatMap(([name, ways]) => ways.flatMap((way) => openShapes.flatMap((a) => openShapes.flatMap((b) => misnamedSizes(name, [a, b], way))))));
  none(openShapes.flatMap((a) => openShapes.flatMap((b) => misnamedSizes('append', [a, b], (x, y) => linalg.householderQr(x as Operand).append(y as never)))));
});

test('errors of sizes that a run brings say which argument, and the sizes', () => {
  const said = (shapes: readonly (readonly (number | typeof m)[])[], way: (...given: readonly Operand[]) => unknown, sizes: readonly number[]): string => {
    const own = new Builder();
    const given = shapes.map((shape) => own.input(tensorType('float64', shape)));
    way(...given);
    try {
      checkConstraints(own.build(given).constraints, new Map(['m', 'n', 'p', 'q'].map((symbol, at) => [symbol, sizes[at]!])));
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  expect(said([[m, n], [m]], linalg.solve, [3, 4, 0, 0])).toBe('solve: rows and columns of a: m and n must be equal, and m is 3 and n is 4.');
  expect(said([[m, m], [n]], linalg.solve, [3, 4, 0, 0])).toBe('solve: rows of a and of b: m and n must be equal, and m is 3 and n is 4.');
  expect(said([[m, m], [n]], linalg.solve, [3, 3, 0, 0])).toBe('');
  expect(said([[p, 3, 3], [q, 3, 2]], linalg.solve, [0, 0, 2, 4])).toBe('solve: broadcast axis 0: p and q must be equal, and p is 2 and q is 4.');
  expect(said([[m, n]], linalg.inv, [2, 1, 0, 0])).toBe('inv: rows and columns of x: m and n must be equal, and m is 2 and n is 1.');
  expect(said([[m, m], [n, n], [p, q]], linalg.sylvester, [2, 3, 2, 4])).toBe('sylvester: columns of c and size of b: q and n must be equal, and q is 4 and n is 3.');
  expect(said([[m, m], [m, n]], (a, b) => linalg.choleskySolve(a as never, b as never), [2, 3, 0, 0])).toBe('');
  expect(said([[m, n], [m]], (a, b) => linalg.choleskySolve(a as never, b as never), [2, 3, 0, 0])).toMatch(/^choleskySolve: rows and columns of factor: /);
  expect(said([[m, n], [p, q]], (a, b) => linalg.multiDot([a as never, b as never]), [2, 3, 4, 5])).toBe('multiDot: columns of matrices[0] and rows of matrices[1]: n and p must be equal, and n is 3 and p is 4.');
});

test('bool, NaN as an order, an axis twice are refused', () => {
  const bools = builder.input(tensorType('bool', [3]));
  for (const body of [() => call('vander', bools), () => call('cross', bools, bools), () => call('multiDot', [bools, bools])]) expect(body).toThrow(/takes float32, .* got .*bool\[3\]\. Convert it first/);
  expect(() => vectorNorm(vector, { ord: Number.NaN })).toThrow(/^vectorNorm: ord is .*NaN/);
  for (const axes of [0, [0, 1]]) expect(() => call('norm', square, { axes, ord: Number.NaN })).toThrow(/^norm: ord is .*NaN/);
  expect(() => call('tensorsolve', square, vector, [0, 0])).toThrow('tensorsolve: axes [0,0] of a f64[3, 3] name one axis twice');
  expect(() => call('cond', builder.input(tensorType('float64', [0, 0])))).toThrow('cond: order 2 takes the largest of what f64[0, 0] has none of');
});

test('what has no derivative says why, and what has one instead', () => {
  const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
  const pullback = (f: (x: Operand) => unknown): unknown => vjpProgram(context, programOf((x) => f(x as Operand) as Var, [tensorType('float64', [3, 3])]), [0]);
  expect(() => pullback((x) => linalg.schur(x).t)).toThrow(/schur: no vjp: .* make the factors jump\. Differentiate .* eig, eigvals, sylvester and matrixSqrt have derivatives/);
  expect(() => pullback((x) => linalg.rankRevealingQr(x).r)).toThrow(/no vjp: which column comes next is a discontinuous choice; of a fixed order of columns qr has derivatives/);
});

test('of matrices that hold no number conditions and inverses are none, the rank is 0, and the others of the batch are as without them', () => {
  const given = [4, 0, 0, 1, Number.NaN, 1, 1, 1, 1, 1, 1, 1];
  const f = (x: Operand): readonly Operand[] => [linalg.cond(x), linalg.cond(x, { ord: 'fro' }), linalg.pinv(x), linalg.matrixRank(x), linalg.polar(x).p, linalg.matrixNorm(x, { ord: 'nuc' })] as unknown as readonly Operand[];
  const run = (count: number, from: readonly number[]): readonly (readonly number[])[] => {
    const program = programOf((x) => f(x as Operand) as unknown as readonly Var[], [tensorType('float64', [count, 2, 2])]);
    return interpretProgram(program, [hostValue('float64', [count, 2, 2], from)], { operations: referenceOperations(linalgExtension.operations, linalgHost()) }).map(({ data }) => Array.from(data as ArrayLike<number>));
  };
  const [whole, first, last] = [run(3, given), run(1, given.slice(0, 4)), run(1, given.slice(8))];
  whole.forEach((found, at) => {
    const each = found.length / 3;
    expect(found.slice(0, each)).toEqual(first[at]);
    expect(found.slice(2 * each)).toEqual(last[at]);
    expect(found.slice(each, 2 * each)).toEqual(Array.from({ length: each }, () => (at === 3 ? 0 : Number.NaN)));
  });
});
