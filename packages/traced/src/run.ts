import { compileProgram, type DeviceBuffer, dtypeOfArray, dtypes, type Engine, type EngineInput, type Executable, hostForm, isOperand, isTypedArray, type Operand, type Plan, type Program, ResidentTensor, type TensorType, tensorType, TfError } from '@tf/core';
import { refuseOtherCopy } from './arguments.ts';
import { untrackedEager } from './eager-value.ts';
import { escapedTracer } from './leak.ts';
import { type Extraction, extractProgram } from './extract.ts';
import type { TracedValue } from './origin.ts';
import { traced, tracedListener, type TracedTensor } from './traced-tensor.ts';

/** A program on an engine. */
export interface Loaded {
  readonly program: Program;
  readonly plan: Plan;
  /** The types of its outputs, where their sizes are known. */
  readonly outputTypes: readonly (TensorType | undefined)[];
  /** Runs it on data for the program's inputs, in their order; the buffers of donated ones are disposed, but for those that `kept` marks. */
  run(inputs: readonly EngineInput[], kept?: (index: number) => boolean): readonly DeviceBuffer[];
  /** Loads what a run needs, without blocking. */
  prepare(): Promise<void>;
}

/** How a program is compiled. */
export interface LoadOptions {
  /** Inputs that each run donates. */
  readonly donate?: readonly number[];
  readonly prune?: 'exact' | undefined;
}

/** Compiles an extracted program and puts the values that it binds on the engine. */
export function load({ program }: Extraction, engine: Engine, { donate = [], prune }: LoadOptions = {}): Loaded {
  const plan = compileProgram(program, { donate, kernels: engine.kernels, ...(prune === undefined ? {} : { prune }) });
  const executable: Executable = engine.compile(plan);
  const bound = program.bound.map(({ variable, value }) => boundInput(value, variable.type, engine));
  return {
    program,
    plan,
    outputTypes: plan.outputs.map((type) => (isStatic(type) ? type : undefined)),
    run(inputs, kept = () => false) {
      for (const { value } of program.bound) requireAlive(value);
      const all = bound.length === 0 ? inputs : [...inputs, ...bound];
      if (donate.length === 0) return executable.run(all);
      const given = donate.filter((index) => !kept(index));
      if (given.length === 0) return executable.run(all);
      const results = executable.run(all, { donate: given });
      for (const index of given) disposeBuffer(inputs[index]);
      return results;
    },
    async prepare() {
      await executable.prepare?.();
    },
  };
}

/** Extracts and loads; a leaf without data that is not among `inputs` is a tracer that escaped from its function. */
export function loadValues(op: string, outputs: readonly TracedValue[], inputs: readonly TracedValue[], engine: Engine): Loaded {
  return load(extractProgram(outputs, inputs, (leaf) => escapedTracer(leaf, op)), engine);
}

/** A large constant goes to the engine once, not with every run. */
function boundInput(value: unknown, { dtype, shape }: TensorType, engine: Engine): EngineInput {
  if (typeof value === 'number') return value;
  const given = isOperand(value) ? engineInput('a captured constant', value, engine) : onEngine('a captured constant', value as DeviceBuffer, engine);
  return typeof given === 'object' && 'data' in given ? engine.upload(dtype, shape as readonly number[], given.data) : given;
}

function requireAlive(value: unknown): void {
  const form = isOperand(value) ? hostForm(value) : undefined;
  const buffer = form === undefined ? (isOperand(value) ? undefined : value) : form.form === 'resident' ? form.buffer : undefined;
  if (typeof buffer === 'object' && buffer !== null) requireBuffer('a captured constant', buffer as DeviceBuffer);
}

/** Where the engine has not taken it. */
function disposeBuffer(input: EngineInput | undefined): void {
  if (typeof input === 'object' && 'dispose' in input && !input.disposed) input.dispose();
}

