import type { Atom, BoundInput, ExtentDefinition, Instruction, Literal, Operation, Params, Program, Var, VarKind } from '../contract.ts';
import { TfError } from '../errors.ts';
import { type Dim, isKnown, sameDim, symbolicDim } from '../types/dim.ts';
import type { DType } from '../types/dtype.ts';
import { introducedName, introducedNumber, visitIntroduced } from '../types/extent.ts';
import { type Lifted, type Listener, listenerKey, type Operand, type OperationName, type RegionBody, type TracedRegion, type Weak } from '../types/operand.ts';
import { type DimConstraint, elementCount, type Shape } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { contractVersion, coreVersion } from '../types/version.ts';
import { nextNumber } from './clock.ts';
import { liftArgument } from './dispatch.ts';
import { hostForm, liftHost } from './host.ts';
import { inferTypes } from './infer.ts';
import { isLiteral, isProgramText, isWeakLiteral, literal, maximumLiteralElements, scalarLiteral } from './literal.ts';
import { ValueMap } from './numbered-map.ts';

class ProgramVar<D extends DType> implements Var<D> {
  readonly owner: Builder;
  readonly id: number;
  readonly type: TensorType<D>;
  readonly name: string | undefined;

  constructor(owner: Builder, id: number, type: TensorType<D>, name: string | undefined) {
    this.owner = owner;
    this.id = id;
    this.type = type;
    this.name = name;
  }

  get [listenerKey](): Listener<VarKind> {
    return this.owner.listener;
  }
}

/** Makes a program's variable; its `owner` is the builder. */
export type MakeVar = (owner: Builder, id: number, type: TensorType, name: string | undefined) => Var;

const programVar: MakeVar = (owner, id, type, name) => new ProgramVar(owner, id, type, name);

export interface BuilderOptions {
  readonly captures?: boolean;
  readonly variable?: MakeVar;
  /** With `captures`: how who carries the program out takes in a number that may change from call to call. Absent: it is a literal. */
  readonly scalar?: TakeNumber | undefined;
}

/** What a listener makes of a number among its operands. */
export type TakeNumber = (value: Weak, dtype: DType) => Lifted;

/**
 * A program under construction. Public functions (`exp(x)`) called with its Vars append to it; numbers become literals.
 *
 * @example
 * import { Builder, exp, printProgram, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [3]), 'x');
 * const program = builder.build([exp(x)]);
 * if (!printProgram(program).includes('tf.core.exp')) throw new Error('unexpected');
 */
export class Builder {
  readonly listener: Listener<VarKind>;
  readonly #inputs: Var[] = [];
  readonly #bound: BoundInput[] = [];
  readonly #instructions: Instruction[] = [];
  readonly #constraints: DimConstraint[] = [];
  /** Values from outside and the inputs that stand for them, where they may come in. */
  readonly #captured: Map<Operand, Var> | undefined;
  readonly #variable: MakeVar;
  readonly #takeNumber: TakeNumber | undefined;
  /** The numbers that came in so far, by dtype and value. */
  readonly #numbers = new Map<string, Lifted>();
  /** The region that is being built with values of this program: what is computed meanwhile belongs into it. */
  #inside: Builder | undefined;
  #ids = 0;
  /** Extents that values of this program decide, by value. */
  readonly #extents = new Map<Atom, ExtentDefinition[]>();
  #nextExtent = 0;
  /** Who makes a value, of the first so many instructions. */
  readonly #makers = new ValueMap<Instruction>();
  #indexed = 0;

