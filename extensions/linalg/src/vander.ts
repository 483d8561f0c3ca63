import { checkOptions, cumprod, type DType, equal, iotaBeside, isDim, isKnown, type Dim, type Kind, type Of, type Operand, type OptionChecks, requireFlag, select, sub, TfError, wrongNumber, extentOf } from '@tf/core';
import { asColumn } from './algebra.ts';
import { numericOperand } from './arguments.ts';

export interface VanderOptions {
  /** How many columns; as many as rows when absent. */
  readonly n?: Dim;
  /** Powers rise from left to right; when absent they fall. */
  readonly increasing?: boolean;
}

function requireColumns(op: string, argument: string, n: unknown): void {
  if (typeof n === 'number' ? Number.isSafeInteger(n) && n >= 0 : isDim(n)) return;
  throw wrongNumber(op, argument, n, 'a number of columns');
}

const checks: OptionChecks = { n: requireColumns, increasing: requireFlag };

/**
 * Vandermonde matrices: the powers of the elements of the last axis, [..., m] → [..., m, n]. Column j has xⁿ⁻¹⁻ʲ, with `increasing` xʲ.
 *
 * @throws ShapeError for rank 0, DTypeError for bool, ArgumentError for an n that is no extent.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { vander } from '@tf/linalg';
 * import { evaluate } from '@tf/traced';
 * console.log(evaluate(vander(tensor([2, 3]), { n: 3 }), await createEngine()).toArray()); // → [ [ 4, 2, 1 ], [ 9, 3, 1 ] ]
 */
export function vander<K extends Kind, D extends DType>(x: Operand<K, D>, options: VanderOptions = {}): Of<K, D> {
  const op = 'vander';
  numericOperand(op, 'x', x);
  checkOptions(op, options, checks);
  const { shape } = x.type;
  if (shape.length === 0) throw new TfError('ShapeError', `${op}: takes vectors in the last axis, got ${x.type.key}. Reshape it to [1].`, { op, shape });
  const { n = shape.at(-1) as Dim, increasing = false } = options;
  const first = increasing ? 0 : isKnown(n) ? n - 1 : (sub(extentOf(x, n), 1) as Operand);
  const isFirst = equal(iotaBeside(op, x, n), first as Operand) as Operand<Kind, 'bool'>;
  return cumprod(select(isFirst, 1, asColumn(x)) as Operand, -1, { reverse: !increasing }) as Of<K, D>;
}
