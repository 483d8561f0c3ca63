/** Refuses a plan that an engine cannot run, before anything runs. */
import { allSteps, innerSteps } from '../compile/inner-steps.ts';
import { type RegisteredKernel, requireKernel } from '../compile/modules.ts';
import type { BranchStep, BufferView, CallStep, LoopStep, Plan, PlanBuffer, RepeatStep, ScanStep, Step, TileStep, WhileStep } from '../contract.ts';
import { invariant, TfError } from '../errors.ts';
import { type Dim, dimText, isKnown } from '../types/dim.ts';
import { type DType, dtypes } from '../types/dtype.ts';
import type { KernelAccess, LoopKernel } from '../types/loop-language.ts';
import * as loop from '../loop/index.ts';
import { type DTypes, requireDType, requireNumeric } from './dtypes.ts';
import { dependsOn } from './nested.ts';

/** What a plan must fit. */
export interface PlanReader extends DTypes {
  readonly contract: number;
  /** The kernels that there are, by symbol. */
  readonly kernels?: ReadonlyMap<string, RegisteredKernel>;
}

/** Throws a `TfError` for a plan that an engine cannot run: another contract, a dtype or a kernel that it has not, a step that does not fit. */
export function checkPlan(plan: Plan, reader: PlanReader): void {
  const { contract, engine } = reader;
  if (plan.contract !== contract) {
    throw new TfError('ExtensionError', `${engine} speaks contract ${contract}, the plan contract ${String(plan.contract)}. Install matching versions of @tf/core and @tf/engine-${engine}.`, { engine });
  }
  for (const { dtype } of [...plan.inputs, ...plan.outputs, ...plan.buffers]) requireDType(reader, dtype);
  const kernels = new Set<LoopKernel>();
  const counters = new Set(allSteps(plan.steps).flatMap((step) => (step.kind === 'repeat' ? [step.counter] : [])));
  const outside: Site = { plan, reader, kernels, outer: [], inTile: false, counters, open: [] };
  plan.steps.forEach((step, index) => checkStep(outside, step, index));
  const filled = new Set<number>();
  plan.buffers.forEach((buffer, index) => checkPlace(plan, buffer, index));
  for (const { place } of plan.buffers) if (place.kind === 'output') filled.add(place.index);
  plan.outputs.forEach((_, index) => invariant(filled.has(index), `plan: output ${index} has no buffer`));
}

function checkPlace({ inputs, outputs, slots }: Plan, { place }: PlanBuffer, buffer: number): void {
  if (place.kind === 'constant') return;
  if (place.kind === 'tile') return;
  const index = place.kind === 'arena' ? place.slot : place.index;
  const count = (place.kind === 'input' ? inputs : place.kind === 'output' ? outputs : slots).length;
  if (!(Number.isInteger(index) && index >= 0 && index < count)) invariant(false, `plan: buffer ${buffer} is ${place.kind} ${index} of ${count}`);
}

/** Where a step stands. `kernels` were checked before: steps share them. */
interface Site {
  readonly plan: Plan;
  readonly kernels: Set<LoopKernel>;
  readonly reader: PlanReader;
  /** The way to the steps it stands among, as positions. */
  readonly outer: readonly number[];
  readonly inTile: boolean;
  /** Of all repeated steps of the plan, and of those around this one. */
  readonly counters: ReadonlySet<string>;
  readonly open: readonly string[];
}

const nameOf = ({ outer }: Pick<Site, 'outer'>, index: number): string => `step ${[...outer, index].join('.')}`;

