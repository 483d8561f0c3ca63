import type { Complex } from '../loop/functions/complex/complex.ts';
import { complexPow } from '../loop/functions/complex/power.ts';
import { call } from '../loop/scalar.ts';
import { scalarLiteral } from '../program/literal.ts';
import { floatResult, type FloatResult } from '../types/dtype.ts';
import { type Argument, isOperand, type JoinDType, type JoinKind, type Of, type Operand } from '../types/operand.ts';
import { applyPromoted, commonDType } from './arguments.ts';
import { mul, sub } from './arithmetic.ts';
import { equal, greaterEqual } from './compare.ts';
import { real } from './complex-parts.ts';
import { convert } from './convert.ts';
import { inexact, type Primitive } from './define.ts';
import { defineElementwise } from './elementwise.ts';
import { log } from './functions.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { partials } from './rules.ts';
import { select } from './select.ts';

export const powPrimitive: Primitive = defineElementwise({
  name: 'pow',
  inputs: 2,
  dtypes: inexact,
  real: (x, y) => call('pow', x!.type, x!, y!),
  complex: (x, y) => complexPow(x as Complex, y as Complex),
  rule: partials(
    // y·x^(y−1), and 0 for y = 0 also where the power is infinite.
    (ctx, dx) => {
      const [x, y] = [ctx.input(0), ctx.input(1)];
      return multiplyOrZero(dx, multiplyOrZero(y, pow(x, sub(y, 1))));
    },
    // x^y·log x; at x = 0 it is 0 for y ≥ 0 (semantics.md §2) and −∞ below.
    (ctx, dy) => {
      const [x, y] = [ctx.input(0), ctx.input(1)];
      const flat = select(equal(x, 0), greaterEqual(real(y), 0), false);
      return multiplyOrZero(dy, mul(ctx.output(0), log(select(flat, 1, x))));
    },
  ),
});

/**
 * a to the power b, elementwise, with broadcasting; integers are computed in float64. A numeric exponent is part of the
 * program; the exponent 2 is x·x. Special cases as IEEE 754's pow: pow(x, 0) = 1, pow(1, y) = 1. Of complex numbers e^(b·log a), principal branch.
 *
 * @example
 * import { Builder, pow, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3]), 'x');
 * if (pow(x, 3).type.key !== 'f64[3]') throw new Error('unexpected');
 */
export function pow<A extends Argument, B extends Argument>(a: A, b: B): Of<JoinKind<A, B>, FloatResult<JoinDType<A, B>>> {
  if (b === 2 && isOperand(a)) {
    const x = convert(a, floatResult(a.type.dtype)) as Operand;
    return mul(x, x) as Of<JoinKind<A, B>, FloatResult<JoinDType<A, B>>>;
  }
  const known = typeof b === 'number' || typeof b === 'boolean';
  const exponent = known && isOperand(a) ? (scalarLiteral(commonDType([a, b], 'float'), b) as unknown as Operand) : b;
  return applyPromoted(powPrimitive.operation, [a, exponent], {}, 'float') as Of<JoinKind<A, B>, FloatResult<JoinDType<A, B>>>;
}
