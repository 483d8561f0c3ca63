import { type ConstraintSink, type Dim, type DType, type DTypeInfo, dtypes, isKnown, type ModuleSource, type Operation, type Params, productOfDims, requireAtMost, type Rule, type TensorType, TfError, type Traits } from '@tf/core';
import { type Transformation, workspaceBytes } from './plan/workspace.ts';
import { fftVersion } from './version.ts';

export const fftFamily = 'tf.fft.v1';

const modules: readonly ModuleSource[] = Object.freeze([{ call: 'fftWasm()', from: '@tf/fft/cpu-wasm' }, { call: 'fftHost()', from: '@tf/fft/host' }]);

/** An operation with its rule. */
export interface FamilyOperation {
  readonly operation: Operation;
  readonly rule: Rule;
}

/** A transform along one axis, which parameters count from the end so that further leading axes change nothing. */
export interface TransformDefinition {
  readonly name: Transformation;
  readonly takes: readonly DType[];
  /** The type of the result, for an operand whose dtype and axis fit. */
  readonly infer: (x: TensorType, params: Params, sink: ConstraintSink) => TensorType;
  /** The length of the transform. */
  readonly length: (params: Params, x: TensorType) => Dim;
  readonly rule: Rule;
}

export function axisOf(params: Params, x: TensorType): number {
  return x.shape.length + (params['axis'] as number);
}

export function defineTransform(definition: TransformDefinition): FamilyOperation {
  const { name, rule, length } = definition;
  const operation: Operation = Object.freeze({
    id: `${fftFamily}.${name}`,
    family: fftFamily,
    name,
    package: '@tf/fft',
    version: fftVersion,
    modules,
    infer: (inputs: readonly TensorType[], params: Params, sink: ConstraintSink) => [definition.infer(checkedOperand(definition, inputs, params), params, sink)],
    traits: Object.freeze({ call: (params, [x]) => kernelCall(name, params, x as TensorType, length(params, x as TensorType)) } satisfies Traits),
  });
  return Object.freeze({ operation, rule: Object.freeze({ ...rule, batch: 'leading' as const }) });
}

function checkedOperand({ name, takes }: TransformDefinition, inputs: readonly TensorType[], params: Params): TensorType {
  const [x] = inputs;
  if (inputs.length !== 1 || x === undefined) throw new TfError('ArgumentError', `${name}: takes 1 operand, got ${inputs.length}.`, { op: name });
  if (!takes.includes(x.dtype)) throw new TfError('DTypeError', `${name}: takes ${takes.join(', ')}, got ${x.key}. Convert it first.`, { op: name, dtype: x.dtype });
  const axis: unknown = params['axis'];
  if (!Number.isInteger(axis) || (axis as number) >= 0 || axisOf(params, x) < 0) throw new TfError('AxisError', `${name}: axis ${String(axis)} must count from the end of the ${x.shape.length} axes of ${x.key}: it is negative.`, { op: name, argument: 'axis' });
  return x;
}

/** Refuses lengths below 1, at once or when sizes are bound. */
export function requireLength(op: string, n: Dim, sink: ConstraintSink): void {
  if (requireAtMost(1, n, `${op}: the length of a transform`, sink)) return;
  throw new TfError('ShapeError', `${op}: a transform has at least 1 element, got ${String(n)}. Give a length of 1 or more.`, { op, n });
}

/** Integers: n, how many lines follow each other, how many lie side by side, and 1 for the inverse. */
function kernelCall(name: Transformation, params: Params, x: TensorType, n: Dim): ReturnType<NonNullable<Traits['call']>> {
  const at = axisOf(params, x);
  const [outer, inner] = [productOfDims(x.shape.slice(0, at)), productOfDims(x.shape.slice(at + 1))];
  const inverse = name === 'hdft' || params['inverse'] === true ? 1 : 0;
  return { symbol: `${fftFamily}.${name}.${x.dtype}`, integers: [n, outer, inner, inverse], workspace: workspaceBytes(name, n, inner, realBytes(dtypes[x.dtype])) };
}

function realBytes({ bytes, lanes }: DTypeInfo): 4 | 8 {
  return bytes / lanes === 4 ? 4 : 8;
}

/** Whether a length is odd; undefined where its symbols leave that open. */
export function isOdd(n: Dim): boolean | undefined {
  if (isKnown(n)) return n % 2 === 1;
  const constant = n.terms.find(({ symbols }) => symbols.length === 0)?.coefficient ?? 0;
  const rest = n.terms.filter(({ symbols }) => symbols.length > 0);
  return rest.every(({ coefficient }) => coefficient % 2 === 0) ? constant % 2 !== 0 : undefined;
}
