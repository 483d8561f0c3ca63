/**
 * The innermost loop of a kernel as a function of its own: (pointers of reads and writes, strides of the strided ones,
 * count ≥ 1). Drivers call it in pieces, so that V8 replaces its first quick translation by the optimised one: a function
 * is exchanged at its next call, never within a loop (engine-wasm.md: 29 ms → 3.3 ms).
 *
 * Vectors come first, then the elements that are left, one by one. Both compute the same bits.
 */
import type { KernelAccess, ScalarExpr, ScalarType } from '@tf/core';
import { advance, type Code, doWhile, get, i32, ifElse, instr, load, type Local, mul, set, store, sub, type ValueType } from '../encoder/code.ts';
import { type EncodedFunction, FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder, PlaceData } from '../encoder/module.ts';
import { LookAhead } from './look-ahead.ts';
import { type GraphEmitter, type Temporaries, temporariesIn } from './emitter.ts';
import { buildGraph, type Graph } from './graph.ts';
import { scalarEmitter } from './scalar.ts';
import { type QuickWay, waysOf } from './shortcuts.ts';
import { storageOf, valueTypeOf, writtenLanes } from './storage.ts';
import { asReal } from './lanewise.ts';
import { vectorEmitter } from './vector.ts';
import { storeVector, type VectorPlace } from './vector-memory.ts';
import { exceeds, type Lanes, lanesOf } from './vector-operations.ts';

interface VectorEmitters {
  readonly always: GraphEmitter;
  readonly quick: { readonly shared: GraphEmitter; readonly conditions: GraphEmitter; readonly values: GraphEmitter } | undefined;
}

/** Where no element of a pass is extreme, and how that is seen. */
interface Quick {
  readonly way: QuickWay;
  readonly shared: Graph;
  readonly conditions: Graph;
  readonly graph: Graph;
}

/** Elements per call of an inner loop. */
export const CHUNK = 4096;

/** Nodes below which a kernel is small, up to which a pass takes two pairs of vectors, and up to which it takes one. */
const SMALL = 12;
const TWO_PAIRS = 64;
const SIDE_BY_SIDE = 300;

/** Steps of a pass, one vector each; those of a group side by side. */
type Groups = readonly (readonly number[])[];

export interface InnerLoop {
  readonly reads: readonly KernelAccess[];
  readonly writes: readonly KernelAccess[];
  readonly body: readonly ScalarExpr[];
  /** Contiguous reads of which later tiles are wanted. */
  readonly ahead?: readonly number[];
}

/** Operands whose stride an inner loop is told. */
export function stridedOperands({ reads, writes }: InnerLoop): readonly number[] {
  return [...reads, ...writes].flatMap(({ inner }, operand) => (inner === 'strided' ? [operand] : []));
}

/** Adds an inner loop to a module and gives its index. */
export type AddInnerLoop = (inner: InnerLoop) => number;

/** Adds the function and gives its index. */
export function addInnerLoop(module: ModuleBuilder, inner: InnerLoop): number {
  return module.addEncoded(encodeInnerLoop(inner, (bytes) => module.dataAddress(bytes)));
}

/** The function, for any module in which the addresses of its constant data hold. */
export function encodeInnerLoop(inner: InnerLoop, dataAddress: PlaceData): EncodedFunction {
  const real = asReal(inner);
  const emitter = new InnerEmitter(dataAddress, real ?? inner, real === undefined ? 1 : 2);
  return { signature: emitter.scope.signature, code: emitter.scope.encode(emitter.body()) };
}

class InnerEmitter {
  readonly scope: FunctionScope;
  readonly #dataAddress: PlaceData;
  readonly #inner: InnerLoop;
  readonly #each: 1 | 2;
  readonly #graph: Graph;
  readonly #quick: Quick | undefined;
  /** What a step's conditions and values share, by its number among them. */
  readonly #shared = new Map<string, Local>();
  readonly #operands: readonly KernelAccess[];
  readonly #strided: readonly number[];
  readonly #count: Local;
  readonly #temporary: Temporaries;
  readonly #lanes: Lanes;
  readonly #lookAhead: LookAhead;

