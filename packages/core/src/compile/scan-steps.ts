import type { Instruction, Var } from '../contract.ts';
import { type Dim, subDims } from '../types/dim.ts';
import type { Scan, ScanKernel } from '../types/loop-language.ts';
import { broadcastStrides, collapse, innerStep, type Layout, mapAxes } from './layout.ts';
import type { Planner } from './planner.ts';
import { access, viewOf } from './steps.ts';

/** The scanned axis innermost; where the results of the axis inside it lie side by side, that one instead: rows of results. */
export function scanStep(planner: Planner, instruction: Instruction, { axis, reverse, first, next }: Scan): void {
  const [output] = instruction.outputs as readonly [Var];
  const { shape, dtype } = output.type;
  const target = planner.allocate(output);
  const turned = (layout: Layout): Layout => (reverse ? fromEnd(layout, axis) : layout);
  const layouts = [...instruction.inputs.map((input) => planner.layoutOf(input)), target].map((layout) => turned({ ...layout, shape, strides: broadcastStrides(layout, shape) }));
  const others = shape.flatMap((_, at) => (at === axis ? [] : [at]));
  const walks = collapse({ extents: others.map((at) => shape[at] as Dim), strides: layouts.map(({ strides }) => others.map((at) => strides[at] as Dim)) });
  const columns = walks.extents.length > 0 && innerStep(walks.strides.at(-1) as readonly Dim[]) === 'contiguous';
  const at = columns ? walks.extents.length - 1 : walks.extents.length;
  const insert = (list: readonly Dim[], dim: Dim): readonly Dim[] => [...list.slice(0, at), dim, ...list.slice(at)];
  const strides = walks.strides.map((own, operand) => insert(own, (layouts[operand] as Layout).strides[axis] as Dim));
  const views = layouts.map((layout, operand) => viewOf(layout, strides[operand] as readonly Dim[]));
  const accesses = instruction.inputs.map(({ type }, operand) => access(type.dtype, strides[operand] as readonly Dim[]));
  const kernel: ScanKernel = { rank: strides[0]!.length, columns, reads: accesses, write: access(dtype, strides.at(-1) as readonly Dim[]), first, next };
  planner.steps.push({ kind: 'scan', kernel, extents: insert(walks.extents, shape[axis] as Dim), reads: views.slice(0, -1), write: views.at(-1)! });
}

/** The same elements with one axis walked from its end. */
function fromEnd(layout: Layout, axis: number): Layout {
  const all = layout.shape.map((_, at) => at);
  const start = layout.shape.map((dim, at): Dim => (at === axis ? (dim === 0 ? 0 : subDims(dim, 1)) : 0));
  return mapAxes(layout, { kind: 'axes', axes: all, start, step: all.map((at) => (at === axis ? -1 : 1)) }, layout.shape);
}
