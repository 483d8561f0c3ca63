/** What the compiler says where an integer or a boolean is given and a derivative is wanted. */
import type { DType, InexactDType } from './dtype.ts';

/** The words that stand in the wanted type's place. */
export type NoTangent<D extends DType> = `float or complex only: ${D} has no derivative; convert it first`;

/**
 * Joined to a parameter's type: no condition where a value of dtype `D` may carry a tangent, as it may where the dtype is
 * not known; otherwise words that no value is assignable to.
 */
export type Differentiable<D extends DType> = [D] extends [never] ? unknown : [Extract<D, InexactDType>] extends [never] ? NoTangent<D> : unknown;
