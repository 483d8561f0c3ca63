/** Extents as values, and values as extents. */
import type { Atom, Instruction, Var } from '../contract.ts';
import { scalarLiteral } from '../program/literal.ts';
import { type Dim, isKnown } from '../types/dim.ts';
import type { Planner } from './planner.ts';

/** An extent that is known is a constant. */
export function sizeStep(planner: Planner, instruction: Instruction, value: Dim): void {
  const [output] = instruction.outputs as readonly [Var];
  if (isKnown(value)) {
    planner.define(output, planner.layoutOf(scalarLiteral('int32', value) as Atom));
    return;
  }
  const { buffer, offset } = planner.allocate(output);
  planner.steps.push({ kind: 'size', value, to: { buffer, offset } });
}
