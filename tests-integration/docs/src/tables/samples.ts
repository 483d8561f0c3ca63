/** Uses of every operation, from the test kit's cases, and what they are in other dtypes. */
import { allocate, type Atom, Builder, type DType, dtypes, type Instruction, isLiteral, type Literal, literal, type Operation, type Params, type ParamValue, type Program, replayProgram, type TensorType, tensorType, type Var } from '@tf/core';
import { createCoreCases, type ExtensionCase, programOf, type VarFunction } from '@tf/testkit';

/** One use: what an operation is applied to. */
export interface Sample {
  readonly operation: Operation;
  readonly inputs: readonly TensorType[];
  readonly params: Params;
  /** The dtype that stands for others. */
  readonly dtype: DType;
}

const order: readonly DType[] = ['complex128', 'complex64', 'float64', 'float32', 'int64', 'int32', 'bool'];

/** Of core's cases and of further programs: by operation id, in their order. */
export function collectSamples(further: readonly Program[]): ReadonlyMap<string, readonly Sample[]> {
  const found = new Map<string, Sample[]>();
  const visit = (program: Program): void => {
    for (const instruction of program.instructions) {
      const sample = sampleOf(instruction);
      const list = found.get(sample.operation.id) ?? [];
      if (isFixed(sample)) found.set(sample.operation.id, [...list, sample]);
      regionsOf(instruction.params).forEach(visit);
    }
  };
  for (const each of createCoreCases()) visit(programOfCase(each));
  further.forEach(visit);
  return found;
}

function programOfCase({ f, operation, params, inputs }: ExtensionCase): Program {
  if (f !== undefined) return programOf(f as VarFunction, inputs.map(({ type }) => type));
  return oneOperation({ operation, params: params ?? {}, inputs: inputs.map(({ type }) => type), dtype: 'float64' });
}

function sampleOf({ operation, inputs, params, outputs }: Instruction): Sample {
  const types = inputs.map(({ type }) => type);
  const candidates = (types.length > 0 ? types : outputs.map(({ type }) => type)).map(({ dtype }) => dtype);
  return { operation, inputs: types, params, dtype: order.find((dtype) => candidates.includes(dtype)) as DType };
}

const isFixed = ({ inputs }: Sample): boolean => inputs.every(({ shape }) => shape.every((dim) => typeof dim === 'number'));

/** The program that applies the operation to its inputs and nothing else. */
export function oneOperation({ operation, inputs, params }: Sample): Program {
  const builder = new Builder();
  return builder.build(builder.emit(operation, inputs.map((type) => builder.input(type)), params));
}

/** The same use with another dtype wherever the sample's own is; throws where an operation does not take it. */
export function withDType(sample: Sample, dtype: DType): Sample {
  const change = { from: sample.dtype, to: dtype };
  return { ...sample, inputs: sample.inputs.map((type) => changedType(type, change)), params: changedParams(sample.params, change), dtype };
}

interface Change {
  readonly from: DType;
  readonly to: DType;
}

const changedType = (type: TensorType, { from, to }: Change): TensorType => (type.dtype === from ? tensorType(to, type.shape) : type);

const isProgram = (value: unknown): value is Program => typeof value === 'object' && value !== null && 'instructions' in value;

const regionsOf = (params: Params): readonly Program[] => Object.values(params).flat().filter(isProgram);

function changedParams(params: Params, change: Change): Params {
  const changed = (value: ParamValue): ParamValue => {
    if (isProgram(value)) return changedProgram(value, change);
    if (Array.isArray(value)) return (value as readonly ParamValue[]).map(changed);
    return value === change.from ? change.to : value;
  };
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, changed(value)]));
}

function changedProgram(program: Program, change: Change): Program {
  const builder = new Builder();
  const env = new Map<Var, Atom>(program.inputs.map((input) => [input, builder.input(changedType(input.type, change))]));
  const outputs = replayProgram<Atom>(program, env, (atom) => (isLiteral(atom) ? changedLiteral(atom, change) : atom), ({ operation, params }, inputs) => builder.emit(operation, inputs, changedParams(params, change)));
  return builder.build(outputs);
}

/** The real parts in the other dtype. */
function changedLiteral(value: Literal, change: Change): Literal {
  const type = changedType(value.type, change);
  if (type === value.type) return value;
  const [from, to] = [dtypes[change.from].lanes, dtypes[change.to].lanes];
  const count = value.data.length / from;
  const data = allocate(change.to, count);
  for (let at = 0; at < count; at++) {
    const number = Number(value.data[at * from]);
    if (data instanceof BigInt64Array) data[at] = BigInt(Math.trunc(number));
    else data[at * to] = number;
  }
  return literal(type, data);
}
