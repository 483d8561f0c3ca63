import type { Atom, BufferPlace, Instruction, Literal, PlanBuffer, Program, Step, Var } from '../contract.ts';
import { expandAllCalls } from '../loop/functions/catalog.ts';
import { nodesInOrder } from '../loop/order.ts';
import { authored } from '../program/authored.ts';
import { isLiteral, literalText } from '../program/literal.ts';
import { ValueMap, ValueSet } from '../program/numbered-map.ts';
import { type Dim, sameDim } from '../types/dim.ts';
import type { DType } from '../types/dtype.ts';
import type { LoopKernel } from '../types/loop-language.ts';
import { elementCount, rowMajorStrides } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { isView } from './groups.ts';
import { contiguousLayout, isContiguous, isPermuted, type Layout } from './layout.ts';
import { BodyCodes } from './operation-codes.ts';
import type { Unit } from './unit-order.ts';

/** Scalar operations, functions counted by their definitions, after which new combinations of instructions get no kernel. */
const MAXIMUM_CODE = 32_768;

/** What the plan of a program shares with the plans of the regions inside it. */
interface Shared {
  readonly kernels: Map<string, LoopKernel>;
  readonly constants: Map<string, number>;
  readonly codes: BodyCodes;
  /** What has a kernel. */
  readonly bodies: Set<number>;
  codeLeft: number;
  counters: number;
}

/** A program under planning: layouts of values, buffers and steps so far. */
export class Planner {
  readonly buffers: PlanBuffer[];
  readonly steps: Step[] = [];
  readonly #layouts = new ValueMap<Layout>();
  readonly #shared: Shared;
  /** Per value: the last unit that reads it or a view of it; per buffer: the last that reads any value in it. */
  readonly #lastUse = new ValueMap<number>();
  readonly #bufferUse = new Map<number, number>();
  readonly #outputs: ValueSet;
  now = 0;
  /** Values that are computed straight into where an output goes. */
  readonly #destinations: ReadonlyMap<Var, number>;
  /** Where the outputs of a region go; of the whole program, to outputs of the plan. */
  readonly #targets: readonly (Layout | undefined)[] | undefined;
  /** Buffers that values are handed on in, whose memory may be taken although it is not the arena's alone. */
  readonly #handed = new Set<number>();
  /** Buffers before this one belong to the program around: what repeats must find them as they were. */
  readonly #first: number;

  /** With `inside`, the plan of a region: `targets` says where its outputs go, undefined leaves one where it comes to lie. */
  constructor(program: Program, inside?: { readonly planner: Planner; readonly targets: readonly (Layout | undefined)[] }) {
    this.#targets = inside?.targets;
    this.#destinations = new Map([...destinations(program)].filter(([, output]) => this.#targets === undefined || this.#targets[output] !== undefined));
    this.#outputs = new ValueSet(program.outputs);
    this.buffers = inside?.planner.buffers ?? [];
    this.#first = this.buffers.length;
    this.#shared = inside !== undefined ? inside.planner.#shared : { kernels: new Map(), constants: new Map(), codes: new BodyCodes(), bodies: new Set(), codeLeft: MAXIMUM_CODE, counters: 0 };
  }

  /** A name for the counter of a repeated step. */
  counter(): string {
    return `#${this.#shared.counters++}`;
  }

  /** Lets the memory of a buffer be taken over by the last value computed from it. */
  handOn(buffer: number): void {
    this.#handed.add(buffer);
  }

  /** Whether anything reads a value. */
  isRead(value: Var): boolean {
    return this.#outputs.has(value) || this.#lastUse.has(value);
  }

  layoutOf(atom: Atom): Layout {
    return isLiteral(atom) ? contiguousLayout(this.#constant(atom), atom.type.shape) : (this.#layouts.get(atom) as Layout);
  }

  define(variable: Var, layout: Layout): void {
    this.#layouts.set(variable, layout);
    this.#bufferUse.set(layout.buffer, Math.max(this.#bufferUse.get(layout.buffer) ?? 0, this.#outputs.has(variable) ? Infinity : (this.#lastUse.get(variable) ?? 0)));
  }

  buffer(dtype: DType, elements: Dim, place: BufferPlace): number {
    this.buffers.push({ dtype, elements, place });
    return this.buffers.length - 1;
  }

  /** A contiguous layout for a value about to be computed. */
  allocate(variable: Var): Layout {
    const layout = this.#place(variable, this.#destinations.get(variable));
    this.define(variable, layout);
    return layout;
  }

  #place({ type }: Var, output = -1): Layout {
    if (output < 0) return this.scratch(type);
    const target = this.#targets?.[output];
    return target === undefined ? this.scratch(type, { kind: 'output', index: output }) : { ...target, shape: type.shape, strides: rowMajorStrides(type.shape) };
  }

  /** Tells in which order units will be planned; `now` is the one being planned. */
  schedule(units: readonly Unit[]): void {
    for (let at = 0; at < units.length; at++) {
      const { members, root } = units[at] as Unit;
      for (let place = 0; place < members.length; place++) this.#use(members[place] as Instruction, at);
      if (root !== undefined) this.#use(root, at);
    }
    for (let at = units.length - 1; at >= 0; at--) {
      const { root } = units[at] as Unit;
      if (root === undefined || !sharesMemory(root)) continue;
      const [input] = root.inputs as readonly [Atom];
      for (const output of root.outputs) this.#extend(input, this.#lastUse.get(output) ?? at);
    }
  }

