import type { Atom, BufferPlace, Instruction, Literal, PlanBuffer, Program, Step, Var } from '../contract.ts';
import { expandAllCalls } from '../loop/functions/catalog.ts';
import { nodesInOrder } from '../loop/order.ts';
import { authored } from '../program/authored.ts';
import { isLiteral } from '../program/literal.ts';
import { type Dim, sameDim } from '../types/dim.ts';
import type { DType } from '../types/dtype.ts';
import type { LoopKernel } from '../types/loop-language.ts';
import { elementCount, rowMajorStrides, type Shape } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { isView } from './groups.ts';
import { contiguousLayout, isContiguous, isPermuted, type Layout } from './layout.ts';
import type { ProgramIndex, ProgramIndices } from './program-index.ts';
import { UnitNumbers } from './unit-numbers.ts';
import type { Unit } from './unit-order.ts';
import { WordTable } from './word-table.ts';

/** Scalar operations, functions counted by their definitions, after which new combinations of instructions get no kernel. */
const MAXIMUM_CODE = 32_768;

/** Of all buffers of the arena, until they get their slots. */
const unplaced: BufferPlace = Object.freeze({ kind: 'arena', slot: -1 });

/** What values of one shape have in common. */
interface Space {
  readonly elements: Dim;
  readonly strides: readonly Dim[];
}

/** What the plan of a program shares with the plans of the regions inside it. */
interface Shared {
  /** By text, or by the number of what they are made of. */
  readonly kernels: Map<string | number, LoopKernel>;
  /** By the literal's code. */
  readonly constants: Map<number, number>;
  readonly bodies: WordTable;
  readonly words: number[];
  readonly spaces: Map<Shape, Space>;
  /** Bodies that have a kernel. */
  readonly written: Set<number>;
  codeLeft: number;
  counters: number;
}

/** A program under planning: layouts of values, buffers and steps so far. */
export class Planner {
  readonly indices: ProgramIndices;
  readonly index: ProgramIndex;
  readonly buffers: PlanBuffer[];
  readonly steps: Step[] = [];
  /** By value. */
  readonly #layouts: (Layout | undefined)[];
  readonly #shared: Shared;
  /** What the values of the unit in hand are to it. */
  readonly unit: UnitNumbers;
  /** Per value: the last unit that reads it or a view of it, or −1; per buffer: the last that reads any value in it. */
  readonly #lastUse: Int32Array;
  readonly #bufferUse = new Map<number, number>();
  now = 0;
  /** Values that are computed straight into where an output goes. */
  readonly #destinations: ReadonlyMap<number, number>;
  /** Where the outputs of a region go; of the whole program, to outputs of the plan. */
  readonly #targets: readonly (Layout | undefined)[] | undefined;
  /** Buffers that values are handed on in, whose memory may be taken although it is not the arena's alone. */
  readonly #handed = new Set<number>();
  /** Buffers before this one belong to the program around: what repeats must find them as they were. */
  readonly #first: number;

