/** Derivative cases of what arranges elements, chooses among them and multiplies tensors. */
import { roll, repeat, split, stack, tile } from '../compositions/arrangement.ts';
import { addAt, getAt, maxAt, minAt, setAt } from '../compositions/at.ts';
import { bincount, segmentSum } from '../compositions/counting.ts';
import { dynamicSlice, dynamicUpdateSlice } from '../compositions/dynamic-slice.ts';
import { vectorNorm } from '../compositions/norms.ts';
import { median, quantile, topk } from '../compositions/order.ts';
import { inner, kron, outer, tensordot, vdot, vecdot } from '../compositions/products.ts';
import { diagEmbed, diagonal, trace, tril, triu } from '../compositions/triangles.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { cumLogSumExp, cummax, cummin, cumprod, cumsum, linearRecurrence } from '../primitives/cumulative.ts';
import { flip } from '../primitives/flip.ts';
import { indexMax, indexMin, indexSet, scatterMax, scatterMin, scatterSet } from '../primitives/scatter.ts';
import { sort } from '../primitives/sort.ts';
import { tensor } from '../tensor/create.ts';
import type { Operand } from '../types/operand.ts';
import { type DerivativeCase, one } from './derivative-case.testing.ts';

const indices = (...values: readonly number[]): Operand<never, 'int32'> => tensor(Int32Array.from(values)) as never;
const z = 'complex128';

const arrangements: readonly DerivativeCase[] = [
  one('flip', [[2, 3]], (x) => flip(x!, 1)), one('flip of all axes', [[2, 1, 3]], (x) => flip(x!)), one('flip of nothing', [[0, 2]], (x) => flip(x!)), one('flip of a scalar', [[]], (x) => flip(x!)), one('complex flip', [[3]], (x) => flip(x!), { dtype: z }),
  one('flip beside itself', [[3]], (x) => mul(flip(x!), x!)), one('flip of a slice taken twice', [[2, 3]], (x) => add(flip(x!, 0), flip(x!, [0, 1]))),
  one('roll', [[2, 3]], (x) => [roll(x!, 1, 1), roll(x!, -4), roll(x!, [1, 2], [0, 1])]), one('stack', [[2], [2]], (x, y) => stack([x!, y!, x!], 1)), one('split', [[5]], (x) => split(x!, [1, 4])),
  one('tile', [[2, 1]], (x) => tile(x!, [2, 1, 3])), one('repeat', [[2, 2]], (x) => repeat(x!, 2, 0)),
  one('tril', [[3, 4]], (x) => tril(x!, -1)), one('triu', [[2, 3, 2]], (x) => triu(x!, 1)),
  one('diagonal', [[3, 4]], (x) => diagonal(x!, { offset: 1 })), one('diagonal of other axes', [[2, 3, 4]], (x) => diagonal(x!, { offset: -1, axes: [2, 0] })), one('diagEmbed', [[2, 3]], (x) => diagEmbed(x!, { offset: -1 })), one('trace', [[2, 3, 3]], (x) => trace(x!)), one('complex diagonal', [[3, 3]], (x) => diagonal(x!), { dtype: z }),
  one('segmentSum', [[4, 2]], (x) => segmentSum(x!, indices(1, 0, 1, 1) as Operand, 3)), one('bincount with weights', [[3]], (x) => bincount(indices(2, 0, 2) as Operand, { length: 4, weights: x! })),
];

const products: readonly DerivativeCase[] = [
  one('kron', [[2, 2], [3]], (x, y) => kron(x!, y!)), one('outer', [[2], [3]], (x, y) => outer(x!, y!)), one('inner', [[2, 3], [4, 3]], (x, y) => inner(x!, y!)), one('tensordot', [[2, 3, 4], [4, 3, 2]], (x, y) => tensordot(x!, y!, [[2, 1], [0, 1]])),
  ...(['float64', z] as const).flatMap((dtype) => [one(`${dtype} vdot`, [[2, 2], [4]], (x, y) => vdot(x!, y!), { dtype }), one(`${dtype} vecdot`, [[2, 3], [3]], (x, y) => vecdot(x!, y!), { dtype })]),
];

const norms: readonly DerivativeCase[] = [
  ...[2, 1, 3, 0.5, -2, Infinity, -Infinity].map((ord) => one(`vectorNorm ${ord}`, [[2, 3]], (x) => vectorNorm(x!, { ord, axes: 1 }), { region: 'distinct' })),
  one('complex vectorNorm', [[2, 2]], (x) => [vectorNorm(x!, { axes: 1 }), vectorNorm(x!, { ord: 1 })], { dtype: z }),
  one('vectorNorm of all, kept', [[2, 3]], (x) => vectorNorm(x!, { keepdims: true }), { region: 'distinct' }),
];

const orders: readonly DerivativeCase[] = [
  ...[0, 1].flatMap((axis) => [false, true].map((descending) => one(`sort along ${axis}${descending ? ' descending' : ''}`, [[3, 2]], (x) => sort(x!, axis, { descending }), { region: 'distinct' }))),
  one('sort of nothing', [[2, 0]], (x) => sort(x!)), one('sort beside itself', [[4]], (x) => mul(sort(x!), x!), { region: 'distinct' }),
  one('topk', [[2, 4]], (x) => topk(x!, 2).values, { region: 'distinct' }), one('median', [[2, 4]], (x) => median(x!, { axes: 1 }), { region: 'distinct' }), one('quantile', [[5]], (x) => quantile(x!, 0.3), { region: 'distinct' }),
];