  /** With `captures`, values of other programs and front ends that are used become inputs: see {@link captures}. */
  constructor({ captures = false, variable = programVar, scalar }: BuilderOptions = {}) {
    this.#captured = captures ? new Map() : undefined;
    this.#variable = variable;
    this.#takeNumber = scalar;
    this.listener = {
      level: 3,
      depth: captures ? nextNumber() : 0,
      region: (body, types) => traceRegion(body, types, {
        variable,
        scalar: this.listener.scalar,
        enter: (inside) => {
          this.#inside = inside;
        },
      }),
      contract: contractVersion,
      coreVersion,
      apply: (operation, inputs, params) => (this.#inside === undefined ? this.emit(operation as Operation, inputs.map((input) => this.#atom(operation, input)), params as Params) : applyInside(this.#inside, operation, inputs, params)),
      lift: (value) => this.#lift(value),
      scalar: (value, dtype) => this.#scalar(value, dtype),
      extent: (operation, k, bound) => this.#extent(operation as Operation, this.#atom(operation, k), bound),
    };
  }

  /** A further input of the program. */
  input<D extends DType>(type: TensorType<D>, name?: string): Var<D> {
    const variable = this.#var(type, name);
    this.#inputs.push(variable);
    return variable;
  }

  /** An input whose value is known now: outside the program's hash. */
  bind<D extends DType>(type: TensorType<D>, value: unknown): Var<D> {
    const variable = this.#var(type, undefined);
    this.#bound.push({ variable, value });
    return variable;
  }

  /** What was used of the outside, and the input that stands for each, in the order of first use. */
  get captures(): ReadonlyMap<Operand, Var> {
    return this.#captured ?? new Map();
  }

  literal(type: TensorType, data: Literal['data']): Literal {
    return literal(type, data);
  }

  /** Appends an instruction; its output types are inferred. Operands must be this builder's or literals. */
  emit(operation: Operation, inputs: readonly Atom[], params: Params): readonly Var[] {
    for (const input of inputs) this.#own(operation, input);
    const types = inferTypes(operation, inputs.map((input) => input.type), params, (constraint) => this.require(constraint));
    return this.#append(operation, inputs, params, types);
  }

  /** Appends a copy of an instruction whose types are already known (its constraints came with its program). */
  replay(instruction: Instruction, inputs: readonly Atom[]): readonly Var[] {
    return this.#append(instruction.operation, inputs, instruction.params, instruction.outputs.map((output) => output.type));
  }

  /** Appends an instruction whose types are known to be these. */
  repeat(operation: Operation, inputs: readonly Atom[], params: Params, types: readonly TensorType[]): readonly Var[] {
    return this.#append(operation, inputs, params, types);
  }

  /** A name for an extent that nothing here mentions. */
  freshExtent(): string {
    return introducedName(this.#nextExtent++);
  }

  /** Extents that these mention will not be introduced here: rules may know types of values that they never read. */
  reserveExtents(dims: Shape): void {
    for (let at = 0; at < dims.length; at++) {
      const dim = dims[at] as Dim;
      if (!isKnown(dim)) visitIntroduced(dim, (symbol) => (this.#nextExtent = Math.max(this.#nextExtent, 1 + (introducedNumber(symbol) as number))));
    }
  }

  /** The instruction that gives a value; undefined for inputs and literals. */
  maker(value: Atom): Instruction | undefined {
    for (; this.#indexed < this.#instructions.length; this.#indexed++) {
      const instruction = this.#instructions[this.#indexed] as Instruction;
      for (const output of instruction.outputs) this.#makers.set(output, instruction);
    }
    return this.#makers.get(value);
  }

  /** Whether a value is known to be 0 throughout: a literal, or one just spread out. */
  isZero(value: Atom): boolean {
    if (isLiteral(value)) return value.data.every((lane: number | bigint) => Number(lane) === 0);
    const instruction = this.maker(value);
    return instruction?.operation.traits.layout !== undefined && isLiteral(instruction.inputs[0] as Atom) && this.isZero(instruction.inputs[0] as Atom);
  }

  /** Whether a value may be used here as it is. */
  owns(value: Atom): boolean {
    return isLiteral(value) || (value as Partial<ProgramVar<DType>>).owner === this;
  }

  /** Records an equality that inputs must satisfy when they are bound. */
  require(constraint: DimConstraint): void {
    this.#constraints.push(constraint);
  }

  /** The program that computes `outputs`. The builder may go on afterwards; the program does not change. */
  build(outputs: readonly Atom[]): Program {
    for (const output of outputs) this.#own(undefined, output);
    return Object.freeze({
      inputs: Object.freeze([...this.#inputs]),
      bound: Object.freeze([...this.#bound]),
      instructions: Object.freeze([...this.#instructions]),
      outputs: Object.freeze([...outputs]),
      constraints: Object.freeze([...this.#constraints]),
    });
  }

  #append(operation: Operation, inputs: readonly Atom[], params: Params, types: readonly TensorType[]): readonly Var[] {
    const outputs = types.map((type) => this.#var(type, undefined));
    if (operation.traits.extent !== undefined) this.reserveExtents([operation.traits.extent(params).symbol]);
    this.#instructions.push({ operation, inputs, params, outputs, number: nextNumber() });
    return outputs;
  }

  #var<D extends DType>(type: TensorType<D>, name: string | undefined): Var<D> {
    this.reserveExtents(type.shape);
    return this.#variable(this, this.#ids++, type, name) as Var<D>;
  }

  #capture(captured: Map<Operand, Var>, value: Operand): Var {
    let variable = captured.get(value);
    if (variable === undefined) captured.set(value, (variable = this.input(value.type)));
    return variable;
  }

  /** A literal, or an input that stands for the number: one for equal numbers of a dtype. */
  #scalar(value: Weak, dtype: DType): Lifted {
    const [captured, take] = [this.#captured, this.#takeNumber];
    if (captured === undefined || take === undefined || isProgramText(value, dtype)) return scalarLiteral(dtype, value);
    const key = `${dtype} ${String(value)}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      const outside = take(value, dtype);
      number = isLiteral(outside) && !isWeakLiteral(outside) ? outside : this.#capture(captured, outside as Operand);
      this.#numbers.set(key, number);
    }
    return number;
  }

  #own(operation: OperationName | undefined, input: Atom): void {
    if (this.owns(input)) return;
    throw new TfError('ForeignValueError', `${operation?.id ?? 'build'}: a value ${input.type.key} of another builder was used. Pass it in as an input of this builder's program.`, { op: operation?.id ?? 'build', type: input.type.key });
  }

  /** The extent that this value decided before for an equal bound, or a new one. */
  #extent(operation: Operation, k: Atom, bound: Dim): Dim {
    const known = this.#extents.get(k) ?? [];
    const found = known.find((extent) => sameDim(extent.bound, bound));
    if (found !== undefined) return found.symbol;
    if (this.#captured !== undefined) throw new TfError('UnsupportedRuleError', 'dynamicTruncate: a size that a run decides has no place inside a loop, a branch or a checkpoint yet. Truncate outside of it, or use the masked form there: select(less(indices, k), x, 0).', { op: 'dynamicTruncate', role: 'region' });
    const extent: ExtentDefinition = { symbol: symbolicDim(this.freshExtent()), bound };
    this.emit(operation, [k], { symbol: extent.symbol, bound });
    this.#extents.set(k, [...known, extent]);
    return extent.symbol;
  }

  #atom(operation: OperationName, input: Lifted): Atom {
    this.#own(operation, input as Atom);
    return input as Atom;
  }

  #lift(value: Operand): Lifted {
    const captured = this.#captured;
    if (captured !== undefined && hostForm(value) === undefined) return this.#capture(captured, value);
    const outside = (host: Operand): Lifted => (captured === undefined ? this.bind(host.type, host) : this.#capture(captured, host));
    return liftHost(value, {
      data: (host, data) => (isSmall(host.type) ? literal(host.type, data) : outside(host)),
      resident: outside,
      scalar: this.listener.scalar,
      apply: (operation, inputs, params) => this.emit(operation as Operation, inputs as readonly Atom[], params as Params),
    });
  }
}

/** Carries out an operation on values of a program or front end in the region that is being built with them. */
export function applyInside(region: Builder, operation: OperationName, inputs: readonly Lifted[], params: object): readonly Operand[] {
  const { listener } = region;
  return listener.apply(operation, inputs.map((input) => (isLiteral(input) ? input : listener.lift(input as Operand))), params);
}

export interface RegionOptions {
  readonly variable?: MakeVar;
  /** How whoever will run the region takes a number in; absent: numbers are literals. */
  readonly scalar?: TakeNumber | undefined;
  /** Hears which region is being built. */
  readonly enter?: (inside: Builder | undefined) => void;
}

/**
 * The program of a function of values of these types: what it captures comes in through inputs before its own. Whoever has the
 * captured values hears with `enter` which region is being built, so that what is computed from them alone goes in too.
 */
export function traceRegion(body: RegionBody, types: readonly TensorType[], { variable = programVar, scalar, enter = () => undefined }: RegionOptions = {}): TracedRegion {
  const builder = new Builder({ captures: true, variable, scalar });
  const args = types.map((type) => builder.input(type));
  const results = whileInside(enter, builder, () => body(args).map((result) => liftArgument(builder.listener, result, result.type.dtype) as Atom));
  const program = builder.build(results);
  const captured = [...builder.captures];
  const inputs = [...captured.map(([, variable]) => variable), ...args];
  return { program: Object.freeze({ ...program, inputs: Object.freeze(inputs) }), captures: captured.map(([value]) => value) };
}

function whileInside<T>(enter: (inside: Builder | undefined) => void, builder: Builder, body: () => T): T {
  enter(builder);
  try {
    return body();
  } finally {
    enter(undefined);
  }
}

function isSmall(type: TensorType): boolean {
  const count = elementCount(type.shape);
  return typeof count === 'number' && count <= maximumLiteralElements;
}