  /** With `inside`, the plan of a region: `targets` says where its outputs go, undefined leaves one where it comes to lie. */
  constructor(program: Program, indices: ProgramIndices, inside?: { readonly planner: Planner; readonly targets: readonly (Layout | undefined)[] }) {
    this.#shared = inside !== undefined ? inside.planner.#shared : { kernels: new Map(), constants: new Map(), bodies: new WordTable(), words: [], spaces: new Map(), written: new Set(), codeLeft: MAXIMUM_CODE, counters: 0 };
    this.indices = indices;
    this.index = indices.of(program);
    this.unit = new UnitNumbers(this.index.producer.length);
    this.#layouts = new Array<Layout | undefined>(this.index.producer.length).fill(undefined);
    this.#lastUse = new Int32Array(this.index.producer.length).fill(-1);
    this.#targets = inside?.targets;
    this.#destinations = new Map([...destinations(this.index)].filter(([, output]) => this.#targets === undefined || this.#targets[output] !== undefined));
    this.buffers = inside?.planner.buffers ?? [];
    this.#first = this.buffers.length;
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
    const number = this.index.numbers.of(value);
    return this.index.isOutput[number] === 1 || (this.#lastUse[number] as number) >= 0;
  }

  /** The number of a value of the program, or −1 − the code of a literal. */
  numberOf(atom: Atom): number {
    return isLiteral(atom) ? -1 - this.indices.codes.literals.of(atom) : this.index.numbers.of(atom);
  }

  layoutOf(atom: Atom): Layout {
    return isLiteral(atom) ? contiguousLayout(this.#constant(atom), atom.type.shape) : (this.#layouts[this.index.numbers.of(atom)] as Layout);
  }

  define(variable: Var, layout: Layout): void {
    const number = this.index.numbers.of(variable);
    this.#layouts[number] = layout;
    const last = this.index.isOutput[number] === 1 ? Infinity : Math.max(0, this.#lastUse[number] as number);
    const known = this.#bufferUse.get(layout.buffer);
    if (known === undefined || known < last) this.#bufferUse.set(layout.buffer, last);
  }

  buffer(dtype: DType, elements: Dim, place: BufferPlace): number {
    this.buffers.push({ dtype, elements, place });
    return this.buffers.length - 1;
  }

  /** A contiguous layout for a value about to be computed. */
  allocate(variable: Var): Layout {
    const layout = this.#place(variable, this.#destinations.get(this.index.numbers.of(variable)));
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
    const { instructions, inputs, inputStart, firstOutput } = this.index;
    for (let at = 0; at < units.length; at++) {
      const { members, root } = units[at] as Unit;
      for (let place = 0; place < members.length; place++) this.#use(members[place] as number, at);
      if (root !== undefined) this.#use(root, at);
    }
    for (let at = units.length - 1; at >= 0; at--) {
      const { root } = units[at] as Unit;
      if (root === undefined || !sharesMemory(instructions[root] as Instruction)) continue;
      const input = inputs[inputStart[root] as number] as number;
      for (let output = firstOutput[root] as number; output < (firstOutput[root + 1] as number); output++) this.#extend(input, this.#lastUse[output] as number, at);
    }
  }

  #use(instruction: number, at: number): void {
    const { instructions, inputs, inputStart } = this.index;
    const start = inputStart[instruction] as number;
    const end = start + (instructions[instruction] as Instruction).inputs.length;
    for (let place = start; place < end; place++) {
      const value = inputs[place] as number;
      if (value >= 0) this.#lastUse[value] = at;
    }
  }

  /** What shares a value's memory needs it until then; where nobody reads that, it is needed `now`. */
  #extend(value: number, until: number, now: number): void {
    if (value >= 0) this.#lastUse[value] = Math.max(until < 0 ? now : until, this.#lastUse[value] as number);
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
    const destination = this.#destinations.get(this.index.numbers.of(output));
    if (destination !== undefined && (isOwn || this.#targets !== undefined || !isContiguous(layout))) return undefined;
    if (destination !== undefined) this.buffers[layout.buffer] = { ...buffer, place: { kind: 'output', index: destination } };
    this.define(output, layout);
    return layout;
  }

  /** The kernel with this key, made once: steps that run the same code share the object. */
  kernel(key: string | number, make: () => LoopKernel): LoopKernel {
    let kernel = this.#shared.kernels.get(key);
    if (kernel === undefined) {
      this.#shared.kernels.set(key, (kernel = make()));
      this.#shared.codeLeft -= nodesInOrder(expandAllCalls(kernel.body)).length;
    }
    return kernel;
  }

  /** Numbers for lists of numbers that tell of units, or of their kernels. */
  get bodies(): WordTable {
    return this.#shared.bodies;
  }

  /** To be filled for these: one list for all units. */
  get words(): number[] {
    return this.#shared.words;
  }

  /** Whether a unit with this code may have a kernel of its own. */
  affords(code: number): boolean {
    return this.#shared.codeLeft > 0 || this.#shared.written.has(code);
  }

  note(code: number): void {
    this.#shared.written.add(code);
  }

  scratch({ dtype, shape }: TensorType, place: BufferPlace = unplaced): Layout {
    // A long program has few types, whose objects its values share.
    let space = this.#shared.spaces.get(shape);
    if (space === undefined) this.#shared.spaces.set(shape, (space = { elements: elementCount(shape), strides: rowMajorStrides(shape) }));
    return { buffer: this.buffer(dtype, space.elements, place), offset: 0, shape, strides: space.strides };
  }

  #constant(value: Literal): number {
    const code = this.indices.codes.literals.of(value);
    let buffer = this.#shared.constants.get(code);
    if (buffer === undefined) this.#shared.constants.set(code, (buffer = this.buffer(value.type.dtype, elementCount(value.type.shape), { kind: 'constant', data: value.data })));
    return buffer;
  }
}

/**
 * Which value is computed into which output: the output itself, or the value that it only reshapes. An input, a literal
 * or a value already placed needs a copy instead.
 */
function destinations({ program, instructions, numbers, producer, inputs, inputStart }: ProgramIndex): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const producerOf = (value: number): Instruction | undefined => instructions[producer[value] ?? -1];
  program.outputs.forEach((output, index) => {
    let root = isLiteral(output) ? -1 : numbers.of(output);
    for (let maker = producerOf(root); maker !== undefined && isReshape(maker); maker = producerOf(root)) root = inputs[inputStart[producer[root] as number] as number] as number;
    const maker = producerOf(root);
    if (maker !== undefined && maker.operation.traits.layout === undefined && !found.has(root)) found.set(root, index);
  });
  return found;
}

/** Whether an instruction's output may lie in its first input's memory. */
function sharesMemory(instruction: Instruction): boolean {
  return isView(instruction) || instruction.operation.traits.reduction !== undefined;
}

function isReshape(instruction: Instruction): boolean {
  const { operation, params, inputs, outputs } = instruction;
  return authored(operation, 'traits', () => operation.traits.layout?.(params, (inputs[0] as Atom).type, (outputs[0] as Var).type).kind === 'reshape');
}
