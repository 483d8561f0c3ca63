import { checkOptions, type BoundInput, checkConstraints, decidableConstraints, type DimConstraint, evaluateDim, type ExtentDefinition, hostForm, type Instruction, invariant, type Literal, loweredProgram, type Operand, type Program, replayProgram, type TensorType, TfError, type TypedArray, type Var } from '@tf/core';
import { interpretOptions } from '../arguments.ts';
import { extentsOf, type HostValue, hostValue, setLane, zerosOf } from '../values.ts';
import { type Binding, bindShapes, concreteType } from './binding.ts';
import { runBoxAdd, runGather, runScatter } from './indexed.ts';
import { copyInto, runAssembly, runContraction, runElementwise, runIota, runLayout, runReduction } from './instructions.ts';
import { runControl } from './control.ts';
import type { Arithmetic } from './scalars.ts';
import { runScan } from './scan.ts';
import { runSort } from './sort.ts';

/** What an operation without traits computes: given by its family, for tests. */
export interface ReferenceCall {
  readonly instruction: Instruction;
  readonly inputs: readonly HostValue[];
  /** Types of the outputs with numbers for extents. */
  readonly types: readonly TensorType[];
  /** Interprets a region of the instruction. */
  readonly run: (region: Program, inputs: readonly HostValue[]) => readonly HostValue[];
}
export type ReferenceOperation = (call: ReferenceCall) => readonly HostValue[];

/** An instruction that was interpreted. */
export interface Interpreted {
  readonly instruction: Instruction;
  readonly inputs: readonly HostValue[];
  readonly results: readonly HostValue[];
  /** What it gives on other inputs of the same types. */
  readonly again: (inputs: readonly HostValue[]) => readonly HostValue[];
}

export interface InterpretOptions {
  /** `wide` (default): float64, one rounding per instruction. `exact`: the bits that engines must give, contractions apart. */
  readonly arithmetic?: Arithmetic;
  /** By operation id: operations whose family gives them no traits. Where there is a lowering, it decides the `exact` bits. */
  readonly operations?: { readonly [id: string]: ReferenceOperation };
  /** Called with each program inside that was run, an iteration or a branch at a time, and all its values; inner ones come first. */
  readonly watch?: (region: Program, values: ReadonlyMap<Var, HostValue>) => void;
  /**
   * Called after each instruction, inside regions and lowerings too, but not for those that have them; what it returns goes on in
   * place of the results. So a run can be disturbed as rounding disturbs it.
   */
  readonly revise?: (done: Interpreted) => readonly HostValue[];
}

/**
 * Runs a program by plain loops: in float64, rounding to the dtype after every instruction, int64 in BigInt. The oracle
 * for values; it knows operations by their traits only.
 *
 * @throws ShapeError, DTypeError or ConstraintError for inputs that do not fit; UnsupportedOnEngineError for an operation with neither traits nor a lowering.
 * @example
 * import { Builder, mul, tensorType } from '@tf/core';
 * import { hostValue, interpretProgram } from '@tf/testkit';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [2]), 'x');
 * const [y] = interpretProgram(builder.build([mul(x, x)]), [hostValue('float64', [2], [3, -4])]);
 * if (y?.data[1] !== 16) throw new Error('unexpected');
 */
export function interpretProgram(program: Program, inputs: readonly HostValue[], options: InterpretOptions = {}): readonly HostValue[] {
  checkOptions('interpretProgram', options, interpretOptions, "interpretProgram(program, inputs, { arithmetic: 'exact' })");
  return interpretAll(program, inputs, options).outputs;
}

export interface Interpretation {
  readonly outputs: readonly HostValue[];
  readonly values: ReadonlyMap<Var, HostValue>;
}

/** {@link interpretProgram}, keeping every value: what a derivative program reads as residuals. */
export function interpretAll(program: Program, inputs: readonly HostValue[], options: InterpretOptions = {}): Interpretation {
  checkInputs(program, inputs);
  const binding = bindShapes('interpretProgram', program.inputs.map((input) => input.type), inputs.map(extentsOf));
  checkConstraints(decidableConstraints(program.constraints, binding), binding, 'interpretProgram: ');
  const env = new Map<Var, HostValue>();
  program.inputs.forEach((input, at) => env.set(input, inputs[at] as HostValue));
  for (const bound of program.bound) env.set(bound.variable, boundValue(bound, binding));
  const outputs = replayProgram<HostValue>(program, env, (atom) => literalValue(atom as Literal), (instruction, values) => runInstruction(instruction, values, { binding, constraints: program.constraints, options }));
  return { outputs, values: env };
}

function checkInputs(program: Program, inputs: readonly HostValue[]): void {
  if (inputs.length !== program.inputs.length) throw new TfError('ArgumentError', `interpretProgram: the program takes ${program.inputs.length} inputs, got ${inputs.length}.`, { op: 'interpretProgram' });
  program.inputs.forEach(({ type }, at) => {
    const given = (inputs[at] as HostValue).type;
    if (given.dtype !== type.dtype) throw new TfError('DTypeError', `interpretProgram: input ${at} is ${type.key}, got ${given.key}. Convert it first.`, { op: 'interpretProgram', argument: String(at) });
  });
}

function literalValue({ type, data }: Literal): HostValue {
  return { type, data };
}

/** A bound value: a number, data, or a host tensor that holds data. */
function boundValue({ variable, value }: BoundInput, binding: Binding): HostValue {
  const result = zerosOf(concreteType(variable.type, binding));
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') setLane(result.data, 0, value);
  else if (ArrayBuffer.isView(value)) copyInto(result.data, value as unknown as TypedArray);
  else {
    const form = typeof value === 'object' && value !== null ? hostForm(value as Operand) : undefined;
    if (form?.form !== 'data') throw new TfError('ArgumentError', `interpretProgram: a bound ${variable.type.key} is no number and holds no data. Interpret the program with the value as an input.`, { op: 'interpretProgram' });
    copyInto(result.data, form.data);
  }
  return result;
}

