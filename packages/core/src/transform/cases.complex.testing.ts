/** Operations on complex operands: at points and along directions with independent real and imaginary parts. */
import type { Var } from '../contract.ts';
import { mean, std, variance } from '../compositions/statistics.ts';
import { add, mul, neg, sub } from '../primitives/arithmetic.ts';
import { complex, imag, real } from '../primitives/complex-parts.ts';
import { conj } from '../primitives/conjugate.ts';
import { dotGeneral, matmul } from '../primitives/contraction.ts';
import { cast } from '../primitives/convert.ts';
import { div, divideOrZero } from '../primitives/division.ts';
import { exp, expm1, log, log1p, sqrt, tanh } from '../primitives/functions.ts';
import { acosh, asinh, atanh, cosh, sinh } from '../primitives/hyperbolic.ts';
import { take } from '../primitives/indexing.ts';
import { exp2, log10, log2 } from '../primitives/logarithms.ts';
import { abs, angle, sign } from '../primitives/magnitude.ts';
import { transpose } from '../primitives/movement.ts';
import { multiplyOrZero } from '../primitives/multiply-or-zero.ts';
import { pow } from '../primitives/power.ts';
import { prod } from '../primitives/product.ts';
import { sum } from '../primitives/reduce.ts';
import { select } from '../primitives/select.ts';
import { concat, pad, slice } from '../primitives/slicing.ts';
import { cos, rsqrt, sigmoid, sin } from '../primitives/special.ts';
import { acos, asin, atan, tan } from '../primitives/trigonometric.ts';
import { tensor } from '../tensor/create.ts';
import { type DerivativeCase, many, one, pairShapes, type Region, unaryShapes } from './derivative-case.testing.ts';

const dtype = 'complex128';
const mask = tensor([[true, false, true], [false, false, true]]);
const unary = (name: string, apply: (x: Var) => unknown, region: Region = 'any'): readonly DerivativeCase[] => many(name, unaryShapes, region, (x) => apply(x!), dtype);
const binary = (name: string, apply: (x: Var, y: Var) => unknown, region: Region = 'any'): readonly DerivativeCase[] => many(name, pairShapes, region, (x, y) => apply(x!, y!), dtype);

const arithmetic: readonly DerivativeCase[] = [
  ...binary('add', add), ...binary('sub', sub), ...binary('mul', mul), ...binary('div', div, 'away from 0'),
  ...binary('divideOrZero', divideOrZero, 'away from 0'), ...binary('multiplyOrZero', multiplyOrZero),
  ...unary('neg', neg), ...unary('square', (x) => mul(x, x)), ...unary('conj', conj),
];

const parts: readonly DerivativeCase[] = [
  ...unary('real', real), ...unary('imag', imag), ...unary('squared modulus', (x) => real(mul(x, conj(x)))), ...unary('abs', abs, 'away from 0'), ...unary('sign', sign, 'away from 0'), ...unary('angle', angle, 'away from 0'),
  ...many('complex', pairShapes, 'any', (x, y) => complex(x!, y!)), one('complex of one part', [[3]], (x) => [complex(x!, 2), complex(-1, x!)]),
  one('cast to real', [[3]], (x) => cast(x!, 'float64'), { dtype }), one('real times complex', [[2]], (x) => mul(real(x!), x!), { dtype }),
  one('real of a product of parts', [[2, 3], [3]], (x, y) => mul(complex(real(x!), imag(y!)), conj(y!)), { dtype }),
];

const functions: readonly DerivativeCase[] = [
  ...unary('exp', exp), ...unary('expm1', expm1), ...unary('sqrt', sqrt, 'away from 0'), ...unary('rsqrt', rsqrt, 'away from 0'),
  ...unary('sin', sin), ...unary('cos', cos), ...unary('tanh', tanh), ...unary('sigmoid', sigmoid),
  ...unary('log', log, 'away from 0'), ...unary('log1p', log1p, 'away from 0'), ...unary('exp2', exp2), ...unary('log2', log2, 'away from 0'), ...unary('log10', log10, 'away from 0'),
  ...binary('pow', pow, 'away from 0'), one('complex pow of whole exponents', [[3]], (x) => [pow(x!, 2), pow(x!, 3), pow(x!, -1), pow(x!, 0)], { dtype, region: 'away from 0' }),
  ...unary('tan', tan), ...unary('sinh', sinh), ...unary('cosh', cosh), ...unary('asin', asin, 'away from 0'), ...unary('acos', acos, 'away from 0'), ...unary('atan', atan, 'away from 0'),
  ...unary('asinh', asinh, 'away from 0'), ...unary('acosh', acosh, 'away from 0'), ...unary('atanh', atanh, 'away from 0'),
];

const others: readonly DerivativeCase[] = [
  one('complex matmul', [[2, 3], [3, 2]], (x, y) => matmul(x!, y!), { dtype }), one('complex dot', [[2, 3, 4], [4, 5, 2]], (x, y) => dotGeneral(x!, y!, { lhsContract: [2, 0], rhsContract: [0, 2] }), { dtype }),
  one('complex sum', [[2, 3]], (x) => sum(x!, { axes: 0 }), { dtype }), one('complex prod', [[2, 3]], (x) => prod(x!, { axes: 1 }), { dtype }),
  one('complex mean', [[2, 3]], (x) => mean(x!, { axes: 0 }), { dtype }), one('complex variance', [[2, 3]], (x) => variance(x!, { axes: 1 }), { dtype }), one('complex std', [[4]], (x) => std(x!), { dtype }),
  one('complex select', [[2, 3], [3]], (x, y) => select(mask, x!, y!), { dtype }), one('complex pad', [[3]], (x) => pad(x!, { low: [1], high: [-1], interior: [1] }), { dtype }), one('complex pad with a value', [[3], []], (x, v) => pad(x!, { low: [1], high: [-1], interior: [1], value: v! }), { dtype }), one('complex slice', [[5]], (x) => slice(x!, [1], [5], [2]), { dtype }),
  one('complex take', [[3, 2]], (x) => take(x!, [2, 2, -3]), { dtype }), one('complex transpose', [[2, 3]], (x) => transpose(x!), { dtype }), one('complex concat', [[2], [1]], (x, y) => concat([x!, y!]), { dtype }),
];

export const complexCases: readonly DerivativeCase[] = [...arithmetic, ...parts, ...functions, ...others];
