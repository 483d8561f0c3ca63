import { addDims, type BufferView, counterDim, type Dim, type DType, type InnerStep, loop, type LoopStep, mulDims, type Plan, type PlanBuffer, type ScalarExpr, type Step, subDims, symbolicDim, tensorType } from '@tf/core';

/** Elements of every buffer that random steps touch. */
export const SIZE = 48;
/** The largest value of the symbol n, which is the length of input 2. */
export const LARGEST = 4;

const n = symbolicDim('n');
const floats = [5, 6, 7] as const;
const ints = [8, 9] as const;
const argumentsOf = (type: 'f64' | 'i32'): readonly [ScalarExpr, ScalarExpr] => [loop.argument(type, 0), loop.argument(type, 1)];

interface Counter {
  readonly name: string;
  readonly count: Dim;
  readonly largest: number;
}

/** Draws a plan from a row of numbers: repeated, while and branch steps around steps of every other kind. Its outputs are all that was computed. */
class PlanMaker {
  readonly #draws: readonly number[];
  #next = 0;
  #counters = 0;
  readonly #open: Counter[] = [];
  readonly buffers: PlanBuffer[] = [];
  readonly slots: (readonly Dim[])[] = [];

  constructor(draws: readonly number[]) {
    this.#draws = draws;
  }

