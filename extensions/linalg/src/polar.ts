/** Polar decompositions. */
import { checkOptions, type DType, type FloatResult, type Kind, type Of, type Operand, type OptionChecks } from '@tf/core';
import { adjoint, hermitianPart, scaleColumns, scaleRows, times } from './algebra.ts';
import { rectangularOperand } from './arguments.ts';
import { oneOf } from './options.ts';
import { svd } from './svd/svd.ts';

export interface PolarOptions {
  /** `right`: x = U P. `left`: x = P U. `right` when absent. */
  readonly side?: 'right' | 'left';
}

export interface Polar<K extends Kind, D extends DType> {
  /** With orthonormal columns or rows, whichever are fewer: [..., m, n]. */
  readonly u: Of<K, FloatResult<D>>;
  /** Hermitian, with no negative eigenvalue: [..., n, n], on the left [..., m, m]. */
  readonly p: Of<K, FloatResult<D>>;
}

const polarChecks: OptionChecks = { side: oneOf('right', 'left') };

/**
 * The polar decomposition of matrices: x = U P, or P U with `side: 'left'`, by the singular value decomposition W diag(s) Vᴴ: U = W Vᴴ,
 * P = V diag(s) Vᴴ. U is determined, and has a derivative, where no singular value is 0; equal ones do no harm to it.
 *
 * @throws ShapeError for fewer than two axes, ArgumentError for another side.
 * @example
 * import { tensor } from '@tf/core';
 * import { polar } from '@tf/linalg';
 * const { u, p } = polar(tensor([[0, 2], [-3, 0], [0, 0]]));
 * if ([u, p].map(({ type }) => type.key).join() !== 'f64[3, 2],f64[2, 2]') throw new Error('unexpected');
 */
export function polar<K extends Kind, D extends DType>(x: Operand<K, D>, options: PolarOptions = {}): Polar<K, D> {
  const op = 'polar';
  checkOptions(op, options, polarChecks);
  const { u: w, s, vh } = svd(rectangularOperand(op, 'x', x)) as unknown as Record<'u' | 's' | 'vh', Operand>;
  const p = options.side === 'left' ? times(scaleColumns(w, s), adjoint(w)) : times(adjoint(vh), scaleRows(s, vh));
  return { u: times(w, vh), p: hermitianPart(p) } as unknown as Polar<K, D>;
}