  /** `each`: how many elements of this loop are one of those that callers count. */
  constructor(dataAddress: PlaceData, inner: InnerLoop, each: 1 | 2) {
    this.#dataAddress = dataAddress;
    this.#inner = inner;
    this.#each = each;
    this.#operands = [...inner.reads, ...inner.writes];
    this.#strided = stridedOperands(inner);
    const { always, quick: way } = waysOf(inner.body, { inputs: this.#operands.length, fixed: this.#fixed });
    this.#graph = buildGraph(always);
    this.#quick = way === undefined || this.#strided.length > 0 ? undefined : { way, shared: buildGraph(way.shared), conditions: buildGraph(way.conditions.map(({ value }) => value)), graph: buildGraph(way.body) };
    this.scope = new FunctionScope([...this.#operands, ...this.#strided, 0].map(() => 'i32' as const));
    this.#count = this.scope.parameter(this.#operands.length + this.#strided.length);
    this.#temporary = temporariesIn(this.scope);
    this.#lanes = lanesOf(this.#graph.nodes.map(({ expr }) => expr.type), inner.writes.map(({ dtype }) => dtype));
    const ahead = this.#length < SMALL ? [] : inner.ahead ?? [];
    this.#lookAhead = new LookAhead(this.scope, ahead.map((read) => ({ pointer: this.scope.parameter(read), bytes: storageOf(inner.reads[read]!.dtype).bytes })));
  }

  /** Nodes of an element's way. */
  get #length(): number {
    return (this.#quick?.graph ?? this.#graph).nodes.length;
  }

  body(): Code {
    const scaled = this.#each === 1 ? [] : set(this.#count, mul(get(this.#count), i32(this.#each)));
    return [scaled, this.#vectors(), ifElse(get(this.#count), this.#elements())];
  }

  #stride(operand: number): Code {
    return stepCode(this.#operands[operand]!, () => get(this.scope.parameter(this.#operands.length + this.#strided.indexOf(operand))));
  }

  readonly #fixed = (input: number): boolean => this.#operands[input]?.inner === 'broadcast';

  /**
   * All values, those of each repetition in a list, before the first store: a write may lie where another value's operand does. One
   * store takes the lanes of an element.
   */
  #stores(values: readonly (readonly Code[])[], typeOf: (root: number) => ValueType, storeValues: (write: number, lanes: readonly Code[], type: ScalarType, repetition: number) => Code): Code {
    const { body, writes } = this.#inner;
    const [only, ...others] = values.flat();
    if (only !== undefined && others.length === 0) return storeValues(0, [only], body[0]!.type, 0);
    const kept = values.map((roots) => roots.map((_, root) => this.scope.local(typeOf(root))));
    const places = writtenLanes(writes);
    const stores = kept.map((locals, repetition) => writes.map((_, write) => {
      const roots = places.flatMap((place, root) => (place.write === write ? [root] : []));
      return storeValues(write, roots.map((root) => get(locals[root]!)), body[roots[0]!]!.type, repetition);
    }));
    return [values.map((roots, repetition) => roots.map((value, root) => set(kept[repetition]![root]!, value))), stores];
  }

  // -------------------------------------------------------------- vectors

  #vectors(): Code {
    const quick = this.#quick && { shared: this.#vectorEmitter(this.#quick.shared), conditions: this.#vectorEmitter(this.#quick.conditions), values: this.#vectorEmitter(this.#quick.graph) };
    const emitters = { always: this.#vectorEmitter(this.#graph), quick };
    const preludes = [emitters.always, ...(quick === undefined ? [] : [quick.shared, quick.conditions, quick.values])].map((emitter) => emitter.prelude());
    const left = this.scope.local('i32');
    const groups = this.#groups();
    const passes = (of: Groups, before: Code = []): Code => ifElse(instr('i32.ge_u', get(this.#count), i32(of.flat().length * this.#lanes)), this.#passes([before, this.#pass(emitters, of)], of, left));
    const enough = instr('i32.ge_u', get(this.#count), i32(this.#lanes));
    return ifElse(enough, [preludes, this.#lookAhead.start(this.#count), passes(groups, this.#lookAhead.touch()), groups.flat().length === 1 ? [] : passes([[0]])]);
  }

  #vectorEmitter(graph: Graph): GraphEmitter {
    return vectorEmitter(graph, {
      scope: this.scope,
      temporary: this.#temporary,
      lanes: this.#lanes,
      place: (input, step) => this.#place(input, step),
      fixed: this.#fixed,
      computed: (input, step) => (input < this.#operands.length ? undefined : this.#sharedLocal(input - this.#operands.length, step)),
      dataAddress: this.#dataAddress,
    });
  }

  #sharedLocal(number: number, step: number): Local {
    const key = `${number} ${step}`;
    const local = this.#shared.get(key) ?? this.scope.local('v128');
    this.#shared.set(key, local);
    return local;
  }

  /** The vectors of one pass: the quick way where no element of them is extreme. */
  #pass({ always, quick }: VectorEmitters, groups: Groups): Code {
    const vectors = (emitter: GraphEmitter): Code => groups.map((steps) => [this.#storeVectors(emitter, steps), this.#moveStrided()]);
    if (quick === undefined) return vectors(always);
    const steps = groups.flat();
    const shared = steps.map((step) => quick.shared.values(step).map((value, number) => set(this.#sharedLocal(number, step), value)));
    return [shared, ifElse(this.#isExtreme(quick.conditions, steps), vectors(always), vectors(quick.values))];
  }

  /** Whether a condition holds for an element of the steps: of those with a limit the greatest value is compared. */
  #isExtreme(emitter: GraphEmitter, steps: readonly number[]): Code {
    const { conditions } = this.#quick!.way;
    const found = conditions.map(() => this.scope.local('v128'));
    const collect = steps.map((step, at) => emitter.values(step).map((value, i) => {
      const join = conditions[i]!.limit === undefined ? 'v128.or' : 'i32x4.max_s';
      return set(found[i]!, at === 0 ? value : instr(join, get(found[i]!), value));
    }));
    const masks = conditions.map(({ limit }, i) => (limit === undefined ? get(found[i]!) : exceeds(found[i]!, limit, this.#lanes)));
    return [collect, instr('v128.any_true', masks.reduce((any, mask) => instr('v128.or', any, mask)))];
  }

  /** Passes over the groups' vectors, at least one; fewer elements than a pass takes stay. */
  #passes(pass: Code, groups: Groups, left: Local): Code {
    const elements = groups.flat().length * this.#lanes;
    return [
      set(left, instr('i32.shr_u', get(this.#count), i32(Math.log2(elements)))),
      doWhile([pass, this.#moveContiguous(elements)], [set(left, sub(get(left), i32(1))), get(left)]),
      set(this.#count, instr('i32.and', get(this.#count), i32(elements - 1))),
    ];
  }

  /**
   * Small kernels wait for memory, so they take several vectors at a time. Longer ones wait for their own results: two vectors
   * whose stores come after all that is computed are two chains of instructions side by side, as far as registers go.
   */
  #groups(): Groups {
    const length = this.#length;
    if (this.#strided.length > 0 || length >= SIDE_BY_SIDE) return [[0]];
    if (length < SMALL) return [[0], [1], [2], [3]];
    return length < TWO_PAIRS ? [[0, 1], [2, 3]] : [[0, 1]];
  }

  #place(operand: number, step: number): VectorPlace {
    const access = this.#operands[operand]!;
    const offset = access.inner === 'contiguous' ? step * this.#lanes * storageOf(access.dtype).bytes : 0;
    return { access, pointer: this.scope.parameter(operand), offset, stride: this.#stride(operand) };
  }

  /** The vectors of the steps: all values, then all stores. */
  #storeVectors(emitter: GraphEmitter, steps: readonly number[]): Code {
    const values = steps.map((step) => emitter.values(step));
    return this.#stores(values, () => 'v128', (write, lanes, type, repetition) => {
      const place = this.#place(this.#inner.reads.length + write, steps[repetition]!);
      return storeVector(place, type, lanes, this.#lanes, this.#temporary);
    });
  }

  #moveContiguous(elements: number): Code {
    return this.#operands.flatMap(({ inner, dtype }, operand) => (inner === 'contiguous' ? [advance(this.scope.parameter(operand), i32(elements * storageOf(dtype).bytes))] : []));
  }

  #moveStrided(): Code {
    return this.#strided.map((operand) => advance(this.scope.parameter(operand), mul(this.#stride(operand), i32(this.#lanes))));
  }

  // -------------------------------------------------------------- single elements

  #elements(): Code {
    const emitter = scalarEmitter(this.#graph, {
      scope: this.scope,
      read: (input, lane) => {
        const storage = storageOf(this.#operands[input]!.dtype);
        return load(storage.load, get(this.scope.parameter(input)), lane * storage.laneBytes);
      },
      fixed: this.#fixed,
      dataAddress: this.#dataAddress,
    });
    const prelude = emitter.prelude();
    const stores = this.#stores([emitter.values()], (root) => valueTypeOf(this.#inner.body[root]!.type), (write, lanes) => {
      const storage = storageOf(this.#inner.writes[write]!.dtype);
      return lanes.map((value, lane) => store(storage.store, get(this.scope.parameter(this.#inner.reads.length + write)), value, lane * storage.laneBytes));
    });
    const moves = this.#operands.map(({ inner }, operand) => (inner === 'broadcast' ? [] : advance(this.scope.parameter(operand), this.#stride(operand))));
    return [prelude, doWhile([stores, moves], [set(this.#count, sub(get(this.#count), i32(1))), get(this.#count)])];
  }
}

/** Bytes from one element to the next along the innermost axis. */
export function stepCode(access: KernelAccess, stride: () => Code): Code {
  switch (access.inner) {
    case 'contiguous':
      return i32(storageOf(access.dtype).bytes);
    case 'broadcast':
      return i32(0);
    case 'strided':
      return stride();
  }
}
