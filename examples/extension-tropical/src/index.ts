/** Max-plus ("tropical") matrix products as a family of their own: the core knows nothing of them. */
import { add, applyOperation, argmax, type Dim, type DType, contractVersion, expandDims, type Extension, type FloatResult, type JoinDType, type JoinKind, type Of, type Operand, type Operation, productOfDims, promote, convert, floatResult, reduceMax, requireSameDim, type Rule, takeAlongAxis, tensorType, type TensorType, TfError, type Var } from '@tf/core';

const family = 'tf.example.tropical.v1';
const id = `${family}.matmul`;
const version = '1.0.0';

/**
 * c[…, i, j] = max over k of a[…, i, k] + b[…, k, j], and the int32 k of each (the first of several). The second output is what the
 * derivative needs: it is computed once, on the way.
 */
export const tropicalOperation: Operation = {
  id,
  family,
  name: 'matmul',
  package: '@tf/example-tropical',
  version,
  infer(inputs, _params, sink) {
    const [a, b] = inputs as readonly [TensorType, TensorType];
    const refuse = (name: 'DTypeError' | 'ShapeError', why: string): never => {
      throw new TfError(name, `${id}: ${why}, got ${a.key} and ${b.key}.`, { op: id, lhs: a.shape, rhs: b.shape });
    };
    if (a.dtype !== b.dtype || (a.dtype !== 'float32' && a.dtype !== 'float64')) refuse('DTypeError', 'takes two tensors of float32, or two of float64');
    const rank = a.shape.length;
    if (rank < 2 || rank !== b.shape.length) refuse('ShapeError', 'takes two matrices, or two batches of them of the same rank');
    const [batch, [m, k], [rows, n]] = [a.shape.slice(0, -2), a.shape.slice(-2), b.shape.slice(-2)] as [Dim[], [Dim, Dim], [Dim, Dim]];
    const fits = requireSameDim(k, rows, `${id}: columns of a, rows of b`, sink) && batch.every((extent, axis) => requireSameDim(extent, b.shape[axis]!, `${id}: axis ${axis}`, sink));
    if (!fits) refuse('ShapeError', 'takes as many columns of a as rows of b, and batches of one size');
    if (k === 0) refuse('ShapeError', 'there is no largest of no sums; k must be at least 1');
    const shape = [...batch, m, n];
    return [tensorType(a.dtype, shape), tensorType('int32', shape)];
  },
  traits: {
    /** The kernel of `host.ts`, where an engine was given it. */
    call: (_params, [a, b]) => ({ symbol: `${id}.${a!.dtype}`, integers: [productOfDims(a!.shape.slice(0, -2)), ...a!.shape.slice(-2), b!.shape.at(-1)!] }),
  },
  /** Without it: all sums at once, then the largest. */
  lower([a, b]) {
    const sums = add(expandDims(a as Var, -1), expandDims(b as Var, -3));
    return [reduceMax(sums, { axes: -2 }), argmax(sums, { axis: -2 })];
  },
};

/** Where the largest sum is, a and b each move it one for one: dc[i, j] = da[i, k(i, j)] + db[k(i, j), j]. */
export const tropicalRule: Rule = {
  kind: 'rule',
  linearize(ctx, [da, db]) {
    const k = ctx.output(1) as Var<'int32'>;
    const parts = [da === undefined ? [] : takeAlongAxis(da, k, -1), db === undefined ? [] : takeAlongAxis(db, k, -2)].flat() as Var[];
    return [parts.length === 0 ? undefined : parts.reduce((x, y) => add(x, y)), undefined];
  },
  batch: 'leading',
};

/** For `createCatalog([tropicalExtension])`. */
export const tropicalExtension: Extension = { contract: contractVersion, family, package: '@tf/example-tropical', version, operations: [tropicalOperation], rules: { matmul: tropicalRule } };

/** The max-plus product of matrices, or of batches of them: max over k of a[…, i, k] + b[…, k, j]. */
export function tropicalMatmul<A extends Operand, B extends Operand>(a: A, b: B): Of<JoinKind<A, B>, FloatResult<JoinDType<A, B> & DType>> {
  const dtype = floatResult(promote(a.type.dtype, b.type.dtype));
  return applyOperation(tropicalOperation, [convert(a, dtype), convert(b, dtype)], {})[0] as Of<JoinKind<A, B>, FloatResult<JoinDType<A, B> & DType>>;
}
