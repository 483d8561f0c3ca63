/** What each operation of core that has derivatives is tried on: operands, points, and the call. */
import { gelu, geluTanh, relu, silu } from '../compositions/activations.ts';
import { layerNorm, logSoftmax, logSumExp, softmax } from '../compositions/normalisation.ts';
import { mean, std, variance } from '../compositions/statistics.ts';
import { add, mul, neg, sub } from '../primitives/arithmetic.ts';
import { less } from '../primitives/compare.ts';
import { dotGeneral, matmul } from '../primitives/contraction.ts';
import { constrain } from '../primitives/constrain.ts';
import { convert } from '../primitives/convert.ts';
import { div, divideOrZero } from '../primitives/division.ts';
import { multiplyOrZero } from '../primitives/multiply-or-zero.ts';
import { maximum, minimum } from '../primitives/extrema.ts';
import { abs, sign } from '../primitives/magnitude.ts';
import { exp, expm1, log, log1p, sqrt, tanh } from '../primitives/functions.ts';
import { indexAdd, scatterAdd, take, takeAlongAxis } from '../primitives/indexing.ts';
import { broadcastTo, identityOperation, reshape, transpose } from '../primitives/movement.ts';
import { pow } from '../primitives/power.ts';
import { prod } from '../primitives/product.ts';
import { reduceMax, reduceMin, sum } from '../primitives/reduce.ts';
import { select } from '../primitives/select.ts';
import { concat, pad, slice, sliceAdd } from '../primitives/slicing.ts';
import { cos, erf, erfc, ndtr, rsqrt, sigmoid, sin, softplus } from '../primitives/special.ts';
import { barrier } from '../primitives/stop-gradient.ts';
import type { Builder } from '../program/builder.ts';
import { tensor } from '../tensor/create.ts';
import { complexCases } from './cases.complex.testing.ts';
import { controlCases } from './cases.control.testing.ts';
import { functionCases } from './cases.functions.testing.ts';
import { binary, type DerivativeCase, indices, one, unary } from './derivative-case.testing.ts';
import { structureCases } from './cases.structure.testing.ts';

const mask = tensor([[true, false, true], [false, false, true]]);

const elementwise: readonly DerivativeCase[] = [
  ...unary('neg', neg), ...unary('exp', exp), ...unary('expm1', expm1), ...unary('tanh', tanh), ...unary('sin', sin), ...unary('cos', cos), ...unary('erf', erf), ...unary('erfc', erfc), ...unary('ndtr', ndtr), ...unary('sigmoid', sigmoid), ...unary('softplus', softplus),
  ...unary('log', log, 'positive'), ...unary('log1p', log1p, 'positive'), ...unary('sqrt', sqrt, 'positive'), ...unary('rsqrt', rsqrt, 'positive'),
  ...unary('abs', abs, 'distinct'), ...unary('sign', sign, 'distinct'),
  ...unary('identity', (x) => (x as unknown as { owner: Builder }).owner.emit(identityOperation, [x], {})),
  ...unary('constrain', (x) => constrain(x, [{ left: 2, right: 3, relation: 'atMost', reason: 'test' }])),
  ...unary('barrier', barrier),
  ...binary('add', add), ...binary('sub', sub), ...binary('mul', mul), ...binary('div', div, 'away from 0'), ...binary('divideOrZero', divideOrZero, 'away from 0'), ...binary('multiplyOrZero', multiplyOrZero, 'away from 0'),
  ...binary('maximum', maximum, 'distinct'), ...binary('minimum', minimum, 'distinct'), ...binary('pow', pow, 'positive'),
  ...binary('mul of itself', (x, y) => mul(mul(x, x), y)), ...binary('select by value', (x, y) => select(less(x, y), mul(x, y), y), 'distinct'),
  one('mul at 0', [[3], [3]], (x, y) => mul(x!, y!), { at: [[0, -0, 2], [0, 1, 0]] }),
  one('exp at 0', [[2]], (x) => exp(x!), { at: [[0, -0]] }),
  one('sin and tanh at 0', [[1]], (x) => add(sin(x!), tanh(x!)), { at: [[0]] }),
  one('pow of negative base, integer exponents', [[2, 3]], (x) => [pow(x!, 3), pow(x!, 2), pow(x!, -1), pow(x!, 0)], { region: 'distinct' }),
  one('pow at 0', [[2]], (x) => [pow(x!, 2), pow(x!, 3), pow(x!, 1), pow(x!, 0)], { at: [[0, -0]] }),
  one('pow of a constant base', [[3]], (x) => pow(2, x!)),
  one('select', [[2, 3], [3]], (x, y) => select(mask, x!, y!)), one('select one branch', [[2, 3]], (x) => [select(mask, x!, 0), select(mask, 1, x!)]), one('select of a broadcast', [[], [2, 1]], (x, y) => select(mask, x!, y!)),
];

