/** The derivatives of functions on elements. */
import { elu, hardSwish, leakyRelu, logSigmoid } from '../compositions/activations.ts';
import { reciprocal, square } from '../compositions/powers.ts';
import type { Var } from '../contract.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { clamp } from '../primitives/clamp.ts';
import { erfinv } from '../primitives/erfinv.ts';
import { digamma, lgamma, polygamma } from '../primitives/gamma.ts';
import { acosh, asinh, atanh, cosh, sinh } from '../primitives/hyperbolic.ts';
import { exp2, log10, log2, logAddExp } from '../primitives/logarithms.ts';
import { floorDivide, fmod, remainder } from '../primitives/remainders.ts';
import { cbrt, hypot } from '../primitives/roots.ts';
import { ceil, floor, round, trunc } from '../primitives/rounding.ts';
import { acos, asin, atan, atan2, tan } from '../primitives/trigonometric.ts';
import { binary, type DerivativeCase, one, unary } from './derivative-case.testing.ts';

const clampCases: readonly DerivativeCase[] = [
  ...binary('clamp from below', (x, y) => clamp(x, y), 'distinct'), ...binary('clamp from above', (x, y) => clamp(x, undefined, y), 'distinct'),
  one('clamp by tensors', [[2, 3], [3], [2, 1]], (x, low, high) => clamp(x!, low!, high!), { region: 'distinct' }),
  one('clamp by numbers', [[2, 3]], (x) => [clamp(x!, -0.4, 0.6), clamp(x!, 0), clamp(x!, undefined, 0)], { region: 'distinct' }),
];

/** Within ±0.9, where the inverse functions are smooth. */
const inside = (f: (x: Var) => unknown) => (x: Var): unknown => f(mul(x, 0.6) as Var);

const transcendental: readonly DerivativeCase[] = [
  ...unary('tan', inside(tan)), ...unary('asin', inside(asin)), ...unary('acos', inside(acos)), ...unary('atan', atan), ...binary('atan2', atan2, 'away from 0'),
  ...unary('sinh', sinh), ...unary('cosh', cosh), ...unary('asinh', asinh), ...unary('acosh', (x) => acosh(add(x, 1)), 'positive'), ...unary('atanh', inside(atanh)),
  ...unary('exp2', exp2), ...unary('log2', log2, 'positive'), ...unary('log10', log10, 'positive'), ...binary('logAddExp', logAddExp),
  ...unary('cbrt', cbrt, 'away from 0'), ...binary('hypot', hypot, 'away from 0'),
  ...unary('lgamma', lgamma, 'positive'), ...unary('digamma', digamma, 'positive'), ...unary('polygamma', (x) => [polygamma(1, x), polygamma(2, x)], 'positive'), ...unary('erfinv', inside(erfinv)),
  one('gamma functions below 0', [[3]], (x) => [lgamma(x!), digamma(x!), polygamma(1, x!), polygamma(2, x!)], { at: [[-0.4, -1.7, -2.45]] }),
  one('logAddExp of equal values', [[2], [2]], (x, y) => logAddExp(x!, y!), { at: [[1, -2], [1, -2]] }),
];

/** Quotients are no integers: 5.3/3, −5.3/3, 7.1/−2. */
const remainders: readonly DerivativeCase[] = [['fmod', fmod] as const, ['remainder', remainder] as const, ['floorDivide', floorDivide] as const].flatMap(([name, f]) => [
  one(`${name} [3] [3]`, [[3], [3]], (x, y) => f(x!, y!), { at: [[5.3, -5.3, 7.1], [3, 3, -2]] }),
  one(`${name} [2,1] [2]`, [[2, 1], [2]], (x, y) => f(x!, y!), { at: [[5.3, -0.7], [0.4, -0.9]] }),
]);

export const functionCases: readonly DerivativeCase[] = [
  ...unary('floor', floor, 'distinct'), ...unary('ceil', ceil, 'distinct'), ...unary('round', (x) => round(mul(x, 0.8)), 'distinct'), ...unary('trunc', trunc, 'distinct'),
  ...clampCases, ...transcendental, ...remainders,
  ...unary('square', square), ...unary('reciprocal', reciprocal, 'away from 0'), ...unary('logSigmoid', logSigmoid),
  ...unary('leakyRelu', (x: Var) => [leakyRelu(x), leakyRelu(x, 0.3)], 'distinct'), ...unary('elu', (x: Var) => [elu(x), elu(x, 0.3)], 'distinct'), ...unary('hardSwish', hardSwish, 'distinct'),
];
