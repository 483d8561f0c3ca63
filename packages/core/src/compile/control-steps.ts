/** Plans of operations that run programs: steps inside steps, on the buffers of the whole plan. */
import type { Atom, Control, Instruction, Program, Var } from '../contract.ts';
import { addDims, counterDim, type Dim, mulDims, sameDim, subDims } from '../types/dim.ts';
import { tensorType } from '../types/tensor-type.ts';
import { continuedByAny } from './continuation.ts';
import { isContiguous, type Layout } from './layout.ts';
import { Planner } from './planner.ts';
import { copyLoop } from './steps.ts';

/** How a program inside another is planned. */
export interface RegionPlan {
  readonly prepare: (region: Program) => Program;
  readonly plan: (planner: Planner, inputs: readonly Layout[]) => void;
}

export function controlSteps(planner: Planner, instruction: Instruction, control: Control, regions: RegionPlan): void {
  switch (control.kind) {
    case 'scan':
      scanSteps(planner, instruction, control, regions);
      return;
    case 'while':
      whileSteps(planner, instruction, control, regions);
      return;
    case 'branch':
      branchSteps(planner, instruction, control, regions);
      return;
    case 'call':
      callSteps(planner, instruction, control, regions);
  }
}

type Of<K extends Control['kind']> = Extract<Control, { readonly kind: K }>;

function scanSteps(planner: Planner, { inputs, outputs }: Instruction, { body, constants, carries, length, reverse }: Of<'scan'>, regions: RegionPlan): void {
  const counter = planner.counter();
  const at = reverse ? subDims(subDims(length, 1), counterDim(counter)) : counterDim(counter);
  const kept = outputs.flatMap((output, index) => (index < carries || planner.isRead(output) ? [index] : []));
  const region = regions.prepare({ ...body, outputs: kept.map((index) => body.outputs[index] as Atom) });
  const carried = range(carries).map((index) => startCarry(planner, inputs, constants + index, outputs[index] as Var));
  const stacks = kept.slice(carries).map((index) => sliceAt(planner.allocate(outputs[index] as Var), at));
  const given = inputs.map((input, index) => (index < constants ? planner.layoutOf(input) : index < constants + carries ? (carried[index - constants] as Layout) : sliceAt(planner.layoutOf(input), at)));
  const inner = insideLoop(planner, region, [...carried.map(() => undefined), ...stacks], carried);
  regions.plan(inner, given);
  region.outputs.slice(carries).forEach((output, index) => place(inner, output, stacks[index] as Layout));
  handOn(inner, region.outputs.slice(0, carries), carried);
  planner.steps.push({ kind: 'repeat', counter, count: length, steps: inner.steps });
}

function whileSteps(planner: Planner, { inputs, outputs }: Instruction, { condition, body, conditionConstants, bodyConstants }: Of<'while'>, regions: RegionPlan): void {
  const first = conditionConstants + bodyConstants;
  const carried = outputs.map((output, index) => startCarry(planner, inputs, first + index, output));
  const constants = inputs.slice(0, first).map((input) => planner.layoutOf(input));
  const holds = planner.scratch(tensorType('bool', []));
  const test = regions.prepare(condition);
  const before = new Planner(test, planner.indices, { planner, targets: [holds] });
  regions.plan(before, [...constants.slice(0, conditionConstants), ...carried]);
  place(before, test.outputs[0] as Atom, holds);
  const region = regions.prepare(body);
  const inner = insideLoop(planner, region, carried.map(() => undefined), carried);
  regions.plan(inner, [...constants.slice(conditionConstants), ...carried]);
  handOn(inner, region.outputs, carried);
  planner.steps.push({ kind: 'while', condition: before.steps, holds: { buffer: holds.buffer, offset: holds.offset, strides: [] }, steps: inner.steps });
}

