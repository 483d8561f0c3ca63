/** What all operations of the family have in common. */
import { type ConstraintSink, type Dim, type DType, dimText, isInexact, isKnown, isNeverNegative, type KernelCall, type Operation, type Params, productOfDims, requireSameDim, type Rule, sameDim, type Shape, subDims, type TensorType, TfError, type Traits } from '@tf/core';
import { linalgVersion } from './version.ts';
import { workspaceBytes } from './workspace.ts';

export const linalgFamily = 'tf.linalg.v1';

/** An operation with its rule. */
export interface FamilyOperation {
  readonly operation: Operation;
  readonly rule: Rule;
}

export interface LinalgDefinition {
  readonly name: string;
  /** How many operands it takes. */
  readonly operands: number;
  readonly infer: (inputs: readonly TensorType[], params: Params, sink: ConstraintSink) => readonly TensorType[];
  /** The integers of its kernel, which is named after the operation and the dtype of its first operand; absent: it has none. */
  readonly integers?: (inputs: readonly TensorType[], params: Params) => readonly Dim[];
  readonly traits?: Pick<Traits, 'prune' | 'covers'>;
  readonly lower?: NonNullable<Operation['lower']>;
}

/** An operation of the family. Leading axes are batches: of all its operands, or of none. */
export function defineOperation({ name, operands, infer, integers, traits, lower }: LinalgDefinition): Operation {
  const call: NonNullable<Traits['call']> | undefined = integers && ((params, inputs) => kernelCall(name, (inputs[0] as TensorType).dtype, integers(inputs, params)));
  const checked: Operation['infer'] = (inputs, params, sink) => infer(ofOneDType(name, inputs), params, sink);
  return Object.freeze({
    id: `${linalgFamily}.${name}`,
    family: linalgFamily,
    name,
    package: '@tf/linalg',
    version: linalgVersion,
    arity: operands,
    infer: integers === undefined ? infer : checked,
    traits: Object.freeze({ ...traits, ...(call && { call }) }),
    ...(lower && { lower }),
  });
}

/** A kernel reads all its matrices as those of the first operand's dtype. */
function ofOneDType(op: string, inputs: readonly TensorType[]): readonly TensorType[] {
  const [first, ...others] = inputs.filter(({ dtype }) => isInexact(dtype));
  const other = others.find(({ dtype }) => dtype !== first?.dtype);
  if (first === undefined || other === undefined) return inputs;
  throw new TfError('DTypeError', `${op}: takes operands of one dtype, got ${inputs.map(({ key }) => key).join(' and ')}. Convert them first: convert(x, '${first.dtype}').`, { op, dtypes: inputs.map(({ dtype }) => dtype) });
}

function kernelCall(name: string, dtype: DType, integers: readonly Dim[]): KernelCall {
  const workspace = workspaceBytes(name, dtype, integers);
  return { symbol: kernelSymbol(name, dtype), integers, ...(workspace !== undefined && { workspace }) };
}

/** The operation with its rule, which holds for any number of leading axes. */
export function withRule(operation: Operation, rule: Rule): FamilyOperation {
  return Object.freeze({ operation, rule: Object.freeze({ batch: 'leading' as const, ...rule }) });
}

export function kernelSymbol(name: string, dtype: DType): string {
  return `${linalgFamily}.${name}.${dtype}`;
}

/** A tensor as matrices: their extents, and what leads. */
export interface MatrixShape {
  readonly lead: Shape;
  readonly rows: Dim;
  readonly columns: Dim;
}

const takes: readonly DType[] = ['float32', 'float64', 'complex64', 'complex128'];

/** The operand's shape as matrices; refuses other dtypes and fewer than two axes. */
export function matricesOf(op: string, x: TensorType): MatrixShape {
  requireFloating(op, x);
  const { shape } = x;
  if (shape.length < 2) throw new TfError('ShapeError', `${op}: takes matrices in the last two axes, got ${x.key}. Reshape it to have two axes or more.`, { op, shape });
  return { lead: shape.slice(0, -2), rows: shape.at(-2) as Dim, columns: shape.at(-1) as Dim };
}

/** The same for square matrices; of symbolic extents it is checked when they are bound. `what` is asked for them. */
export function squaresOf(op: string, x: TensorType, sink: ConstraintSink, what = 'a square matrix'): MatrixShape {
  const matrices = matricesOf(op, x);
  if (!requireSameDim(matrices.rows, matrices.columns, `${op}: rows and columns of ${what}`, sink)) throw new TfError('ShapeError', `${op}: takes square matrices, got ${x.key}. For others there are svd, lstsq and pinv.`, { op, shape: x.shape });
  return matrices;
}

export function requireFloating(op: string, x: TensorType): void {
  if (!takes.includes(x.dtype)) throw new TfError('DTypeError', `${op}: takes ${takes.join(', ')}, got ${x.key}. Convert it first: convert(x, 'float64').`, { op, dtype: x.dtype });
}

/** How many matrices there are. */
export function batchOf({ lead }: MatrixShape): Dim {
  return productOfDims(lead);
}

/** min(m, n), where that is decided by what is known of the two. */
export function smallerDim(op: string, m: Dim, n: Dim): Dim {
  if (isKnown(m) && isKnown(n)) return Math.min(m, n);
  if (sameDim(m, n) || isNeverNegative(subDims(n, m))) return m;
  if (isNeverNegative(subDims(m, n))) return n;
  throw new TfError('ShapeError', `${op}: which of the extents ${dimText(m)} and ${dimText(n)} is the smaller one is not known before they are bound. Say it with the symbols: ['n', 'n'], or an input whose further rows are of their own.`, { op, rows: m, columns: n });
}
