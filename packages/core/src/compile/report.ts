/** What a plan does and needs, for people. */
import type { BufferView, Plan, Step } from '../contract.ts';
import { type Dim, type DimBinding, dimText, evaluateDim } from '../types/dim.ts';
import { dtypes } from '../types/dtype.ts';

export interface PlanMemory {
  /** What all intermediate values would take, each in memory of its own, in bytes. */
  readonly intermediateBytes: number;
  /** What the run takes for them, in bytes: what is fused takes nothing, memory is used again, and loops work in place where they can. What only one tile step touches takes a tile of its engine's choice, which is not counted. */
  readonly arenaBytes: number;
}

/**
 * The memory of a run for intermediates, beside the sum of all intermediates.
 *
 * @throws ConstraintError when a symbolic extent of the plan is not in `extents`.
 * @example
 * import { Builder, compileProgram, exp, matmul, planMemory, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [8, 8]), 'x');
 * const { intermediateBytes, arenaBytes } = planMemory(compileProgram(builder.build([exp(matmul(exp(exp(x)), x))])));
 * console.log(intermediateBytes, arenaBytes); // → 1536 512
 */
export function planMemory(plan: Plan, extents: DimBinding = new Map()): PlanMemory {
  const bytes = (dim: Dim): number => evaluateDim(dim, extents);
  return { intermediateBytes: bytes(plan.intermediateBytes), arenaBytes: plan.slots.reduce((sum, sizes) => sum + sizes.reduce<number>((most, size) => Math.max(most, bytes(size)), 0), 0) };
}

/**
 * A plan as text: one line per step with what it reads and writes, and the memory it takes.
 *
 * @example
 * import { Builder, compileProgram, exp, mul, printPlan, sum, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [8, 3]), 'x');
 * console.log(printPlan(compileProgram(builder.build([sum(mul(exp(x), 2), { axes: 1 })]))));
 * // → plan of 1 step
 * // →   0 sum over 1 axis [8, 3]: input 0 → output 0
 */
export function printPlan(plan: Plan): string {
  const lines = plan.steps.map((step, at) => `  ${at} ${stepText(plan, step)}`);
  return [`plan of ${plan.steps.length} ${plan.steps.length === 1 ? 'step' : 'steps'}`, ...lines].join('\n');
}

function stepText(plan: Plan, step: Step): string {
  const list = (views: readonly (Pick<BufferView, 'buffer'>)[]): string => views.map((view) => placeText(plan, view.buffer)).join(', ') || 'nothing';
  switch (step.kind) {
    case 'loop': {
      const { reduce } = step.kernel;
      const what = reduce === undefined ? 'loop' : `${reduce.monoid} over ${reduce.axes} ${reduce.axes === 1 ? 'axis' : 'axes'}`;
      return `${what} ${extentsText(step.extents)}: ${list(step.reads)} → ${list(step.writes)}`;
    }
    case 'contract':
      return `contract ${extentsText([...step.batch, step.m, step.n, step.k])}: ${list([step.lhs, step.rhs])} → ${list([step.out])}`;
    case 'gather':
      return `gather ${extentsText(step.extents)}: ${list([step.source, step.indices])} → ${list([step.out])}`;
    case 'scatter':
      return `scatter ${extentsText(step.extents)}: ${list([step.updates, step.indices])} → ${list([step.target])}`;
    case 'scan':
      return `scan ${extentsText(step.extents)}: ${list(step.reads)} → ${list([step.write])}`;
    case 'sort':
      return `sort ${extentsText(step.extents)}: ${list([step.from])} → ${list([step.values, step.indices])}`;
    case 'iota':
      return `iota ${extentsText([step.elements])}: nothing → ${list([step.out])}`;
    case 'call':
      return `${step.symbol} [${step.integers.map(dimText).join(', ')}]: ${list(step.inputs)} → ${list(step.outputs)}`;
    case 'tile':
      return nested(plan, `tile of ${dimText(step.rows)} rows`, step.steps);
    case 'repeat':
      return nested(plan, `repeat ${dimText(step.count)} times`, step.steps);
    case 'while':
      return nested(plan, `while ${placeText(plan, step.holds.buffer)} holds`, [...step.condition, ...step.steps]);
    case 'branch':
      return step.branches.map((steps, at) => nested(plan, `${at === 0 ? 'branch' : '    or'} ${at} of ${placeText(plan, step.index.buffer)}`, steps)).join('\n');
    case 'size':
      return `size ${dimText(step.value)}: nothing → ${list([step.to])}`;
    case 'extent':
      return `extent ${step.symbol} of at most ${dimText(step.bound)}: ${list([step.from])} → ${list([step.to])}`;
    case 'copy':
      return `copy ${extentsText([step.elements])}: ${list([step.from])} → ${list([step.to])}`;
  }
}

function nested(plan: Plan, title: string, steps: readonly Step[]): string {
  return [title, ...steps.map((inner) => `    ${stepText(plan, inner).replaceAll('\n', '\n    ')}`)].join('\n');
}

function extentsText(extents: readonly Dim[]): string {
  return `[${extents.map(dimText).join(', ')}]`;
}

function placeText(plan: Plan, buffer: number): string {
  const { place, dtype, elements } = plan.buffers[buffer] as Plan['buffers'][number];
  switch (place.kind) {
    case 'arena':
      return `memory ${place.slot}`;
    case 'tile':
      return `tile memory ${place.slot}`;
    case 'constant':
      return `a constant of ${typeof elements === 'number' ? elements * dtypes[dtype].bytes : dimText(elements)} bytes`;
    default:
      return `${place.kind} ${place.index}`;
  }
}