/** What at least one branch only changes in places lies where it was, if nobody needs it as it was. */
function branchSteps(planner: Planner, { inputs: [index, ...operands], outputs }: Instruction, { branches }: Of<'branch'>, regions: RegionPlan): void {
  const kept = outputs.flatMap((output, at) => (planner.isRead(output) ? [at] : []));
  const prepared = branches.map((branch) => regions.prepare({ ...branch, outputs: kept.map((at) => branch.outputs[at] as Atom) }));
  const where = planner.layoutOf(index as Atom);
  const taken = kept.map((at, which) => goneOnIn(planner, prepared, operands, outputs[at] as Var, which));
  const targets = kept.map((at, which) => (taken[which] === undefined ? planner.allocate(outputs[at] as Var) : undefined));
  const given = operands.map((operand) => planner.layoutOf(operand));
  const carried = taken.filter((layout) => layout !== undefined);
  const lists = prepared.map((region) => {
    const inner = insideLoop(planner, region, targets, carried);
    regions.plan(inner, given);
    region.outputs.forEach((output, which) => {
      const target = targets[which];
      if (target !== undefined) place(inner, output, target);
    });
    handOn(inner, region.outputs.filter((_, which) => targets[which] === undefined), carried);
    return inner.steps;
  });
  planner.steps.push({ kind: 'branch', index: { buffer: where.buffer, offset: where.offset, strides: [] }, branches: lists });
}

function goneOnIn(planner: Planner, branches: readonly Program[], operands: readonly Atom[], output: Var, which: number): Layout | undefined {
  const at = continuedByAny(branches, which);
  const operand = at === undefined ? undefined : (operands[at] as Atom);
  if (operand === undefined || operand.type.key !== output.type.key) return undefined;
  return planner.takeOver(operand, output, operands.filter((_, other) => other !== at));
}

/** Calls are inlined before; where that pass is left out, the body's steps stand in the place of the call. */
function callSteps(planner: Planner, { inputs, outputs }: Instruction, { body }: Of<'call'>, regions: RegionPlan): void {
  const region = regions.prepare(body);
  const targets = outputs.map((output) => planner.allocate(output));
  const inner = new Planner(region, planner.indices, { planner, targets });
  regions.plan(inner, inputs.map((input) => planner.layoutOf(input)));
  region.outputs.forEach((output, at) => place(inner, output, targets[at] as Layout));
  planner.steps.push(...inner.steps);
}

/** The memory of a carry, in which the start already lies: that of the start where nobody else needs it, or a copy. */
function startCarry(planner: Planner, inputs: readonly Atom[], at: number, last: Var): Layout {
  const start = inputs[at] as Atom;
  const taken = planner.takeOver(start, last, inputs.filter((_, other) => other !== at));
  if (taken !== undefined) return taken;
  const carry = planner.allocate(last);
  planner.steps.push(copyLoop(planner, last.type.dtype, planner.layoutOf(start), carry));
  return carry;
}

function insideLoop(planner: Planner, region: Program, targets: readonly (Layout | undefined)[], carried: readonly Layout[]): Planner {
  const inner = new Planner(region, planner.indices, { planner, targets });
  for (const { buffer } of carried) inner.handOn(buffer);
  return inner;
}

/** One slice of a stack along its first axis. */
function sliceAt({ buffer, offset, shape, strides }: Layout, index: Dim): Layout {
  return { buffer, offset: addDims(offset, mulDims(index, strides[0] as Dim)), shape: shape.slice(1), strides: strides.slice(1) };
}

/** Copies an output to where it must be, unless it was computed there. */
function place(inner: Planner, output: Atom, target: Layout): void {
  const source = inner.layoutOf(output);
  if (!liesIn(source, target)) inner.steps.push(copyLoop(inner, output.type.dtype, source, target));
}

function liesIn(source: Layout, target: Layout): boolean {
  return source.buffer === target.buffer && sameDim(source.offset, target.offset) && isContiguous(source) && isContiguous(target);
}

/** Puts what an iteration gives where the next one finds it. What lies in another carry's memory is put aside first. */
function handOn(inner: Planner, results: readonly Atom[], carried: readonly Layout[]): void {
  const buffers = new Set(carried.map(({ buffer }) => buffer));
  const sources = results.map((result, at) => {
    const source = inner.layoutOf(result);
    if (liesIn(source, carried[at] as Layout) || !buffers.has(source.buffer)) return source;
    const aside = inner.scratch(result.type);
    inner.steps.push(copyLoop(inner, result.type.dtype, source, aside));
    return aside;
  });
  sources.forEach((source, at) => {
    const target = carried[at] as Layout;
    if (!liesIn(source, target)) inner.steps.push(copyLoop(inner, (results[at] as Atom).type.dtype, source, target));
  });
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at);
}
