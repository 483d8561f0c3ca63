import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, and, constant, copysign, eq, lt, not, select, xor } from '../scalar.ts';
import { fmod } from './fmod.ts';

/** x − y·⌊x/y⌋: the remainder of truncated division, and y more where the signs differ. A zero has the sign of y, as in Python. */
export function remainder(args: readonly ScalarExpr[]): ScalarExpr {
  const y = args[1]!;
  const zero = constant(y.type, 0);
  const rest = fmod(args);
  return select(hasOtherSign(rest, y), add(rest, y), select(eq(rest, zero), copysign(zero, y), rest));
}

/** Whether a remainder is not 0 and its sign not that of the divisor. */
export function hasOtherSign(rest: ScalarExpr, divisor: ScalarExpr): ScalarExpr {
  const zero = constant(rest.type, 0);
  return and(not(eq(rest, zero)), xor(lt(rest, zero), lt(divisor, zero)));
}