function requireBuffer(what: string, buffer: DeviceBuffer): void {
  if (buffer.engine.disposed) throw new TfError('DisposedError', `${what}: its value was lost with the engine ${buffer.engine.info.name}, which has been disposed. Read results (await x.data()) before engine.dispose().`, { argument: what, engine: buffer.engine.info.name });
  if (buffer.donated === true) throw new TfError('DisposedError', `${what}: a ${dtypes[buffer.dtype].short}[${buffer.shape.join(', ')}] that was donated to a run before was used. Use the results of that run, or do not donate what is needed afterwards.`, { argument: what, donated: true });
  if (buffer.disposed) throw new TfError('DisposedError', `${what}: a disposed ${dtypes[buffer.dtype].short}[${buffer.shape.join(', ')}] was used. Dispose tensors after their last use.`, { argument: what });
}

function onEngine(what: string, buffer: DeviceBuffer, engine: Engine): DeviceBuffer {
  requireBuffer(what, buffer);
  if (buffer.engine === engine) return buffer;
  throw new TfError('ForeignValueError', `${what}: lies on ${otherEngine(buffer.engine, engine)}. Read it and hand the data over: tensor(await x.data(), { shape }).`, { argument: what, engine: engine.info.name });
}

function otherEngine({ info }: Engine, { info: own }: Engine): string {
  return info.name === own.name ? `another instance of the engine ${own.name} than the one that runs this` : `another engine (${info.name}) than the one that runs this (${own.name})`;
}

/** Data for one input as the engine takes it. */
export function engineInput(what: string, value: unknown, engine: Engine): EngineInput {
  if (typeof value === 'number') return value;
  const form = isOperand(value) ? hostForm(value) : undefined;
  if (form?.form === 'resident') return onEngine(what, form.buffer as DeviceBuffer, engine);
  if (isTypedArray(value)) return { data: value, shape: [value.length] };
  const eager = untrackedEager(value);
  if (eager?.buffer !== undefined) return onEngine(what, eager.buffer, engine);
  if (eager?.data !== undefined) return { data: eager.data, shape: eager.type.shape as readonly number[] };
  if (form === undefined) throw new TfError('ForeignValueError', `${what}: is no tensor with data. Pass a number, a typed array, tensor(...), or a result of another run.`, { argument: what });
  if (form.form === 'data') return { data: form.data, shape: (value as Operand).type.shape as readonly number[] };
  return loadValues(what, [traced(value as Operand)], [], engine).run([])[0] as DeviceBuffer;
}

/** The type of data given for an input, or undefined for what is no data. */
export function dataType(value: unknown): TensorType | undefined {
  if (typeof value === 'number') return numberType;
  if (isTypedArray(value)) return tensorType(dtypeOfArray(value), [value.length]);
  return isOperand(value) ? value.type : undefined;
}

const numberType: TensorType<'float64'> = tensorType('float64', []);

/** Per leaf of a tree of results: the output that it is, or undefined for one that is no tensor. */
export type ResultSlots = readonly (number | undefined)[];

export interface ResultLeaves {
  readonly outputs: readonly TracedTensor[];
  readonly slots: ResultSlots;
}

export function resultLeaves(op: string, leaves: readonly unknown[]): ResultLeaves {
  const outputs: TracedTensor[] = [];
  for (const leaf of leaves) refuseOtherCopy(op, leaf, tracedListener);
  const slots = leaves.map((leaf) => (isOperand(leaf) ? outputs.push(traced(leaf)) - 1 : undefined));
  return { outputs, slots };
}

/** The tree's leaves after a run. */
export function residentLeaves(slots: ResultSlots, leaves: readonly unknown[], { outputTypes }: Loaded, buffers: readonly DeviceBuffer[]): readonly unknown[] {
  const results = [...leaves];
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at];
    if (slot !== undefined) results[at] = new ResidentTensor(buffers[slot] as DeviceBuffer, outputTypes[slot]);
  }
  return results;
}

function isStatic({ shape }: TensorType): boolean {
  return shape.every((dim) => typeof dim === 'number');
}