/** What a run knows besides its values. */
interface Run {
  readonly binding: Binding;
  readonly constraints: readonly DimConstraint[];
  readonly options: InterpretOptions;
}

function runInstruction(instruction: Instruction, inputs: readonly HostValue[], run: Run): readonly HostValue[] {
  const results = computeInstruction(instruction, inputs, run);
  const { revise } = run.options;
  // What runs programs consists of what was revised inside them.
  if (revise === undefined || instruction.operation.traits.control !== undefined || isLowered(instruction, run.options)) return results;
  return checkedOutputs(instruction, revise({ instruction, inputs, results, again: (values) => computeInstruction(instruction, values, run) }), results.map(({ type }) => type));
}

/** Where a family gives its operation both a reference and a lowering, the lowering decides the bits, the reference the value. */
function isLowered({ operation }: Instruction, { arithmetic = 'wide', operations }: InterpretOptions): boolean {
  return operation.lower !== undefined && (arithmetic === 'exact' || operations?.[operation.id] === undefined);
}

function computeInstruction(instruction: Instruction, inputs: readonly HostValue[], { binding, constraints, options }: Run): readonly HostValue[] {
  const { operation, params } = instruction;
  const { traits } = operation;
  const { arithmetic = 'wide' } = options;
  const types = instruction.outputs.map((output) => concreteType(output.type, binding));
  const [first, second] = inputs as readonly [HostValue, HostValue];
  const type = types[0] as TensorType;
  const own = options.operations?.[operation.id];
  if (isLowered(instruction, options)) return runLowered(loweredProgram(instruction) as Program, inputs, { binding, constraints, options });
  if (own !== undefined) return checkedOutputs(instruction, own({ instruction, inputs, types, run: (region, values) => runRegion(region, values, options) }), types);
  const declared = instruction.inputs.map((input) => input.type);
  const output = instruction.outputs[0] as Var;
  if (traits.identity === true || traits.barrier === true) return [first];
  if (traits.extent !== undefined) return [runExtent(traits.extent(params), first, binding, constraints)];
  if (traits.size !== undefined) return [integer(evaluateDim(traits.size(params), binding))];
  if (traits.layout !== undefined) return [runLayout(traits.layout(params, declared[0] as TensorType, output.type), first, type, binding)];
  if (traits.elementwise !== undefined) return runElementwise(traits.elementwise(params, declared.map((input) => input.dtype)), inputs, types, arithmetic);
  if (traits.reduction !== undefined) return [runReduction(traits.reduction, params['axes'] as readonly number[], first, type, arithmetic)];
  if (traits.scan !== undefined) return [runScan(traits.scan(params, declared.map((input) => input.dtype)), inputs, type, arithmetic)];
  if (traits.sort !== undefined) return runSort(traits.sort(params), first, types);
  if (traits.iota === true) return [runIota(type)];
  if (traits.assembly !== undefined) return [runAssembly(traits.assembly(params, declared, output.type), inputs, type, binding)];
  if (traits.contraction !== undefined) return [runContraction(traits.contraction(params), first, second, type, arithmetic)];
  if (traits.gather !== undefined) return [runGather(traits.gather(params, declared), [first, second], type)];
  if (traits.scatter !== undefined) return [runScatter(traits.scatter(params, declared), [first, second, inputs[2] as HostValue], type, arithmetic)];
  if (traits.boxAdd !== undefined) {
    const { start, step } = traits.boxAdd(params);
    return [runBoxAdd({ start: start.map((dim) => evaluateDim(dim, binding)), step }, [first, second], type, arithmetic)];
  }
  if (traits.control !== undefined) return runControl(traits.control(params), inputs, types, binding, (region, values) => runRegion(region, values, options));
  throw new TfError('UnsupportedOnEngineError', `${operation.id}: it has neither traits nor a lowering that say what it computes. Pass its reference implementation as \`operations\`.`, { op: operation.id, family: operation.family, engine: 'reference' });
}

function runRegion(region: Program, inputs: readonly HostValue[], options: InterpretOptions): readonly HostValue[] {
  const { outputs, values } = interpretAll(region, inputs, options);
  options.watch?.(region, values);
  return outputs;
}

/** Extents have the same names inside. */
function runLowered(program: Program, inputs: readonly HostValue[], run: Run): readonly HostValue[] {
  const env = new Map(program.inputs.map((input, at) => [input, inputs[at] as HostValue]));
  return replayProgram<HostValue>(program, env, (atom) => literalValue(atom as Literal), (instruction, values) => runInstruction(instruction, values, run));
}

/** From here on the symbol has its value. */
function runExtent({ symbol, bound }: ExtentDefinition, k: HostValue, binding: Binding, constraints: readonly DimConstraint[]): HostValue {
  const value = Math.min(Math.max(Number(k.data[0]), 0), evaluateDim(bound, binding));
  if (typeof symbol !== 'number') {
    binding.set(symbol.text, value);
    checkConstraints(decidableConstraints(constraints, binding, symbol.text), binding, 'interpretProgram: ');
  }
  return integer(value);
}

function integer(value: number): HostValue {
  return hostValue('int32', [], [value]);
}

function checkedOutputs(instruction: Instruction, values: readonly HostValue[], types: readonly TensorType[]): readonly HostValue[] {
  types.forEach((type, at) => invariant(values[at]?.type.key === type.key, `${instruction.operation.id}: its reference gives ${values[at]?.type.key ?? 'nothing'} for output ${at}, a ${type.key}`));
  return values;
}
