/** Algorithms of complex functions, by the names of the real ones: expressions over the real functions of the loop language. */
import type { ScalarExpr } from '../../../types/loop-language.ts';
import { complexCos, complexCosh, complexSin, complexSinh, complexTan, complexTanh } from './circular.ts';
import type { Complex } from './complex.ts';
import { complexExp, complexExp2, complexExpm1, complexSigmoid } from './exponential.ts';
import { complexAcos, complexAcosh, complexAsin, complexAsinh, complexAtan, complexAtanh } from './inverse.ts';
import { complexLog, complexLog10, complexLog1p, complexLog2 } from './logarithm.ts';
import { complexRsqrt, complexSqrt } from './square-root.ts';

/** Functions of one complex argument; principal branches, on a cut the side that the sign of zero names. */
export const complexFunctions: { readonly [name: string]: (z: Complex) => readonly [ScalarExpr, ScalarExpr] } = {
  acos: complexAcos, acosh: complexAcosh, asin: complexAsin, asinh: complexAsinh, atan: complexAtan, atanh: complexAtanh,
  cos: complexCos, cosh: complexCosh, exp: complexExp, exp2: complexExp2, expm1: complexExpm1, log: complexLog, log10: complexLog10, log1p: complexLog1p, log2: complexLog2,
  rsqrt: complexRsqrt, sigmoid: complexSigmoid, sin: complexSin, sinh: complexSinh, sqrt: complexSqrt, tan: complexTan, tanh: complexTanh,
};
