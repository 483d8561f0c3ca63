import {
  type AdContext, type Argument, broadcastTo, checkOptions, contractVersion, coreVersion, describe, type Differentiable, type Dim, type DimConstraint, dimText, type DType, elementCount, type HostLift, identityOperation, type Instruction, introducedDim, introducedName, inferTypes, isProgramText,
  isLiteral, type Kind, type Lifted, liftArgument, liftHost, type Listener, literal, maximumLiteralElements, nextNumber, type Operand, type Operation, type OperationName, type Params, type RegionBody, sameShape,
  scalarLiteral, shapeText, TensorMethods, type TensorType, tensorType, TfError, type TracedRegion, type Weak, weakLiteral,
} from '@tf/core';
import { contextOptions, gradOptions, refuseOtherCopy } from './arguments.ts';
import { contextOf, joinContexts } from './context.ts';
import { type GradOptions, inactive, pullbackTraced, pushforwardTraced, requireTangent, unitCotangent } from './differentiate.ts';
import { liftEager } from './eager-value.ts';
import { extractRegion } from './extract.ts';
import { inspectKey, tracerLeak } from './leak.ts';
import type { NodeOrigin, Origin, Trace, TracedAtom, TracedValue } from './origin.ts';

export interface TracedKind extends Kind {
  readonly out: TracedTensor<this['D']>;
  readonly level: 2;
}

interface Parts<D extends DType> {
  readonly type: TensorType<D>;
  readonly origin: Origin;
  readonly output: number;
  readonly context: AdContext | undefined;
  readonly weak: boolean;
}

/**
 * A tensor that has no values yet: a type, and where it comes from. Operations on it compute nothing; `jit`, `compile`
 * and `evaluate` turn what was built into a program and run it. Because a result of `grad` is such a tensor too, it can
 * be differentiated again.
 *
 * A traced tensor has no truth: `if (x)` always takes the branch, and JavaScript gives no way to notice. Use `select`.
 *
 * @example
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, input, jit } from '@tf/traced';
 * const engine = await createEngine();
 * const cube = jit((s) => s.mul(s).mul(s).grad(s), { engine });
 * console.log(cube(2.5).item()); // → 18.75
 */
export class TracedTensor<D extends DType = DType> extends TensorMethods<TracedKind, D> implements TracedValue {
  readonly type: TensorType<D>;
  /** Where it comes from. */
  readonly origin: Origin;
  /** Which output of its origin it is. */
  readonly output: number;
  /** Rules and caches that its derivatives use, if any were given. */
  readonly context: AdContext | undefined;
  /** Made of JavaScript numbers only: takes the dtype of what it meets. */
  override readonly weak: boolean;
  /** The extents that it decides, by their bounds. */
  extents: Map<string, Dim> | undefined;

  /** Traced tensors are made by operations and by `input`. */
  constructor({ type, origin, output, context, weak }: Parts<D>) {
    super();
    this.type = type;
    this.origin = origin;
    this.output = output;
    this.context = context;
    this.weak = weak;
    this.extents = undefined;
  }

  get listener(): Listener<TracedKind> {
    return tracedListener;
  }

  /**
   * The gradient of this real scalar with respect to `x`: an input or any value on a path to this one, in the type of `x`.
   *
   * @throws NonScalarGradError unless this is a real scalar; InactiveGradError when it does not depend on `x`;
   * NotDifferentiableError for integers and booleans.
   */
  grad<E extends DType>(this: TracedTensor<D> & Differentiable<D>, x: TracedTensor<E> & Differentiable<E>, options: GradOptions = {}): TracedTensor<E> {
    return this.#pull('grad', x, unitCotangent('grad', this), options) ?? absent('grad', x, options);
  }

  /** As {@link grad}, but undefined when this does not depend on `x`. */
  gradOptional<E extends DType>(this: TracedTensor<D> & Differentiable<D>, x: TracedTensor<E> & Differentiable<E>, options: GradOptions = {}): TracedTensor<E> | undefined {
    return this.#pull('gradOptional', x, unitCotangent('gradOptional', this), options);
  }

  /**
   * The cotangent of `x` when this value has the cotangent `ct`, which has this value's type. Adjoint of {@link jvp} under
   * ⟨a, b⟩ = Re Σ conj(a)·b.
   *
   * @throws ShapeError or DTypeError when `ct` has another type; InactiveGradError as `grad`.
   */
  vjp<E extends DType>(this: TracedTensor<D> & Differentiable<D>, x: TracedTensor<E> & Differentiable<E>, ct: Argument, options: GradOptions = {}): TracedTensor<E> {
    requireTangent('vjp', this.type);
    return this.#pull('vjp', x, atomOfType('vjp', 'the cotangent', ct, this.type), options) ?? absent('vjp', x, options);
  }