  #use({ inputs }: Instruction, at: number): void {
    for (let place = 0; place < inputs.length; place++) {
      const input = inputs[place] as Atom;
      if (!isLiteral(input)) this.#lastUse.set(input, at);
    }
  }

  #extend(value: Atom, at: number): void {
    if (!isLiteral(value)) this.#lastUse.set(value, Math.max(at, this.#lastUse.get(value) ?? 0));
  }

  /**
   * The memory of a value that is needed for the last time now, as that of `output`; undefined where it must stay as it is. Its axes lie in
   * row-major order there, or, with `rearranged`, in any.
   */
  takeOver(value: Atom, output: Var, others: readonly Atom[], rearranged = false): Layout | undefined {
    if (isLiteral(value)) return undefined;
    const layout = this.layoutOf(value);
    const buffer = this.buffers[layout.buffer] as PlanBuffer;
    const isWhole = layout.offset === 0 && (isContiguous(layout) || (rearranged && isPermuted(layout))) && sameDim(buffer.elements, elementCount(layout.shape));
    const isOwn = this.#handed.has(layout.buffer);
    const isFree = (isOwn || (buffer.place.kind === 'arena' && layout.buffer >= this.#first)) && (this.#bufferUse.get(layout.buffer) ?? Infinity) <= this.now;
    if (!isWhole || !isFree || others.some((other) => this.layoutOf(other).buffer === layout.buffer)) return undefined;
    const destination = this.#destinations.get(output);
    if (destination !== undefined && (isOwn || this.#targets !== undefined || !isContiguous(layout))) return undefined;
    if (destination !== undefined) this.buffers[layout.buffer] = { ...buffer, place: { kind: 'output', index: destination } };
    this.define(output, layout);
    return layout;
  }

  /** The kernel with this key, made once: steps that run the same code share the object. */
  kernel(key: string, make: () => LoopKernel): LoopKernel {
    let kernel = this.#shared.kernels.get(key);
    if (kernel === undefined) {
      this.#shared.kernels.set(key, (kernel = make()));
      this.#shared.codeLeft -= nodesInOrder(expandAllCalls(kernel.body)).length;
    }
    return kernel;
  }

  get codes(): BodyCodes {
    return this.#shared.codes;
  }

  /** Whether a unit with this code may have a kernel of its own. */
  affords(code: number): boolean {
    return this.#shared.codeLeft > 0 || this.#shared.bodies.has(code);
  }

  note(code: number): void {
    this.#shared.bodies.add(code);
  }

  scratch(type: TensorType, place: BufferPlace = { kind: 'arena', slot: -1 }): Layout {
    return contiguousLayout(this.buffer(type.dtype, elementCount(type.shape), place), type.shape);
  }

  #constant(value: Literal): number {
    const key = literalText(value);
    let buffer = this.#shared.constants.get(key);
    if (buffer === undefined) this.#shared.constants.set(key, (buffer = this.buffer(value.type.dtype, elementCount(value.type.shape), { kind: 'constant', data: value.data })));
    return buffer;
  }
}

/**
 * Which value is computed into which output: the output itself, or the value that it only reshapes. An input, a literal
 * or a value already placed needs a copy instead.
 */
function destinations(program: Program): ReadonlyMap<Var, number> {
  const producers = producersBehind(program);
  const found = new Map<Var, number>();
  program.outputs.forEach((output, index) => {
    let root: Atom = output;
    for (let producer = producers.get(root); producer !== undefined && isReshape(producer); producer = producers.get(root)) root = producer.inputs[0] as Atom;
    const producer = producers.get(root);
    if (producer !== undefined && producer.operation.traits.layout === undefined && !isLiteral(root) && !found.has(root)) found.set(root, index);
  });
  return found;
}

/** Who gives the outputs, and what reshapes to them. */
function producersBehind({ instructions, outputs }: Program): ReadonlyMap<Atom, Instruction> {
  const wanted = new ValueSet(outputs);
  const producers = new Map<Atom, Instruction>();
  for (let at = instructions.length - 1; at >= 0; at--) {
    const instruction = instructions[at] as Instruction;
    if (!wanted.hasAny(instruction.outputs)) continue;
    for (const output of instruction.outputs) producers.set(output, instruction);
    if (isReshape(instruction)) wanted.add(instruction.inputs[0] as Atom);
  }
  return producers;
}

/** Whether an instruction's output may lie in its first input's memory. */
function sharesMemory(instruction: Instruction): boolean {
  return isView(instruction) || instruction.operation.traits.reduction !== undefined;
}

function isReshape(instruction: Instruction): boolean {
  const { operation, params, inputs, outputs } = instruction;
  return authored(operation, 'traits', () => operation.traits.layout?.(params, (inputs[0] as Atom).type, (outputs[0] as Var).type).kind === 'reshape');
}
