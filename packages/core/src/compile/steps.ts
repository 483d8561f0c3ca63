import type { Atom, BufferView, ContractionAxes, Instruction, LoopStep, Step, Traits, Var } from '../contract.ts';
import { add, argument, constant, scalarTypeOf } from '../loop/scalar.ts';
import { isLiteral, literalText, scalarLiteral } from '../program/literal.ts';
import type { Dim } from '../types/dim.ts';
import { type DType, dtypes } from '../types/dtype.ts';
import type { KernelAccess, ScalarExpr } from '../types/loop-language.ts';
import { elementCount, type Shape } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { boxOf, broadcastStrides, collapse, innerStep, type Layout } from './layout.ts';
import type { Planner } from './planner.ts';

export function access(dtype: DType, strides: readonly Dim[]): KernelAccess {
  return { dtype, inner: innerStep(strides) };
}

export function viewOf(layout: Layout, strides: readonly Dim[]): BufferView {
  return { buffer: layout.buffer, offset: layout.offset, strides };
}

/** The element itself, all lanes. */
function element(dtype: DType): readonly ScalarExpr[] {
  const type = scalarTypeOf(dtype);
  return dtypes[dtype].lanes === 2 ? [argument(type, 0, 0), argument(type, 0, 1)] : [argument(type, 0, 0)];
}

interface Walk {
  readonly layout: Layout;
  readonly dtype: DType;
}

/** What each element of a loop is; `name` stands for it when kernels are compared. */
interface Body {
  readonly name: string;
  readonly make: () => readonly ScalarExpr[];
}

/** A loop over `target`'s elements that reads each source by broadcasting. Equal kernels of a plan are one object. */
function loopOver(planner: Planner, sources: readonly Walk[], target: Walk, body: Body): LoopStep {
  const { shape } = target.layout;
  const { extents, strides } = collapse({ extents: shape, strides: [...sources.map(({ layout }) => broadcastStrides(layout, shape)), target.layout.strides] });
  const own = strides[sources.length] as readonly Dim[];
  let key = `${body.name} ${extents.length} ${target.dtype} ${innerStep(own)}`;
  sources.forEach(({ dtype }, at) => {
    key += ` ${dtype} ${innerStep(strides[at] as readonly Dim[])}`;
  });
  const kernel = planner.kernel(key, () => ({
    rank: extents.length,
    reads: sources.map(({ dtype }, at) => access(dtype, strides[at] as readonly Dim[])),
    writes: [access(target.dtype, own)],
    body: body.make(),
  }));
  return { kind: 'loop', kernel, extents, reads: sources.map(({ layout }, at) => viewOf(layout, strides[at] as readonly Dim[])), writes: [viewOf(target.layout, own)] };
}

export function copyLoop(planner: Planner, dtype: DType, from: Layout, to: Layout): LoopStep {
  return loopOver(planner, [{ layout: from, dtype }], { layout: to, dtype }, { name: 'copy', make: () => element(dtype) });
}

/** A literal is part of the code, any other value is read. */
function fillLoop(planner: Planner, dtype: DType, value: Atom, target: Layout): LoopStep {
  if (!isLiteral(value)) return copyLoop(planner, dtype, planner.layoutOf(value), target);
  const make = (): readonly ScalarExpr[] => Array.from(value.data as ArrayLike<number | bigint>, (lane) => constant(scalarTypeOf(dtype), lane));
  return loopOver(planner, [], { layout: target, dtype }, { name: `fill ${literalText(value)}`, make });
}

/** Fills what no piece covers, then copies each piece to its place. */
export function assemblySteps(planner: Planner, instruction: Instruction, assembly: NonNullable<Traits['assembly']>): void {
  const [output] = instruction.outputs as readonly [Var];
  const { dtype } = output.type;
  const { fill, pieces } = assembly(instruction.params, instruction.inputs.map((input) => input.type), output.type);
  const target = planner.allocate(output);
  if (fill !== undefined) planner.steps.push(fillLoop(planner, dtype, typeof fill === 'number' ? scalarLiteral(dtype, fill) : (instruction.inputs[fill.input] as Atom), target));
  for (const { input, from, extents, at, step } of pieces) {
    const source = boxOf(planner.layoutOf(instruction.inputs[input] as Atom), from, extents, extents.map(() => 1));
    planner.steps.push(copyLoop(planner, dtype, source, boxOf(target, at, extents, step)));
  }
}

/** The indices of an axis, which have no operand. */
export function iotaStep(planner: Planner, instruction: Instruction): void {
  const [output] = instruction.outputs as readonly [Var];
  const { buffer, offset } = planner.allocate(output);
  planner.steps.push({ kind: 'iota', dtype: output.type.dtype, elements: elementCount(output.type.shape), out: { buffer, offset } });
}

/** Adds to a box of the first operand, in the first operand's own memory where nobody needs it afterwards. */
export function boxAddStep(planner: Planner, instruction: Instruction, boxAdd: NonNullable<Traits['boxAdd']>): void {
  const [, updates] = instruction.inputs as readonly [Atom, Atom];
  const { dtype } = updates.type;
  const { start, step } = boxAdd(instruction.params);
  const target = continued(planner, instruction);
  const box = boxOf(target, start, updates.type.shape, step);
  const type = scalarTypeOf(dtype);
  const body = { name: 'add', make: () => element(dtype).map((own, lane) => add(own, argument(type, 1, lane as 0 | 1))) };
  planner.steps.push(loopOver(planner, [{ layout: box, dtype }, { layout: planner.layoutOf(updates), dtype }], { layout: box, dtype }, body));
}