const square = (...values: readonly number[]): Operand<never, 'int32'> => tensor(Int32Array.from(values), { shape: [2, values.length / 2] }) as never;
const replacing: readonly DerivativeCase[] = [
  one('scatterSet', [[2, 3], [2, 2]], (x, y) => scatterSet(x!, square(2, 0, -1, 1), y!)), one('scatterSet at one place twice', [[4], [3]], (x, y) => scatterSet(x!, indices(1, 3, 1), y!)), one('indexSet', [[4, 2], [3, 2]], (x, y) => indexSet(x!, indices(2, 0, 2), y!)), one('complex indexSet', [[4], [2]], (x, y) => indexSet(x!, indices(2, 0), y!), { dtype: z }),
  ...([['scatterMax', scatterMax], ['scatterMin', scatterMin]] as const).map(([name, f]) => one(name, [[2, 3], [2, 4]], (x, y) => f(x!, square(2, 0, 0, 1, -1, 1, 1, 0), y!), { region: 'distinct' })),
  ...([['indexMax', indexMax], ['indexMin', indexMin]] as const).map(([name, f]) => one(name, [[4, 2], [3, 2]], (x, y) => f(x!, indices(1, 1, -1), y!), { region: 'distinct' })),
  one('getAt', [[3, 4, 2]], (x) => getAt(x!, [indices(1, -1, 1), square(0, 3, 2, -4, 1, 0)])), one('getAt of axes apart', [[3, 2, 4]], (x) => getAt(x!, [indices(3, 0), indices(1, 1)], { axes: [2, 0] })), one('complex getAt', [[3, 3]], (x) => getAt(x!, [indices(0, 0, 2), -1]), { dtype: z }),
  one('addAt', [[3, 2], [3]], (x, y) => addAt(x!, [indices(1, 1, -3), [0, 0, 1]], y!)), one('addAt of a number', [[3, 2]], (x) => addAt(mul(x!, 2), [indices(1, 1), 0], 0.5)), one('setAt of axes apart', [[2, 3, 2], [2, 1]], (x, y) => setAt(x!, [indices(1, 0), indices(0, 1)], y!, { axes: [0, 2] })), one('setAt at one place twice', [[2, 2], [3]], (x, y) => setAt(x!, [indices(1, 0, 1), indices(1, 0, 1)], y!)),
  ...([['maxAt', maxAt], ['minAt', minAt]] as const).map(([name, f]) => one(name, [[2, 3], [2, 2]], (x, y) => f(x!, [square(0, 1, 1, 0), square(2, 2, 0, 2)], y!), { region: 'distinct' })),
  one('dynamicSlice', [[4, 5]], (x) => dynamicSlice(x!, [tensor(Int32Array.of(9), { shape: [] }) as Operand, 1], [2, 3])),
  one('dynamicUpdateSlice of rows', [[4, 2], [2, 2]], (x, y) => dynamicUpdateSlice(x!, y!, [tensor(Int32Array.of(1), { shape: [] }) as Operand, 0])), one('dynamicUpdateSlice of a box', [[4, 3], [2, 2]], (x, y) => dynamicUpdateSlice(x!, y!, [tensor(Int32Array.of(-3), { shape: [] }) as Operand, 1])),
];

const running: readonly DerivativeCase[] = [
  ...([['cumsum', cumsum], ['cumprod', cumprod], ['cummax', cummax], ['cummin', cummin], ['cumLogSumExp', cumLogSumExp]] as const).flatMap(([name, f]) => [0, 1].flatMap((axis) => [false, true].map((reverse) => one(`${name} along ${axis}${reverse ? ' from the end' : ''}`, [[3, 2]], (x) => f(x!, axis, { reverse }), { region: 'distinct' })))),
  ...([['cumsum', cumsum], ['cumprod', cumprod]] as const).flatMap(([name, f]) => [one(`complex ${name}`, [[3]], (x) => f(x!), { dtype: z }), one(`${name} of nothing`, [[2, 0]], (x) => f(x!)), one(`${name} of one`, [[1]], (x) => f(x!))]),
  one('cumprod with one 0', [[4]], (x) => cumprod(x!), { at: [[2, 0, 3, 4]] }), one('cumprod with two 0', [[4]], (x) => cumprod(x!), { at: [[2, 0, 0, 4]] }), one('cumprod of 0 alone', [[3]], (x) => cumprod(x!), { at: [[0, 0, 0]] }),
  one('linearRecurrence', [[2, 3], [2, 3]], (a, b) => linearRecurrence(a!, b!)), one('linearRecurrence from the end', [[3, 2], [3, 2]], (a, b) => linearRecurrence(a!, b!, 0, { reverse: true })), one('complex linearRecurrence', [[3], [3]], (a, b) => linearRecurrence(a!, b!), { dtype: z }),
];

export const structureCases: readonly DerivativeCase[] = [...arrangements, ...products, ...norms, ...running, ...orders, ...replacing];
