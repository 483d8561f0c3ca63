/** Units of fusion as loop steps: one kernel that computes the members' values element by element. */
import type { Atom, Instruction, Literal, LoopStep, Var } from '../contract.ts';
import { rewriteNodes } from '../loop/order.ts';
import { argument, constant, scalarTypeOf } from '../loop/scalar.ts';
import { isLiteral } from '../program/literal.ts';
import { elementwiseBody } from '../program/elementwise.ts';
import type { Dim } from '../types/dim.ts';
import { dtypes, isComplex } from '../types/dtype.ts';
import type { InnerStep, KernelAccess, MonoidName, ScalarExpr } from '../types/loop-language.ts';
import type { Shape } from '../types/shape.ts';
import { broadcastStrides, collapse, innerStep, type Layout } from './layout.ts';
import type { Planner } from './planner.ts';
import { access, viewOf } from './steps.ts';

/** Ends the operands of a member, of which there may be any number. */
const END = -1;

/** How operands step along the innermost axis, as numbers. */
const innerSteps: readonly InnerStep[] = ['broadcast', 'contiguous', 'strided'];

/**
 * The members of a unit, and what they read from memory. The planner's table tells, until the next is made, which member's value
 * a value is (3 · member) or which read (3 · read + 1).
 */
class FusedBody {
  readonly reads: Atom[] = [];
  readonly #members: readonly number[];
  readonly #planner: Planner;
  readonly #embeds: boolean;
  /** Which read a literal is that stands in no code. */
  #literals: Map<Atom, number> | undefined;
  /** Each member with where its operands come from, as a number: equal numbers, equal code. */
  readonly code: number;

  /** Numbers stand in the code, unless `embeds` is false: then they are read, and one kernel serves all numbers. */
  constructor(planner: Planner, members: readonly number[], embeds = true) {
    this.#members = members;
    this.#planner = planner;
    this.#embeds = embeds;
    const { index, unit, words } = planner;
    unit.restart();
    let count = 0;
    for (let at = 0; at < members.length; at++) {
      const member = members[at] as number;
      const { inputs } = index.instructions[member] as Instruction;
      const start = index.inputStart[member] as number;
      words[count++] = index.operations[member] as number;
      for (let place = 0; place < inputs.length; place++) words[count++] = this.#source(index.inputs[start + place] as number, inputs[place] as Atom);
      words[count++] = END;
      unit.set(index.firstOutput[member] as number, 3 * at);
    }
    this.code = planner.bodies.entryOf(words, count);
  }

  /** A word that says which member's value it is, which read, or which literal. Reads are numbered as they come up. */
  source(atom: Atom): number {
    return this.#source(this.#planner.numberOf(atom), atom);
  }

  #source(value: number, atom: Atom): number {
    if (value < 0) return this.#embeds && isNumber(atom) ? 3 * (-1 - value) + 2 : this.#readOf(atom);
    const known = this.#planner.unit.of(value);
    if (known >= 0) return known;
    const read = 3 * (this.reads.push(atom) - 1) + 1;
    this.#planner.unit.set(value, read);
    return read;
  }

  /** Of a literal. */
  #readOf(atom: Atom): number {
    let read = this.#literals?.get(atom);
    if (read === undefined) (this.#literals ??= new Map<Atom, number>()).set(atom, (read = 3 * (this.reads.push(atom) - 1) + 1));
    return read;
  }

  /** One expression per lane of each atom. */
  lanesOf(atoms: readonly Atom[]): readonly ScalarExpr[] {
    const lanes: (readonly ScalarExpr[])[] = [];
    const valueOf = (atom: Atom): readonly ScalarExpr[] => {
      const source = this.source(atom);
      return source % 3 === 0 ? (lanes[source / 3] as readonly ScalarExpr[]) : external(source, atom);
    };
    this.#members.forEach((at, member) => {
      const instruction = this.#planner.index.instructions[at] as Instruction;
      const operands = instruction.inputs.map(valueOf);
      lanes[member] = rewriteNodes(elementwiseBody(instruction), (node) => (node.op === 'argument' ? ((operands[node.input] as readonly ScalarExpr[])[node.lane] as ScalarExpr) : node));
    });
    return atoms.flatMap(valueOf);
  }
}

/** What stands in the code, and what is read. */
function isNumber(atom: Atom): boolean {
  return isLiteral(atom) && atom.data.length === 1;
}

/** A literal or a read, by its source. */
function external(source: number, atom: Atom): readonly ScalarExpr[] {
  const { dtype } = atom.type;
  const type = scalarTypeOf(dtype);
  if (source % 3 === 2) return [constant(type, (atom as Literal).data[0] as number | bigint)];
  return Array.from({ length: dtypes[dtype].lanes }, (_, lane) => argument(type, (source - 1) / 3, lane as 0 | 1));
}

interface Space {
  readonly extents: readonly Dim[];
  /** Per read, per axis of `extents`; then per write. */
  readonly strides: readonly (readonly Dim[])[];
}

/**
 * The members as one kernel; undefined where the plan has enough code of its own already, so that a long program in which
 * nothing repeats stays a short module: its instructions then run one by one, by kernels that they share.
 */
function affordable(planner: Planner, members: readonly number[]): FusedBody | undefined {
  const body = new FusedBody(planner, members);
  if (planner.affords(body.code)) return body;
  return members.length > 1 ? undefined : new FusedBody(planner, members, false);
}

