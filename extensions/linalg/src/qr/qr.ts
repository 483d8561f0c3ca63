/** QR decompositions for users. */
import { checkOptions, convert, diagonal, type Dim, type DType, type FloatResult, type Kind, less, type Of, type Operand, type OptionChecks, pad, select, subDims } from '@tf/core';
import { realPartOf, scaleColumns, scaleRows } from '../algebra.ts';
import { matrixOperand } from '../arguments.ts';
import { leadingBlock } from '../blocks.ts';
import { smallerDim } from '../family.ts';
import { oneOf } from '../options.ts';
import { qrCompleteOperation, type QrFactors, qrOf, qrOperation } from './operation.ts';

export interface QrOptions {
  /** `reduced` when absent: Q [..., m, k], R [..., k, n] with k = min(m, n). `complete`: Q [..., m, m], R [..., m, n]. */
  readonly mode?: 'reduced' | 'complete';
  /** `raw` when absent: the signs of R's real diagonal as the reflections give them. `positiveDiagonal`: none of it is negative. */
  readonly gauge?: 'raw' | 'positiveDiagonal';
}

export interface Qr<K extends Kind, D extends DType> {
  /** Of orthonormal columns. */
  readonly q: Of<K, FloatResult<D>>;
  /** Upper triangular, its diagonal real. */
  readonly r: Of<K, FloatResult<D>>;
}

const checks: OptionChecks = { mode: oneOf('reduced', 'complete'), gauge: oneOf('raw', 'positiveDiagonal') };

/**
 * The QR decomposition x = Q R of matrices of any shape, by Householder reflections. Differentiable where the leading min(m, n) columns
 * are independent; else the run of the derivative is a LinalgError.
 *
 * @throws ShapeError for fewer than two axes, ArgumentError for options that are none.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { qr } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { evaluate } from '@tf/traced';
 * const engine = await createEngine({ modules: [linalgHost()] });
 * const { r } = qr(tensor([[3], [4]]), { gauge: 'positiveDiagonal' });
 * console.log(evaluate(r, engine).toArray()); // → [ [ 5 ] ]
 */
export function qr<K extends Kind, D extends DType>(x: Operand<K, D>, options: QrOptions = {}): Qr<K, D> {
  const op = 'qr';
  checkOptions(op, options, checks);
  const { mode = 'reduced', gauge = 'raw' } = options;
  const factors = qrOf(mode === 'reduced' ? qrOperation : qrCompleteOperation, matrixOperand(op, 'x', x));
  return (gauge === 'raw' ? factors : withPositiveDiagonal(factors)) as unknown as Qr<K, D>;
}

/** Q's columns and R's rows turned by the signs of R's diagonal, which are constant for derivatives. */
function withPositiveDiagonal({ q, r }: QrFactors): QrFactors {
  const [rows, columns] = r.type.shape.slice(-2) as unknown as readonly [Dim, Dim];
  const smaller = smallerDim('qr', rows, columns);
  const isNegative = less(realPartOf(diagonal(leadingBlock(r, smaller, smaller)) as Operand), 0) as Operand<Kind, 'bool'>;
  const signs = convert(select(isNegative, -1, 1) as Operand, realPartOf(r).type.dtype) as Operand;
  const further = subDims(rows, smaller);
  const all = further === 0 ? signs : (pad(signs, { low: signs.type.shape.map(() => 0), high: [...signs.type.shape.slice(0, -1).map(() => 0), further], value: 1 }) as Operand);
  return { q: scaleColumns(q, all), r: scaleRows(all, r) };
}
