/** A family of operations: copy this file, rename it, and replace log cosh by what you need. */
import { abs, add, applyOperation, contractVersion, convert, type DType, type Extension, floatResult, type FloatResult, type Kind, mul, type Of, type Operand, type Operation, type Rule, softplus, sub, tanh, TfError, type Var } from '@tf/core';

/** Your own prefix, the family's name, its version. Nobody else registers a family of this id. */
const family = 'acme.logcosh.v1';
const id = `${family}.logcosh`;
/** That of package.json. */
const version = '1.0.0';

/** log cosh x = |x| + log(1 + e^(−2|x|)) − log 2, which does not overflow where cosh x would. */
const operation: Operation = {
  id,
  family,
  name: 'logcosh',
  /** Whom errors name where something of the family is missing. */
  package: '@acme/tf-logcosh',
  /** Values of one copy of the package and rules of another meet only where these are equal. */
  version,
  /** Types out from types in; what does not fit is an error that says how to mend it. */
  infer: ([x]) => {
    if (x?.dtype !== 'float32' && x?.dtype !== 'float64') throw new TfError('DTypeError', `${id}: takes float32 or float64, got ${x?.key ?? 'nothing'}. Convert it first.`, { op: id });
    return [x];
  },
  /** What passes may know of it: nothing more than that it can be lowered. */
  traits: {},
  /** The same in operations that every engine has. */
  lower: ([x]) => [sub(add(abs(x as Var), softplus(mul(abs(x as Var), -2))), Math.LN2)],
};

/** d log cosh x = tanh x · dx. The reverse derivative follows from it. */
const rule: Rule = {
  kind: 'rule',
  linearize: (ctx, [dx]) => [dx === undefined ? undefined : mul(tanh(ctx.input(0)), dx)],
  /** It takes tensors of any rank, so a batch is one more axis in front. */
  batch: 'leading',
};

/** For `createCatalog([logcoshExtension])`. */
export const logcoshExtension: Extension = { contract: contractVersion, family, package: '@acme/tf-logcosh', version, operations: [operation], rules: { logcosh: rule } };

/** log cosh, element by element: traced, eager or within another rule, whichever the operand is. */
export function logcosh<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyOperation(operation, [convert(x, floatResult(x.type.dtype))], {})[0] as Of<K, FloatResult<D>>;
}