/** Members one by one, each by a kernel that all like it share. */
function singleSteps(planner: Planner, members: readonly number[]): void {
  for (const member of members) fusedStep(planner, [member], [planner.index.firstOutput[member] as number]);
}

/** One loop over the elements of the members' common shape that stores the values `stored`. */
export function fusedStep(planner: Planner, members: readonly number[], stored: readonly number[]): void {
  const body = affordable(planner, members);
  if (body === undefined) {
    singleSteps(planner, members);
    return;
  }
  const results = stored.map((value) => planner.index.numbers.values[value] as Var);
  const sources = body.reads.map((read) => planner.layoutOf(read));
  const targets = results.map((value) => planner.allocate(value));
  const { shape } = (results[0] as Var).type;
  const space = collapse({ extents: shape, strides: [...sources.map((source) => broadcastStrides(source, shape)), ...targets.map(({ strides }) => strides)] });
  emit(planner, { body, results, sources, targets, space });
}

/** Kept axes outside, folded axes inside, each group in logical order: the tree depends on logical extents alone. */
export function reductionStep(planner: Planner, instruction: Instruction, members: readonly number[], monoid: MonoidName): void {
  const [input] = instruction.inputs as readonly [Atom];
  const [output] = instruction.outputs as readonly [Var];
  const folded = instruction.params['axes'] as readonly number[];
  // Folding nothing changes nothing but −0, as a sum starts from 0, and complex NaN, infinities and zeros, as a product starts from 1 + 0i.
  if (folded.length === 0 && monoid !== 'sum' && !(monoid === 'prod' && isComplex(output.type.dtype))) {
    planner.define(output, planner.layoutOf(input));
    return;
  }
  const body = affordable(planner, members);
  if (body === undefined) {
    singleSteps(planner, members);
    reductionStep(planner, instruction, [], monoid);
    return;
  }
  body.source(input);
  const sources = body.reads.map((read) => planner.layoutOf(read));
  const { shape } = input.type;
  const kept = shape.flatMap((_, axis) => (folded.includes(axis) ? [] : [axis]));
  const target = planner.allocate(output);
  const walks = sources.map((source) => broadcastStrides(source, shape));
  const group = (axes: readonly number[], others: readonly (readonly Dim[])[]): Space =>
    collapse({ extents: axes.map((axis) => shape[axis] as Dim), strides: [...walks.map((own) => axes.map((axis) => own[axis] as Dim)), ...others] });
  const outer = group(kept, [keptStrides(target, output.type.shape, folded, kept.length)]);
  const inner = atLeastOneAxis(group(folded, []));
  const strides = walks.map((_, read) => [...(outer.strides[read] as readonly Dim[]), ...(inner.strides[read] as readonly Dim[])]);
  const space = { extents: [...outer.extents, ...inner.extents], strides: [...strides, outer.strides[walks.length] as readonly Dim[]] };
  emit(planner, { body, results: [input], sources, targets: [target], space, reduce: { monoid, axes: inner.extents.length } });
}

function atLeastOneAxis(space: Space): Space {
  return space.extents.length > 0 ? space : { extents: [1], strides: space.strides.map(() => [0]) };
}

/** Strides of the result's axes that were kept, whether or not folded ones stayed with size 1. */
function keptStrides(target: Layout, shape: Shape, folded: readonly number[], kept: number): readonly Dim[] {
  return shape.length === kept ? target.strides : target.strides.filter((_, axis) => !folded.includes(axis));
}

interface Loop {
  readonly body: FusedBody;
  readonly results: readonly Atom[];
  readonly sources: readonly Layout[];
  readonly targets: readonly Layout[];
  readonly space: Space;
  readonly reduce?: { readonly monoid: MonoidName; readonly axes: number };
}

/** Pushes the step. Equal kernels of a plan are one object. */
function emit(planner: Planner, { body, results, sources, targets, space: { extents, strides }, reduce }: Loop): void {
  const { words } = planner;
  let count = 0;
  words[count++] = body.code;
  words[count++] = extents.length;
  for (let read = 0; read < sources.length; read++) words[count++] = accessWord(planner, body.reads[read] as Atom, strides[read] as readonly Dim[]);
  words[count++] = END;
  for (let at = 0; at < results.length; at++) {
    const result = results[at] as Atom;
    words[count++] = body.source(result);
    words[count++] = accessWord(planner, result, strides[sources.length + at] as readonly Dim[]);
  }
  const unit = planner.bodies.entryOf(words, count);
  planner.note(body.code);
  const accesses = (atoms: readonly Atom[], first: number): readonly KernelAccess[] => atoms.map(({ type }, at) => access(type.dtype, strides[first + at] as readonly Dim[]));
  const kernel = planner.kernel(reduce === undefined ? unit : `${unit} ${reduce.monoid} ${reduce.axes}`, () => ({
    rank: extents.length, reads: accesses(body.reads, 0), writes: accesses(results, sources.length), body: body.lanesOf(results), ...(reduce === undefined ? {} : { reduce }),
  }));
  const step: LoopStep = {
    kind: 'loop', kernel, extents,
    reads: sources.map((source, at) => viewOf(source, strides[at] as readonly Dim[])),
    writes: targets.map((target, at) => viewOf(target, strides[sources.length + at] as readonly Dim[])),
  };
  planner.steps.push(step);
}

/** The dtype and the innermost step. */
function accessWord({ index: { codes: { types } } }: Planner, { type }: Atom, strides: readonly Dim[]): number {
  return innerSteps.length * (types.dtypes[types.of(type)] as number) + innerSteps.indexOf(innerStep(strides));
}
