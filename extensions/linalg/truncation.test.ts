/** What the run cuts off: the matrices of a batch share one size, and have zeros where their own is smaller. */
import { AdContext, createCatalog, diagEmbed, mul, type Operand, sum, tensorType, type Var } from '@tf/core';
import { type HostValue, hostValue, interpretProgram, programOf, vjpProgram } from '@tf/testkit';
import { expect, test } from 'vitest';
import { referenceOperations } from './reference.testing.ts';
import { adjoint, times } from './src/algebra.ts';
import { linalgExtension, nullSpace, orth, truncatedSvd, type TruncationOptions } from './src/index.ts';
import { linalgHost } from './src/modules/host.ts';

const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
const operations = referenceOperations(linalgExtension.operations, linalgHost());

/** Of ranks 1 (a value is small), 2 and 0. */
const matrices = [[4, 0, 0, 0.25, 0, 0], [0, 1, 2, 0, 0, 0], [0, 0, 0, 0, 0, 0]];
const batch = hostValue('float64', [3, 3, 2], matrices.flat());

type Part = (x: Operand) => unknown;

function run(f: (x: Operand) => readonly unknown[], x: HostValue): readonly { readonly shape: readonly unknown[]; readonly data: readonly number[] }[] {
  return interpretProgram(programOf((v) => f(v as Operand) as readonly Var[], [x.type]), [x], { operations }).map(({ type, data }) => ({ shape: type.shape, data: Array.from(data as ArrayLike<number>) }));
}

const parts = (options: TruncationOptions) => (x: Operand): readonly unknown[] => {
  const { u, s, vh, rank, discardedWeight } = truncatedSvd(x, options);
  return [u, s, vh, rank, discardedWeight, times(u as Operand, diagEmbed(s as Operand) as Operand, vh as Operand)];
};

test('a batch of truncated decompositions has the largest rank, and zeros behind smaller ones', () => {
  const [u, s, vh, rank, weight, product] = run(parts({ rtol: 0.1 }), batch);
  expect([u, s, vh].map((part) => part?.shape)).toEqual([[3, 3, 2], [3, 2], [3, 2, 2]]);
  expect(rank?.data).toEqual([1, 2, 0]);
  expect(s?.data).toEqual([4, 0, 2, 1, 0, 0]);
  expect(u?.data.slice(0, 6).map((value) => Math.abs(value))).toEqual([1, 0, 0, 0, 0, 0]);
  expect(vh?.data.slice(2, 4).map((value) => Math.abs(value))).toEqual([0, 0]);
  expect(weight?.data).toEqual([0.0625 / 16.0625, 0, 0].map((value) => expect.closeTo(value, 15) as number));
  expect(product?.data).toEqual([4, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
});

test('of one matrix, and of batches of none, too', () => {
  expect(run(parts({ rtol: 0.1 }), hostValue('float64', [3, 2], matrices[0]!))[0]?.shape).toEqual([3, 1]);
  expect(run(parts({}), hostValue('float64', [0, 3, 2], [])).map(({ shape }) => shape)).toEqual([[0, 3, 0], [0, 0], [0, 0, 2], [0], [0], [0, 3, 2]]);
  expect(run((x) => [orth(x), nullSpace(x)], hostValue('float64', [0, 3, 2], [])).map(({ shape }) => shape)).toEqual([[0, 3, 0], [0, 2, 0]]);
});

test('projectors of a batch are those of its matrices', () => {
  const spaces = (x: Operand): readonly unknown[] => [orth(x, { rtol: 0.1 }), nullSpace(x, { rtol: 0.1 })].flatMap((q) => [q, times(q as Operand, adjoint(q as Operand))]);
  const [range, onRange, kernel, onKernel] = run(spaces, batch);
  expect([range?.shape, kernel?.shape]).toEqual([[3, 3, 2], [3, 2, 2]]);
  expect(onRange?.data).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(onKernel?.data).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1]);
});

test('the gradient of a batch is that of its matrices', () => {
  const loss: Part = (x) => {
    const { u, s, vh } = truncatedSvd(x, { rtol: 0.1 });
    const product = times(u as Operand, diagEmbed(s as Operand) as Operand, vh as Operand);
    return sum(mul(mul(product, product) as Operand, product) as Operand);
  };
  const gradient = (x: HostValue): readonly number[] => Array.from(interpretProgram(vjpProgram(context, programOf((v) => loss(v as Operand) as Var, [tensorType('float64', x.type.shape)]), [0]), [x, hostValue('float64', [], [1])], { operations })[0]?.data as Float64Array);
  expect(gradient(batch)).toEqual(matrices.flatMap((one) => gradient(hostValue('float64', [3, 2], one))));
});

test('a largest number that is known bounds the extent, and what is allocated for it', () => {
  const bounds = (options: TruncationOptions): readonly unknown[] =>
    programOf((v) => Object.values(truncatedSvd(v as Operand, options)) as unknown as readonly Var[], [tensorType('float64', [6, 5])]).instructions.flatMap(({ operation, params }) => (operation.traits.extent === undefined ? [] : [params['bound']]));
  expect([bounds({ maxRank: 2 }), bounds({ maxRank: 9 }), bounds({ rtol: 0.1 })]).toEqual([[2], [5], [5]]);
  const [u, s, vh, rank] = run(parts({ maxRank: 1 }), batch);
  expect([u?.shape, s?.data, vh?.shape, rank?.data]).toEqual([[3, 3, 1], [4, 2, 0], [3, 1, 2], [1, 1, 0]]);
});