  /** The tangent of this value when `x` has the tangent `tangent`; zero when it does not depend on `x`. */
  jvp<E extends DType>(this: TracedTensor<D> & Differentiable<D>, x: TracedTensor<E> & Differentiable<E>, tangent: Argument, options: Pick<GradOptions, 'context'> = {}): TracedTensor<D> {
    checkOptions('jvp', options, contextOptions);
    requireTraced('jvp', x);
    requireTangent('jvp', this.type);
    const [result] = pushforwardTraced(replay, { op: 'jvp', outputs: [this], wrt: [x], tangents: [atomOfType('jvp', 'the tangent', tangent, x.type)], options });
    return (result === undefined ? zerosOf(this.type) : asTraced(result)) as TracedTensor<D>;
  }

  #pull<E extends DType>(op: string, x: TracedTensor<E>, cotangent: TracedAtom, options: GradOptions): TracedTensor<E> | undefined {
    checkOptions(op, options, gradOptions);
    requireTraced(op, x);
    const [result] = pullbackTraced(replay, { op, outputs: [this], cotangents: [cotangent], wrt: [x], options });
    return result === undefined ? undefined : (asTraced(result) as TracedTensor<E>);
  }

  /** A traced tensor has no values to read: throws `TracerLeakError`. */
  item(): never {
    throw tracerLeak(this, 'item()');
  }

  /** A traced tensor has no values to read: throws `TracerLeakError`. */
  toArray(): never {
    throw tracerLeak(this, 'toArray()');
  }

  /** A traced tensor has no values to read: throws `TracerLeakError`. */
  data(): never {
    throw tracerLeak(this, 'data()');
  }

  override [Symbol.toPrimitive](hint: string): never {
    throw tracerLeak(this, hint === 'string' ? 'a string or an array index' : 'a number');
  }

  override toString(): never {
    throw tracerLeak(this, 'a string');
  }

  override valueOf(): never {
    throw tracerLeak(this, 'a number');
  }

  toJSON(): never {
    throw tracerLeak(this, 'JSON');
  }

  static {
    // What console.log and debuggers show is the type. Defined here because isolated declarations refuse computed names.
    Object.defineProperty(TracedTensor.prototype, inspectKey, {
      value(this: TracedTensor): string {
        return `Traced ${this.type.key}`;
      },
    });
  }
}

/** What stands for the gradient of a value that a result does not depend on, if the options allow one. */
export function absent<E extends DType>(op: string, x: TracedTensor<E>, options: GradOptions): TracedTensor<E> {
  if (options.allowUnused === true) return zerosOf(x.type);
  throw inactive(op, x.origin.kind === 'input' ? `the input ${JSON.stringify(x.origin.name)}` : 'the value', x.type);
}

export function requireTraced(op: string, x: unknown): asserts x is TracedTensor {
  if (x instanceof TracedTensor) return;
  refuseOtherCopy(op, x, tracedListener);
  throw new TfError('ArgumentError', `${op}: can only differentiate with respect to a traced tensor, got ${describe(x)}. Use input(...), or the argument of a transformed function.`, { op, argument: 'x' });
}

/** `value` as an atom of exactly this type; a number takes its dtype. */
export function atomOfType(op: string, what: string, value: Argument, type: TensorType): TracedAtom {
  const atom = liftArgument(tracedListener, value, type.dtype) as TracedAtom;
  if (!sameShape(atom.type.shape, type.shape)) throw new TfError('ShapeError', `${op}: ${what} has shape ${shapeText(atom.type.shape)}, the value it belongs to has ${shapeText(type.shape)}. They must be equal.`, { op, shape: atom.type.shape, expected: type.shape });
  if (atom.type.dtype !== type.dtype) throw new TfError('DTypeError', `${op}: ${what} is ${atom.type.key}, the value it belongs to is ${type.key}. Convert it: convert(x, '${type.dtype}').`, { op, dtype: atom.type.dtype, expected: type.dtype });
  return atom;
}

// ---------------------------------------------------------------- making traced tensors

/** Appends a node for an operation; its output types are inferred. */
export function emit(operation: Operation, inputs: readonly TracedAtom[], params: Params): readonly TracedTensor[] {
  let constraints: DimConstraint[] | undefined;
  const types = inferTypes(operation, inputs.map((input) => input.type), params, (constraint) => (constraints ??= []).push(constraint));
  const weak = inputs.length > 0 && inputs.every(isWeak) && types.every((type) => type.dtype === 'float64' && type.shape.length === 0);
  return append(operation, params, inputs, types, constraints ?? none, contextOf(operation.id, inputs), weak, undefined);
}

const none: readonly DimConstraint[] = Object.freeze([]);

/** Appends a node for an instruction of a derivative program, whose types are known. */
export function replay({ operation, params, outputs }: Instruction, inputs: readonly TracedAtom[], constraints: readonly DimConstraint[], context: AdContext | undefined, sizes?: readonly TracedValue[]): readonly TracedTensor[] {
  return append(operation, params, inputs, outputs.map((output) => output.type), constraints, context, false, undefined, sizes);
}

