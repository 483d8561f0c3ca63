import * as scalar from '../loop/scalar.ts';
import type { DType } from '../types/dtype.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Argument, JoinKind, Of } from '../types/operand.ts';
import { applyPromoted } from './arguments.ts';
import { anyDType, ordered, type Primitive } from './define.ts';
import { defineElementwise, type Lanes } from './elementwise.ts';
import { noRule } from './rules.ts';

type Comparison = (a: ScalarExpr, b: ScalarExpr) => ScalarExpr;

function defineComparison(name: string, compare: Comparison, dtypes: readonly DType[], complex?: (a: Lanes, b: Lanes) => ScalarExpr): Primitive {
  return defineElementwise({
    name, inputs: 2, dtypes, result: () => 'bool',
    real: (a, b) => compare(a!, b!),
    ...(complex === undefined ? {} : { complex: (...args: readonly Lanes[]) => [complex(args[0]!, args[1]!)] }),
    rule: noRule('a comparison is piecewise constant; its result is boolean'),
  });
}

const both = (a: Lanes, b: Lanes): ScalarExpr => scalar.and(scalar.eq(a[0], b[0]), scalar.eq(a[1]!, b[1]!));

export const equalPrimitive: Primitive = defineComparison('equal', scalar.eq, anyDType, both);
export const notEqualPrimitive: Primitive = defineComparison('notEqual', scalar.ne, anyDType, (a, b) => scalar.not(both(a, b)));
export const lessPrimitive: Primitive = defineComparison('less', scalar.lt, ordered);
export const lessEqualPrimitive: Primitive = defineComparison('lessEqual', scalar.le, ordered);
export const greaterPrimitive: Primitive = defineComparison('greater', scalar.gt, ordered);
export const greaterEqualPrimitive: Primitive = defineComparison('greaterEqual', scalar.ge, ordered);

type Truth<A extends Argument, B extends Argument> = Of<JoinKind<A, B>, 'bool'>;

function applyComparison<A extends Argument, B extends Argument>(primitive: Primitive, a: A, b: B): Truth<A, B> {
  return applyPromoted(primitive.operation, [a, b], {}, 'common') as Truth<A, B>;
}

/** a = b, elementwise, as bool; NaN equals nothing. */
export function equal<A extends Argument, B extends Argument>(a: A, b: B): Truth<A, B> {
  return applyComparison(equalPrimitive, a, b);
}

/** a ≠ b, elementwise, as bool. */
export function notEqual<A extends Argument, B extends Argument>(a: A, b: B): Truth<A, B> {
  return applyComparison(notEqualPrimitive, a, b);
}

/** a < b, elementwise, as bool; real operands only. */
export function less<A extends Argument, B extends Argument>(a: A, b: B): Truth<A, B> {
  return applyComparison(lessPrimitive, a, b);
}

/** a ≤ b, elementwise, as bool; real operands only. */
export function lessEqual<A extends Argument, B extends Argument>(a: A, b: B): Truth<A, B> {
  return applyComparison(lessEqualPrimitive, a, b);
}

/** a > b, elementwise, as bool; real operands only. */
export function greater<A extends Argument, B extends Argument>(a: A, b: B): Truth<A, B> {
  return applyComparison(greaterPrimitive, a, b);
}

/** a ≥ b, elementwise, as bool; real operands only. */
export function greaterEqual<A extends Argument, B extends Argument>(a: A, b: B): Truth<A, B> {
  return applyComparison(greaterEqualPrimitive, a, b);
}

export const comparePrimitives: readonly Primitive[] = [equalPrimitive, notEqualPrimitive, lessPrimitive, lessEqualPrimitive, greaterPrimitive, greaterEqualPrimitive];