const movement: readonly DerivativeCase[] = [
  one('reshape', [[2, 3]], (x) => reshape(x!, [3, 1, -1])), one('reshape to a scalar', [[1, 1]], (x) => reshape(x!, [])),
  one('broadcastTo', [[2, 1]], (x) => broadcastTo(x!, [4, 2, 3])), one('broadcastTo of a scalar', [[]], (x) => broadcastTo(x!, [2, 2])), one('broadcastTo of size 1 stays', [[1, 2]], (x) => broadcastTo(x!, [3, 1, 2])),
  one('transpose', [[2, 3, 4]], (x) => transpose(x!, [2, 0, 1])), one('transpose all', [[2, 3]], (x) => transpose(x!)),
  one('slice', [[4, 5]], (x) => slice(x!, [1, 0], [4, 5], [1, 2])), one('slice with steps that leave a rest', [[7]], (x) => slice(x!, [1], [6], [3])), one('slice of nothing', [[4]], (x) => slice(x!, [2], [2])),
  one('pad', [[2, 3]], (x) => pad(x!, { low: [1, 0], high: [0, 2], value: 7 })), one('pad with a value', [[2, 3], []], (x, v) => pad(x!, { low: [1, -1], high: [0, 2], interior: [0, 1], value: v! })), one('pad between', [[3]], (x) => pad(x!, { low: [2], high: [1], interior: [2] })), one('pad that cuts', [[4, 3]], (x) => pad(x!, { low: [-1, 1], high: [2, -2] })), one('pad between that cuts', [[4]], (x) => pad(x!, { low: [-2], high: [-1], interior: [1] })),
  one('concat', [[2, 1], [2, 3], [2, 0]], (x, y, z) => concat([x!, y!, z!], 1)), one('concat of itself', [[2]], (x) => concat([x!, x!, x!])),
  one('take', [[4, 2]], (x) => take(x!, [0, -1, 0, 2])), one('take on axis 1', [[2, 4]], (x) => take(x!, indices([2, 2], 3, 3, 0, -4), 1)), one('take one', [[3, 2]], (x) => take(x!, indices([], 1))),
  one('takeAlongAxis', [[2, 3]], (x) => takeAlongAxis(x!, indices([2, 2], 0, 0, 2, -1), 1)),
  one('sliceAdd', [[5, 3], [2, 2]], (x, y) => sliceAdd(x!, [1, 0], y!, [2, 1])),
  one('indexAdd', [[4, 2], [3, 2]], (x, y) => indexAdd(x!, [1, 1, -1], y!)), one('scatterAdd', [[2, 3], [2, 2]], (x, y) => scatterAdd(x!, indices([2, 2], 0, 0, 2, -1), y!, 1)),
  one('convert to complex', [[3]], (x) => convert(x!, 'complex128')),
];