function append(operation: Operation, params: Params, inputs: readonly TracedAtom[], types: readonly TensorType[], constraints: readonly DimConstraint[], context: AdContext | undefined, weak: boolean, trace: Trace | undefined, sizes?: readonly TracedValue[]): readonly TracedTensor[] {
  // Of its length at once: what grows by push leaves room for 16 more.
  const outputs = new Array<TracedTensor>(types.length);
  const origin: NodeOrigin = { kind: 'node', number: nextNumber(), operation, params, inputs, outputs, constraints, trace, sizes };
  types.forEach((type, output) => (outputs[output] = new TracedTensor({ type, origin, output, context, weak })));
  return outputs;
}

function isWeak(atom: TracedAtom): boolean {
  return (atom as { readonly weak?: boolean }).weak === true;
}

/** A value whose data come later. */
export function inputLeaf<D extends DType>(type: TensorType<D>, name: string, options: { readonly trace?: Trace; readonly context?: AdContext | undefined; readonly weak?: boolean } = {}): TracedTensor<D> {
  const { trace, context, weak = false } = options;
  return new TracedTensor({ type, origin: { kind: 'input', number: nextNumber(), name, trace }, output: 0, context, weak });
}

/** A value known now. */
export function boundLeaf<D extends DType>(type: TensorType<D>, value: unknown, weak = false): TracedTensor<D> {
  return new TracedTensor({ type, origin: { kind: 'bound', number: nextNumber(), value }, output: 0, context: undefined, weak });
}

/** An atom as a tensor that has methods. */
export function asTraced(atom: TracedAtom): TracedTensor {
  return isLiteral(atom) ? fresh(atom, undefined) : (atom as TracedTensor);
}

/** A new value equal to `atom`, with respect to which one can differentiate without touching what else `atom` is used for. */
export function fresh(atom: TracedAtom, context: AdContext | undefined, trace?: Trace): TracedTensor {
  const inherited = joinContexts('identity', (atom as Partial<TracedValue>).context, context);
  return append(identityOperation, {}, [atom], [atom.type], none, inherited, isWeak(atom), trace)[0] as TracedTensor;
}

/** Any argument as a traced tensor; a number becomes a weak scalar. */
export function traced(value: Argument): TracedTensor {
  return asTraced(liftArgument(tracedListener, value, 'float64') as TracedAtom);
}

export function zerosOf<D extends DType>(type: TensorType<D>): TracedTensor<D> {
  return broadcastTo(asTraced(scalarLiteral(type.dtype, 0)), type.shape) as TracedTensor<D>;
}

// ---------------------------------------------------------------- the listener

function scalar(value: Weak, dtype: DType): Lifted {
  return isProgramText(value, dtype) ? weakLiteral(dtype, value) : boundLeaf(tensorType(dtype, []), value, true);
}

const hostLift: HostLift = Object.freeze({
  data: (host, data) => (isSmall(host.type) ? literal(host.type, data) : boundLeaf(host.type, host)),
  resident: (host) => boundLeaf(host.type, host),
  scalar,
  apply: (operation, inputs, params) => emit(operation as Operation, inputs as readonly TracedAtom[], params as Params),
} satisfies HostLift);

/** A symbol of its own for each value and bound; its source is what decides it, so that who mentions it finds that. */
function extent(operation: OperationName, k: Lifted, bound: Dim): Dim {
  const known = k instanceof TracedTensor ? (k.extents ??= new Map<string, Dim>()) : undefined;
  const found = known?.get(dimText(bound));
  if (found !== undefined) return found;
  const name = introducedName(nextNumber());
  const [size] = emit(operation as Operation, [k as TracedAtom], { symbol: introducedDim(name), bound });
  const dim = introducedDim(name, size);
  known?.set(dimText(bound), dim);
  return dim;
}

function isSmall(type: TensorType): boolean {
  const count = elementCount(type.shape);
  return typeof count === 'number' && count <= maximumLiteralElements;
}

function lift(value: Operand): Lifted {
  return liftEager(value, boundLeaf) ?? liftHost(value, hostLift);
}

/**
 * Runs a function of `scan` and its relatives on traced values, so that it may use every transform; what it made is the
 * program, what is older is captured.
 */
function tracedRegion(body: RegionBody, types: readonly TensorType[], starts: readonly Operand[]): TracedRegion {
  const start = nextNumber();
  const trace: Trace = { name: 'the body of a loop or branch', open: true };
  const context = contextOf('scan', starts as unknown as readonly TracedAtom[]);
  const args = types.map((type, at) => inputLeaf(type, `argument ${at}`, { trace, context }));
  try {
    const results = body(args as unknown as readonly Operand[]).map((result) => traced(result));
    const { program, leaves } = extractRegion(results, args, start);
    return { program, captures: leaves.slice(0, leaves.length - args.length) as unknown as readonly Operand[] };
  } finally {
    trace.open = false;
  }
}

/** Stateless: what differs between computations travels with their values. */
export const tracedListener: Listener<TracedKind> = Object.freeze({
  level: 2,
  contract: contractVersion,
  coreVersion,
  apply: (operation, inputs, params) => emit(operation as Operation, inputs as readonly TracedAtom[], params as Params),
  lift,
  scalar,
  region: tracedRegion,
  extent,
} satisfies Listener<TracedKind>);
