/** Units of fusion as loop steps: one kernel that computes the members' values element by element. */
import type { Atom, Instruction, Literal, LoopStep, Var } from '../contract.ts';
import { rewriteNodes } from '../loop/order.ts';
import { argument, constant, scalarTypeOf } from '../loop/scalar.ts';
import { isLiteral } from '../program/literal.ts';
import { elementwiseBody } from '../program/elementwise.ts';
import type { Dim } from '../types/dim.ts';
import { dtypes, isComplex } from '../types/dtype.ts';
import type { KernelAccess, MonoidName, ScalarExpr } from '../types/loop-language.ts';
import type { Shape } from '../types/shape.ts';
import { broadcastStrides, collapse, type Layout } from './layout.ts';
import type { BodyCodes } from './operation-codes.ts';
import type { Planner } from './planner.ts';
import { access, viewOf } from './steps.ts';

/** Ends the operands of a member, of which there may be any number. */
const END = -1;

/**
 * The members of a unit, and what they read from memory. The table of the plan's codes tells, until the next is made, which member's value
 * an atom is (3 · member) or which read (3 · read + 1).
 */
class FusedBody {
  readonly reads: Var[] = [];
  readonly #members: readonly Instruction[];
  readonly #codes: BodyCodes;
  readonly #embeds: boolean;
  /** Each member with where its operands come from, as a number: equal numbers, equal code. */
  readonly code: number;

  /** Numbers stand in the code, unless `embeds` is false: then they are read, and one kernel serves all numbers. */
  constructor(members: readonly Instruction[], codes: BodyCodes, embeds = true) {
    this.#members = members;
    this.#codes = codes;
    this.#embeds = embeds;
    const { known, words } = codes;
    known.restart();
    let count = 0;
    for (let at = 0; at < members.length; at++) {
      const member = members[at] as Instruction;
      words[count++] = codes.operations.of(member);
      for (let place = 0; place < member.inputs.length; place++) words[count++] = this.source(member.inputs[place] as Atom);
      words[count++] = END;
      known.set(member.outputs[0] as Var, 3 * at);
    }
    this.code = codes.of(count);
  }

  /** A word that says which member's value it is, which read, or which literal. Reads are numbered as they come up. */
  source(atom: Atom): number {
    const known = this.#codes.known.get(atom);
    if (known !== undefined) return known;
    if (this.#embeds && isLiteral(atom) && atom.data.length === 1) return 3 * this.#codes.literals.of(atom) + 2;
    const read = 3 * this.reads.length + 1;
    this.#codes.known.set(atom, read);
    this.reads.push(atom as Var);
    return read;
  }

  /** One expression per lane of each atom. */
  lanesOf(atoms: readonly Atom[]): readonly ScalarExpr[] {
    const lanes: (readonly ScalarExpr[])[] = [];
    const valueOf = (atom: Atom): readonly ScalarExpr[] => {
      const known = this.#codes.known.get(atom);
      return known !== undefined && known % 3 === 0 ? (lanes[known / 3] as readonly ScalarExpr[]) : this.#external(atom);
    };
    this.#members.forEach((member, at) => {
      const body = elementwiseBody(member);
      const operands = member.inputs.map(valueOf);
      const made = rewriteNodes(body, (node) => (node.op === 'argument' ? ((operands[node.input] as readonly ScalarExpr[])[node.lane] as ScalarExpr) : node));
      lanes[at] = made;
    });
    return atoms.flatMap(valueOf);
  }

  #external(atom: Atom): readonly ScalarExpr[] {
    const { dtype } = atom.type;
    const type = scalarTypeOf(dtype);
    const count = dtypes[dtype].lanes;
    const known = this.#codes.known.get(atom);
    if (known === undefined) return [constant(type, (atom as Literal).data[0] as number | bigint)];
    return Array.from({ length: count }, (_, lane) => argument(type, (known - 1) / 3, lane as 0 | 1));
  }
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
function affordable(planner: Planner, members: readonly Instruction[]): FusedBody | undefined {
  const body = new FusedBody(members, planner.codes);
  if (planner.affords(body.code)) return body;
  return members.length > 1 ? undefined : new FusedBody(members, planner.codes, false);
}

/** One loop over the elements of the members' common shape that stores `stored`. */
export function fusedStep(planner: Planner, members: readonly Instruction[], stored: readonly Var[]): void {
  const body = affordable(planner, members);
  if (body === undefined) {
    for (const member of members) fusedStep(planner, [member], member.outputs);
    return;
  }
  const sources = body.reads.map((read) => planner.layoutOf(read));
  const targets = stored.map((value) => planner.allocate(value));
  const { shape } = (stored[0] as Var).type;
  const space = collapse({ extents: shape, strides: [...sources.map((source) => broadcastStrides(source, shape)), ...targets.map(({ strides }) => strides)] });
  emit(planner, { body, results: stored, sources, targets, space });
}

/** Kept axes outside, folded axes inside, each group in logical order: the tree depends on logical extents alone. */
export function reductionStep(planner: Planner, instruction: Instruction, members: readonly Instruction[], monoid: MonoidName): void {
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
    for (const member of members) fusedStep(planner, [member], member.outputs);
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
  const reads = body.reads.map((read, at) => access(read.type.dtype, strides[at] as readonly Dim[]));
  const writes = results.map((result, at) => access(result.type.dtype, strides[sources.length + at] as readonly Dim[]));
  let key = `unit ${body.code} ${extents.length} ${reduce === undefined ? '' : `${reduce.monoid} ${reduce.axes}`}`;
  for (const { dtype, inner } of reads) key += ` ${dtypes[dtype].short}${inner}`;
  results.forEach((result, at) => {
    const { dtype, inner } = writes[at] as KernelAccess;
    key += ` ${body.source(result)}${dtypes[dtype].short}${inner}`;
  });
  planner.note(body.code);
  const kernel = planner.kernel(key, () => ({ rank: extents.length, reads, writes, body: body.lanesOf(results), ...(reduce === undefined ? {} : { reduce }) }));
  const step: LoopStep = {
    kind: 'loop', kernel, extents,
    reads: sources.map((source, at) => viewOf(source, strides[at] as readonly Dim[])),
    writes: targets.map((target, at) => viewOf(target, strides[sources.length + at] as readonly Dim[])),
  };
  planner.steps.push(step);
}