/** The output of an operation that changes a few places of its first operand: that operand's memory, or a copy of it. */
export function continued(planner: Planner, instruction: Instruction): Layout {
  const [x, ...others] = instruction.inputs as readonly [Atom, ...Atom[]];
  const [output] = instruction.outputs as readonly [Var];
  const taken = planner.takeOver(x, output, others, true);
  if (taken !== undefined) return taken;
  const target = planner.allocate(output);
  planner.steps.push(copyLoop(planner, output.type.dtype, planner.layoutOf(x), target));
  return target;
}

/** A group of axes as one axis: its extent, and one stride per operand; or undefined if they do not join. */
function asOne(extents: readonly Dim[], strides: readonly (readonly Dim[])[]): { readonly extent: Dim; readonly strides: readonly Dim[] } | undefined {
  const joined = collapse({ extents, strides });
  if (joined.extents.length > 1) return undefined;
  return { extent: joined.extents[0] ?? 1, strides: joined.strides.map((own) => own[0] ?? 0) };
}

/** One side of a contraction: axes in the order batch, own (free), contracted. */
interface Side {
  readonly layout: Layout;
  readonly batch: readonly number[];
  readonly free: readonly number[];
  readonly contract: readonly number[];
}

function pick(layout: Layout, axes: readonly number[]): { readonly extents: Shape; readonly strides: readonly Dim[] } {
  return { extents: axes.map((axis) => layout.shape[axis] as Dim), strides: axes.map((axis) => layout.strides[axis] as Dim) };
}

function others(rank: number, ...used: readonly (readonly number[])[]): readonly number[] {
  return Array.from({ length: rank }, (_, axis) => axis).filter((axis) => !used.some((axes) => axes.includes(axis)));
}

/** A side whose free and contracted axes each walk as one axis; copied where they do not. */
function walkable(planner: Planner, side: Side, dtype: DType): Side {
  const free = pick(side.layout, side.free);
  const contract = pick(side.layout, side.contract);
  if (asOne(free.extents, [free.strides]) !== undefined && asOne(contract.extents, [contract.strides]) !== undefined) return side;
  const order = [...side.batch, ...side.free, ...side.contract];
  const { extents, strides } = pick(side.layout, order);
  const copy = planner.scratch(tensorType(dtype, extents));
  planner.steps.push(copyLoop(planner, dtype, { ...side.layout, shape: extents, strides }, copy));
  const count = (length: number, from: number): readonly number[] => Array.from({ length }, (_, at) => from + at);
  return { layout: copy, batch: count(side.batch.length, 0), free: count(side.free.length, side.batch.length), contract: count(side.contract.length, side.batch.length + side.free.length) };
}

export function contractStep(planner: Planner, instruction: Instruction, axes: ContractionAxes): void {
  const [l, r] = instruction.inputs as readonly [Atom, Atom];
  const [output] = instruction.outputs as readonly [Var];
  const { dtype } = output.type;
  const [ll, rl] = [planner.layoutOf(l), planner.layoutOf(r)];
  const lhs = walkable(planner, { layout: ll, batch: axes.lhsBatch, contract: axes.lhsContract, free: others(ll.shape.length, axes.lhsBatch, axes.lhsContract) }, dtype);
  const rhs = walkable(planner, { layout: rl, batch: axes.rhsBatch, contract: axes.rhsContract, free: others(rl.shape.length, axes.rhsBatch, axes.rhsContract) }, dtype);
  const target = planner.allocate(output);
  planner.steps.push(contraction(dtype, lhs, rhs, target));
}

function contraction(dtype: DType, lhs: Side, rhs: Side, target: Layout): Step {
  const batches = lhs.batch.length;
  const [lf, lc, rf, rc] = [pick(lhs.layout, lhs.free), pick(lhs.layout, lhs.contract), pick(rhs.layout, rhs.free), pick(rhs.layout, rhs.contract)];
  const rows = asOne(lf.extents, [lf.strides, target.strides.slice(batches, batches + lhs.free.length)]);
  const columns = asOne(rf.extents, [rf.strides, target.strides.slice(batches + lhs.free.length)]);
  // Both sides contract in the order of the axis lists, so one extent serves both.
  const [left, right] = [asOne(lc.extents, [lc.strides]), asOne(rc.extents, [rc.strides])];
  const [lb, rb] = [pick(lhs.layout, lhs.batch), pick(rhs.layout, rhs.batch)];
  const batch = collapse({ extents: lb.extents, strides: [lb.strides, rb.strides, target.strides.slice(0, batches)] });
  const of = (at: number): readonly Dim[] => batch.strides[at] as readonly Dim[];
  const [m, n, kl, kr] = [rows, columns, left, right].map((group) => group as NonNullable<typeof rows>) as [NonNullable<typeof rows>, NonNullable<typeof rows>, NonNullable<typeof rows>, NonNullable<typeof rows>];
  return {
    kind: 'contract', dtype, batch: batch.extents, m: m.extent, n: n.extent, k: kl.extent,
    lhs: viewOf(lhs.layout, [...of(0), m.strides[0] as Dim, kl.strides[0] as Dim]),
    rhs: viewOf(rhs.layout, [...of(1), kr.strides[0] as Dim, n.strides[0] as Dim]),
    out: viewOf(target, [...of(2), m.strides[1] as Dim, n.strides[1] as Dim]),
  };
}

