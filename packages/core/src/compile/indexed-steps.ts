import type { Atom, IndexedAxes, IndexedStep, Instruction, Traits, Var } from '../contract.ts';
import type { Dim } from '../types/dim.ts';
import type { DType } from '../types/dtype.ts';
import { collapse, type Layout } from './layout.ts';
import type { Planner } from './planner.ts';
import { continued, viewOf } from './steps.ts';

interface Walked {
  readonly step: IndexedStep;
  readonly indexed: readonly Dim[];
  readonly other: readonly Dim[];
}

function along(layout: Layout, axes: readonly (number | null)[]): readonly Dim[] {
  return axes.map((axis) => (axis === null ? 0 : (layout.strides[axis] as Dim)));
}

/** Iteration axes joined where the indexed tensor, the indices and the other operand all allow it. */
function walk(dtype: DType, map: IndexedAxes, indexed: Layout, indices: Layout, other: Layout): Walked {
  const { extents, strides } = collapse({ extents: other.shape, strides: [along(indexed, map.walks), along(indices, map.indexedBy), other.strides] });
  const [ofIndexed, ofIndices, ofOther] = strides as readonly [readonly Dim[], readonly Dim[], readonly Dim[]];
  const step = { dtype, extents, indices: viewOf(indices, ofIndices), rows: indexed.shape[map.axis] as Dim, rowStride: indexed.strides[map.axis] as Dim, ...(map.named === undefined ? {} : { named: map.named }) };
  return { step, indexed: ofIndexed, other: ofOther };
}

export function gatherStep(planner: Planner, instruction: Instruction, gather: NonNullable<Traits['gather']>): void {
  const [x, indices] = instruction.inputs as readonly [Atom, Atom];
  const [output] = instruction.outputs as readonly [Var];
  const source = planner.layoutOf(x);
  const target = planner.allocate(output);
  const { step, indexed, other } = walk(output.type.dtype, gather(instruction.params, [x.type, indices.type]), source, planner.layoutOf(indices), target);
  planner.steps.push({ ...step, kind: 'gather', source: viewOf(source, indexed), out: viewOf(target, other) });
}

export function scatterStep(planner: Planner, instruction: Instruction, scatter: NonNullable<Traits['scatter']>): void {
  const [x, indices, updates] = instruction.inputs as readonly [Atom, Atom, Atom];
  const [output] = instruction.outputs as readonly [Var];
  const { dtype } = output.type;
  const target = continued(planner, instruction);
  const source = planner.layoutOf(updates);
  const axes = scatter(instruction.params, [x.type, indices.type, updates.type]);
  const { step, indexed, other } = walk(dtype, axes, target, planner.layoutOf(indices), source);
  planner.steps.push({ ...step, kind: 'scatter', combine: axes.combine, updates: viewOf(source, other), target: viewOf(target, indexed) });
}