  #below(limit: number): number {
    return limit <= 1 ? 0 : this.#draws[this.#next++ % this.#draws.length]! % limit;
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)]!;
  }

  arena(dtype: DType, elements: number): number {
    this.slots.push([8 * elements]);
    return this.buffers.push({ dtype, elements, place: { kind: 'arena', slot: this.slots.length - 1 } }) - 1;
  }

  /** An offset such that `span` elements from there on lie in the buffer, whatever the counters are. */
  #offset(span: number, elements = SIZE): Dim {
    let sum: Dim = 0;
    let [low, high] = [0, span];
    for (const { name, count, largest } of this.#open) {
      const counter = counterDim(name);
      const coefficient = this.#below(4) - 1;
      const [term, least, most] = ([
        [mulDims(coefficient, counter), Math.min(0, coefficient * largest), Math.max(0, coefficient * largest)],
        [mulDims(2, subDims(subDims(count, 1), counter)), 0, 2 * largest],
        [mulDims(n, counter), 0, LARGEST * largest],
      ] as const)[this.#below(3)]!;
      if (high + most - (low + least) > elements) continue;
      sum = addDims(sum, term);
      [low, high] = [low + least, high + most];
    }
    return addDims(sum, this.#below(elements - high + low + 1) - low);
  }

  /** Row-major, broadcast or by twos. */
  #view(buffer: number, extents: readonly number[], kind = this.#below(3)): BufferView {
    const last = kind === 0 ? 1 : kind === 1 ? 0 : 2;
    const strides = extents.map((_, axis) => (axis === extents.length - 1 ? last : extents.slice(axis + 1).reduce((a, b) => a * b, last)));
    const span = 1 + extents.reduce((sum, extent, axis) => sum + (extent - 1) * strides[axis]!, 0);
    return { buffer, offset: this.#offset(span), strides };
  }

  steps(depth: number): readonly Step[] {
    return Array.from({ length: this.#below(4) + 1 }, () => this.#step(depth)).flat();
  }

  #step(depth: number): readonly Step[] {
    const leaves = [() => this.#loop(), () => this.#loop(), () => this.#copy(), () => this.#indexed(), () => this.#contract(), () => this.#tile(), () => this.#fold()];
    const around = [() => this.#repeat(depth), () => this.#repeat(depth), () => this.#while(depth), () => this.#branch(depth)];
    return this.#pick(depth > 0 ? [...leaves, ...around, ...around] : leaves)();
  }

  #loop(extents: readonly number[] = this.#pick([[], [1], [4], [7], [2, 3]])): readonly Step[] {
    const isFloat = this.#below(3) > 0;
    const [dtype, pool] = isFloat ? (['float64', floats] as const) : (['int32', ints] as const);
    const to = this.#pick<number>(pool);
    const sources = [...pool.filter((buffer) => buffer !== to), isFloat ? 0 : 1];
    const target = this.#view(to, extents, 0);
    // What is read is what is written, or lies in another buffer.
    const from = [this.#pick([target, this.#view(this.#pick(sources), extents)]), this.#view(this.#pick(sources), extents)];
    const [x, y] = argumentsOf(isFloat ? 'f64' : 'i32');
    const body = isFloat ? this.#pick([loop.add(x, y), loop.sub(x, y), loop.max(x, y), loop.mul(x, loop.constant('f64', 0.75))]) : this.#pick([loop.max(x, y), loop.min(x, y), loop.min(x, y), loop.add(x, loop.constant('i32', 1))]);
    return [loopOf(dtype, extents, from, target, body)];
  }

  #fold(): readonly Step[] {
    const [to, from] = this.#pair();
    const read = this.#view(from, [3, 5], 0);
    const kernel = { rank: 2, reads: [{ dtype: 'float64', inner: 'contiguous' }], writes: [{ dtype: 'float64', inner: 'contiguous' }], body: [loop.argument('f64', 0)], reduce: { monoid: 'sum', axes: 1 } } as const;
    return [{ kind: 'loop', kernel, extents: [3, 5], reads: [read], writes: [this.#view(to, [3], 0)] }];
  }

  /** Two different buffers of floats. */
  #pair(): readonly [number, number] {
    const to = this.#below(floats.length);
    return [floats[to]!, floats[(to + 1 + this.#below(floats.length - 1)) % floats.length]!];
  }

  #copy(): readonly Step[] {
    const [to, from] = this.#pair();
    const elements = this.#below(5);
    return [{ kind: 'copy', dtype: 'float64', elements, from: { buffer: from, offset: this.#offset(elements) }, to: { buffer: to, offset: this.#offset(elements) } }];
  }

  #indexed(): readonly Step[] {
    const [to, from] = this.#pair();
    const common = { dtype: 'float64', extents: [2, 3], indices: { buffer: this.#pick([1, 1, 1, ...ints]), offset: this.#offset(2), strides: [1, 0] }, rows: 4, rowStride: 3 } as const;
    const row = (buffer: number): BufferView => ({ buffer, offset: this.#offset(12), strides: [0, 1] });
    const all = (buffer: number): BufferView => this.#view(buffer, [2, 3], 0);
    return [this.#below(2) === 0 ? { kind: 'gather', ...common, source: row(from), out: all(to) } : { kind: 'scatter', combine: 'add', ...common, updates: all(from), target: row(to) }];
  }

  /** Of integers, whose bits do not depend on the order of sums. */
  #contract(): readonly Step[] {
    const [lhs, rhs, out] = [this.#view(1, [2, 3], 0), this.#view(ints[1], [3, 2], 0), this.#view(ints[0], [2, 2], 0)];
    return [{ kind: 'contract', dtype: 'int32', batch: [], m: 2, n: 2, k: 3, lhs, rhs, out }];
  }

  #tile(): readonly Step[] {
    const [to, from] = this.#pair();
    const slot = this.buffers.filter(({ place }) => place.kind === 'tile').length;
    const own = this.buffers.push({ dtype: 'float64', elements: 8, place: { kind: 'tile', slot } }) - 1;
    const rows: BufferView = { buffer: own, offset: 0, strides: [2, 1] };
    const [read, write] = [this.#view(from, [4, 2], 0), this.#view(to, [4, 2], 0)];
    const [x, y] = argumentsOf('f64');
    return [{ kind: 'tile', rows: 4, steps: [loopOf('float64', [4, 2], [read, read], rows, loop.add(x, y)), loopOf('float64', [4, 2], [rows, read], write, loop.sub(x, y))] }];
  }

  #repeat(depth: number): readonly Step[] {
    const count = this.#pick<Dim>([0, 1, 2, 3, n, n, subDims(n, 1)]);
    const counter = { name: `#${this.#counters++}`, count, largest: typeof count === 'number' ? Math.max(0, count - 1) : LARGEST - 1 };
    this.#open.push(counter);
    const steps = this.steps(depth - 1);
    this.#open.pop();
    return [{ kind: 'repeat', counter: counter.name, count, steps }];
  }

  /** With a number of its own that comes to an end. */
  #while(depth: number): readonly Step[] {
    const own: BufferView = { buffer: this.arena('int32', 1), offset: 0, strides: [] };
    const holds: BufferView = { buffer: this.arena('bool', 32), offset: this.#offset(1, 32), strides: [] };
    const [x] = argumentsOf('i32');
    const reset = loopOf('int32', [], [], own, loop.constant('i32', 0));
    const further = loopOf('int32', [], [own], own, loop.add(x, loop.constant('i32', 1)));
    const condition = loopOf('int32', [], [own], holds, loop.lt(x, loop.constant('i32', this.#below(4))), 'bool');
    return [reset, { kind: 'while', condition: [...(this.#below(2) === 0 ? this.#loop() : []), condition], holds, steps: [...this.steps(depth - 1), further] }];
  }

  #branch(depth: number): readonly Step[] {
    const index: BufferView = { buffer: this.#pick([1, ...ints]), offset: this.#offset(1), strides: [] };
    return [{ kind: 'branch', index, branches: Array.from({ length: this.#below(3) + 1 }, () => (this.#below(4) === 0 ? [] : this.steps(depth - 1))) }];
  }
}

function loopOf(dtype: DType, extents: readonly Dim[], reads: readonly BufferView[], write: BufferView, body: ScalarExpr, written: DType = dtype): LoopStep {
  const inner = ({ strides }: BufferView): InnerStep => (strides.length === 0 || strides.at(-1) === 1 ? 'contiguous' : strides.at(-1) === 0 ? 'broadcast' : 'strided');
  return { kind: 'loop', kernel: { rank: extents.length, reads: reads.map((view) => ({ dtype, inner: inner(view) })), writes: [{ dtype: written, inner: inner(write) }], body: [body] }, extents, reads, writes: [write] };
}

export function randomNestedPlan(draws: readonly number[]): Plan {
  const maker = new PlanMaker(draws);
  const inputs = [tensorType('float64', [SIZE]), tensorType('int32', [SIZE]), tensorType('float64', [n])];
  const outputs = [tensorType('float64', [floats.length * SIZE]), tensorType('int32', [ints.length * SIZE])];
  inputs.forEach(({ dtype }, index) => maker.buffers.push({ dtype, elements: index === 2 ? n : SIZE, place: { kind: 'input', index } }));
  outputs.forEach(({ dtype }, index) => maker.buffers.push({ dtype, elements: (index === 0 ? floats : ints).length * SIZE, place: { kind: 'output', index } }));
  for (const _ of floats) maker.arena('float64', SIZE);
  for (const _ of ints) maker.arena('int32', SIZE);
  const copies = (dtype: DType, from: (at: number) => readonly [number, number], to: (at: number) => readonly [number, number], pool: readonly number[]): readonly Step[] =>
    pool.map((_, at): Step => ({ kind: 'copy', dtype, elements: SIZE, from: { buffer: from(at)[0], offset: from(at)[1] }, to: { buffer: to(at)[0], offset: to(at)[1] } }));
  const steps = [
    ...copies('float64', () => [0, 0], (at) => [floats[at]!, 0], floats), ...copies('int32', () => [1, 0], (at) => [ints[at]!, 0], ints),
    ...maker.steps(3), ...maker.steps(3), ...maker.steps(3),
    ...copies('float64', (at) => [floats[at]!, 0], (at) => [3, at * SIZE], floats), ...copies('int32', (at) => [ints[at]!, 0], (at) => [4, at * SIZE], ints),
  ];
  return { contract: 1, inputs, outputs, buffers: maker.buffers, slots: maker.slots, steps, constraints: [], intermediateBytes: 0 };
}