/** Messages are made only when they are needed: a plan may have a million views. */
function checkStep(site: Site, step: Step, index: number): void {
  switch (step.kind) {
    case 'loop':
      if (!site.kernels.has(step.kernel)) loop.checkKernel(step.kernel);
      site.kernels.add(step.kernel);
      checkLoop(site, step, index);
      checkNoCounter(site, step.extents, index);
      return;
    case 'contract': {
      requireNumeric(site.reader, step.dtype, 'contract');
      const rank = step.batch.length + 2;
      for (const view of [step.lhs, step.rhs, step.out]) checkView(site, view, step.dtype, rank, index);
      checkNoCounter(site, [...step.batch, step.m, step.n, step.k], index);
      return;
    }
    case 'gather':
    case 'scatter': {
      if (step.kind === 'scatter' && step.combine === 'add') requireNumeric(site.reader, step.dtype, 'scatter');
      if (step.kind === 'scatter' && (step.combine === 'max' || step.combine === 'min') && dtypes[step.dtype].lanes === 2) invariant(false, `plan: ${nameOf(site, index)} orders ${step.dtype}`);
      const rank = step.extents.length;
      checkView(site, step.indices, 'int32', rank, index);
      for (const view of step.kind === 'gather' ? [step.source, step.out] : [step.updates, step.target]) checkView(site, view, step.dtype, rank, index);
      checkNoCounter(site, [...step.extents, step.rows, step.rowStride], index);
      return;
    }
    case 'scan':
      checkScanStep(site, step, index);
      return;
    case 'sort':
      for (const [view, dtype] of [[step.from, step.dtype], [step.values, step.dtype], [step.indices, 'int32']] as const) checkView(site, view, dtype, step.extents.length, index);
      checkView(site, { ...step.workspace, strides: [] }, 'int32', 0, index);
      // Its workspace holds indices by which it reads.
      if ([step.from, step.values, step.indices].some(({ buffer }) => sharesMemory(site.plan, buffer, step.workspace.buffer))) invariant(false, `plan: ${nameOf(site, index)} sorts in what it reads or writes`);
      if (step.extents.length === 0 || dtypes[step.dtype].lanes === 2) invariant(false, `plan: ${nameOf(site, index)} sorts ${step.dtype} along ${step.extents.length} axes`);
      checkNoCounter(site, step.extents, index);
      return;
    case 'iota':
      requireNumeric(site.reader, step.dtype, 'iota');
      checkView(site, { ...step.out, strides: [] }, step.dtype, 0, index);
      checkNoCounter(site, [step.elements], index);
      return;
    case 'call':
      checkCall(site, step, index);
      return;
    case 'size':
      checkView(site, { ...step.to, strides: [] }, 'int32', 0, index);
      checkNoCounter(site, [step.value], index);
      return;
    case 'extent':
      invariant(site.outer.length === 0, `plan: step ${index} defines an extent within another step`);
      for (const side of [step.from, step.to]) checkView(site, { ...side, strides: [] }, 'int32', 0, index);
      return;
    case 'copy':
      for (const side of [step.from, step.to]) checkView(site, { ...side, strides: [] }, step.dtype, 0, index);
      checkNoCounter(site, [step.elements], index);
      return;
    default:
      checkNested(site, step, index);
  }
}

function sharesMemory({ buffers }: Plan, a: number, b: number): boolean {
  const [one, other] = [buffers[a]!.place, buffers[b]!.place];
  return a === b || (one.kind === 'arena' && other.kind === 'arena' && one.slot === other.slot);
}

/** A kernel knows sizes only: a wrong one would write where it must not. */
function checkCall(site: Site, step: CallStep, index: number): void {
  requireKernel(site.reader.engine, site.reader.kernels ?? new Map(), step);
  const { integers, inputs, outputs, workspace } = step;
  const operands = [...inputs, ...outputs, ...(workspace === undefined ? [] : [workspace])];
  for (const { buffer, offset, dtype, elements } of operands) {
    checkView(site, { buffer, offset, strides: [] }, dtype, 0, index);
    checkNoCounter(site, [elements], index);
  }
  if (workspace !== undefined && workspace.dtype !== 'bool') invariant(false, `plan: ${nameOf(site, index)} has a workspace of ${workspace.dtype}`);
  const written = outputs.map(({ buffer }) => buffer);
  if (new Set(written).size < written.length || inputs.some(({ buffer }) => written.includes(buffer))) invariant(false, `plan: ${nameOf(site, index)} writes a buffer that it reads or writes already`);
  checkNoCounter(site, integers, index);
}

function checkScanStep(site: Site, { kernel, extents, reads, write }: ScanStep, index: number): void {
  loop.checkScan(kernel);
  if (extents.length !== kernel.rank || reads.length !== kernel.reads.length) invariant(false, `plan: ${nameOf(site, index)} has ${extents.length} extents and ${reads.length} reads for a scan of rank ${kernel.rank}`);
  [...reads, write].forEach((view, i) => {
    const own = kernel.reads[i] ?? kernel.write;
    checkView(site, view, own.dtype, kernel.rank, index);
    if (kernel.columns) checkInner(site, view, own, kernel.rank, index);
  });
  checkNoCounter(site, extents, index);
}