const reductions: readonly DerivativeCase[] = [
  ...[undefined, 0, [0, 2], []].flatMap((axes) => [true, false].flatMap((keepdims) => {
    const options = { ...(axes === undefined ? {} : { axes }), keepdims };
    const label = `${JSON.stringify(axes ?? 'all')}${keepdims ? ' kept' : ''}`;
    const shape = [[2, 3, 2]];
    return [
      one(`sum ${label}`, shape, (x) => sum(x!, options)), one(`prod ${label}`, shape, (x) => prod(x!, options), { region: 'away from 0' }),
      one(`reduceMax ${label}`, shape, (x) => reduceMax(x!, options), { region: 'distinct' }), one(`reduceMin ${label}`, shape, (x) => reduceMin(x!, options), { region: 'distinct' }),
    ];
  })),
  one('prod with one 0', [[4]], (x) => prod(x!), { at: [[2, 0, 3, 4]] }), one('prod with two 0', [[3]], (x) => prod(x!), { at: [[0, 0, 3]] }), one('prod with three 0', [[3]], (x) => prod(x!), { at: [[0, 0, 0]] }),
  one('prod of one', [[2, 1]], (x) => prod(x!, { axes: 1 })), one('prod of none', [[2, 0]], (x) => prod(x!, { axes: 1 })), one('sum of none', [[2, 0]], (x) => sum(x!)),
  one('sum of a scalar', [[]], (x) => sum(x!)),
];

const contractions: readonly DerivativeCase[] = [
  one('matmul', [[2, 3], [3, 4]], (x, y) => matmul(x!, y!)), one('matmul of vectors', [[3], [3]], (x, y) => matmul(x!, y!)), one('matmul matrix vector', [[2, 3], [3]], (x, y) => matmul(x!, y!)), one('matmul vector matrix', [[3], [3, 2]], (x, y) => matmul(x!, y!)),
  one('matmul batched', [[2, 1, 2, 3], [3, 3, 2]], (x, y) => matmul(x!, y!)), one('matmul of itself', [[3, 3]], (x) => matmul(x!, x!)), one('matmul over nothing', [[2, 0], [0, 3]], (x, y) => matmul(x!, y!)),
  one('dot with axes in other orders', [[2, 3, 4], [4, 5, 2]], (x, y) => dotGeneral(x!, y!, { lhsContract: [2, 0], rhsContract: [0, 2] })),
  one('dot with batch axes in other orders', [[2, 3, 4, 2], [3, 2, 5, 2]], (x, y) => dotGeneral(x!, y!, { lhsContract: [3], rhsContract: [1], lhsBatch: [1, 0], rhsBatch: [0, 3] })),
  one('dot with batch and several contracted', [[2, 2, 3, 4], [3, 2, 2, 4]], (x, y) => dotGeneral(x!, y!, { lhsContract: [2, 1], rhsContract: [0, 2], lhsBatch: [0], rhsBatch: [1] })),
  one('outer product', [[2], [3]], (x, y) => dotGeneral(x!, y!, {})),
];

const compositions: readonly DerivativeCase[] = [
  one('softmax', [[2, 3]], (x) => softmax(x!), { region: 'distinct' }), one('logSoftmax', [[2, 3]], (x) => logSoftmax(x!, 0), { region: 'distinct' }), one('logSumExp', [[2, 3]], (x) => logSumExp(x!, { axes: 1 }), { region: 'distinct' }), one('logSumExp of all', [[2, 3]], (x) => logSumExp(x!), { region: 'distinct' }),
  one('layerNorm', [[2, 3]], (x) => layerNorm(x!)), one('layerNorm with scale and shift', [[2, 3], [3], [3]], (x, scale, shift) => layerNorm(x!, { scale: scale!, shift: shift! } as never)),
  one('mean', [[2, 3]], (x) => mean(x!, { axes: 0 })), one('variance', [[2, 3]], (x) => variance(x!, { axes: 1, ddof: 1 })), one('std', [[4]], (x) => std(x!)),
  one('relu', [[5]], (x) => relu(x!), { region: 'distinct' }), one('silu', [[5]], (x) => silu(x!)), one('gelu', [[5]], (x) => gelu(x!)), one('geluTanh', [[5]], (x) => geluTanh(x!)),
];

export { type DerivativeCase, pointOf, programOf } from './derivative-case.testing.ts';

export const derivativeCases: readonly DerivativeCase[] = [...elementwise, ...functionCases, ...controlCases, ...movement, ...reductions, ...contractions, ...complexCases, ...compositions, ...structureCases];
