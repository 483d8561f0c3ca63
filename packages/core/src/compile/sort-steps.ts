import type { Atom, Instruction, Sort, Var } from '../contract.ts';
import { type Dim, mulDims } from '../types/dim.ts';
import { tensorType } from '../types/tensor-type.ts';
import { collapse } from './layout.ts';
import type { Planner } from './planner.ts';
import { viewOf } from './steps.ts';

/** Words of workspace per element of a line: two records of a key of 64 bits and an index. */
const WORKSPACE = 8;

/** The sorted axis last, the others joined where all three values allow it. */
export function sortStep(planner: Planner, instruction: Instruction, { axis, descending }: Sort): void {
  const [x] = instruction.inputs as readonly [Atom];
  const [values, indices] = instruction.outputs as readonly [Var, Var];
  const { shape, dtype } = x.type;
  const layouts = [planner.layoutOf(x), planner.allocate(values), planner.allocate(indices)] as const;
  const others = shape.flatMap((_, at) => (at === axis ? [] : [at]));
  const walks = collapse({ extents: others.map((at) => shape[at] as Dim), strides: layouts.map(({ strides }) => others.map((at) => strides[at] as Dim)) });
  const [from, sorted, places] = layouts.map((layout, operand) => viewOf(layout, [...(walks.strides[operand] as readonly Dim[]), layout.strides[axis] as Dim])) as [ReturnType<typeof viewOf>, ReturnType<typeof viewOf>, ReturnType<typeof viewOf>];
  const length = shape[axis] as Dim;
  const { buffer, offset } = planner.scratch(tensorType('int32', [mulDims(length, WORKSPACE)]));
  planner.steps.push({ kind: 'sort', dtype, descending, extents: [...walks.extents, length], from, values: sorted, indices: places, workspace: { buffer, offset } });
}