function checkNested(site: Site, step: TileStep | RepeatStep | WhileStep | BranchStep, index: number): void {
  const within = { ...site, outer: [...site.outer, index] };
  switch (step.kind) {
    case 'tile':
      checkNoCounter(site, [step.rows], index);
      step.steps.forEach((inner, at) => {
        if (inner.kernel.rank - (inner.kernel.reduce?.axes ?? 0) < 1) invariant(false, `plan: ${nameOf(site, index)} has a loop without rows`);
        checkStep({ ...within, inTile: true }, inner, at);
      });
      return;
    case 'repeat': {
      const known = site.open.includes(step.counter) || site.plan.inputs.some(({ shape }) => shape.some((dim) => dependsOn(dim, step.counter)));
      if (known) invariant(false, `plan: ${nameOf(site, index)} counts with ${step.counter}, which has a meaning already`);
      checkNoCounter(site, [step.count], index);
      checkSteps({ ...within, open: [...site.open, step.counter] }, step);
      return;
    }
    case 'while':
      checkView(site, step.holds, 'bool', 0, index);
      checkSteps(within, step);
      return;
    case 'branch':
      checkView(site, step.index, 'int32', 0, index);
      if (step.branches.length === 0) invariant(false, `plan: ${nameOf(site, index)} has no branch`);
      checkSteps(within, step);
  }
}

function checkSteps(site: Site, step: Step): void {
  innerSteps(step).forEach((inner, at) => checkStep(site, inner, at));
}

function checkLoop(site: Site, { kernel, extents, reads, writes }: LoopStep, index: number): void {
  const { rank } = kernel;
  const written = rank - (kernel.reduce?.axes ?? 0);
  const fits = extents.length === rank && reads.length === kernel.reads.length && writes.length === kernel.writes.length;
  if (!fits) invariant(false, `plan: ${nameOf(site, index)} has ${extents.length} extents, ${reads.length} reads, ${writes.length} writes for a kernel of rank ${rank}`);
  for (let i = 0; i < reads.length; i++) {
    checkView(site, reads[i]!, kernel.reads[i]!.dtype, rank, index);
    checkInner(site, reads[i]!, kernel.reads[i]!, rank, index);
  }
  for (let i = 0; i < writes.length; i++) {
    checkView(site, writes[i]!, kernel.writes[i]!.dtype, written, index);
    if (kernel.reduce === undefined) checkInner(site, writes[i]!, kernel.writes[i]!, rank, index);
  }
}

function checkView(site: Site, { buffer, offset, strides }: BufferView, dtype: DType, rank: number, index: number): void {
  const of = site.plan.buffers[buffer];
  if (of?.dtype !== dtype) invariant(false, `plan: ${nameOf(site, index)} takes buffer ${buffer} as ${dtype}`);
  if (of.place.kind === 'tile' && !site.inTile) invariant(false, `plan: ${nameOf(site, index)} takes buffer ${buffer}, which holds no more than a tile`);
  if (strides.length < rank) invariant(false, `plan: ${nameOf(site, index)} has ${strides.length} strides for ${rank} axes of buffer ${buffer}`);
  checkNoCounter(site, strides, index);
  checkOffset(site, offset, index);
}

/** Counters of the repeated steps around a step may occur, linearly. */
function checkOffset(site: Site, offset: Dim, index: number): void {
  if (isKnown(offset)) return;
  const { counters, open } = site;
  for (const { symbols } of offset.terms) {
    const used = symbols.filter((symbol) => counters.has(symbol));
    if (used.length > 1 || !used.every((counter) => open.includes(counter))) invariant(false, `plan: ${nameOf(site, index)} has the offset ${dimText(offset)}; counters of the repeated steps around it are [${open.join(', ')}], of which a term may have one`);
  }
}

/** Steps of repeated ones are the same in every iteration, but for offsets. */
function checkNoCounter(site: Site, dims: readonly Dim[], index: number): void {
  if (site.counters.size === 0) return;
  for (const dim of dims) {
    if (isKnown(dim) || !dim.terms.some(({ symbols }) => symbols.some((symbol) => site.counters.has(symbol)))) continue;
    invariant(false, `plan: ${nameOf(site, index)} has ${dimText(dim)} where no counter may be`);
  }
}

/** The code relies on it: a contiguous operand steps by one element, a broadcast one not at all. */
function checkInner(site: Site, { strides }: BufferView, { inner }: KernelAccess, rank: number, index: number): void {
  if (inner === 'strided' || rank === 0) return;
  const stride = strides[rank - 1]!;
  if (stride !== (inner === 'contiguous' ? 1 : 0)) invariant(false, `plan: ${nameOf(site, index)} calls an operand ${inner} whose stride is ${dimText(stride)}`);
}
