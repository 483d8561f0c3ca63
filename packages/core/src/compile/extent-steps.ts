/** Extents as values, and values as extents. */
import type { Atom, ExtentDefinition, Instruction, Plan, Program, Step, Var } from '../contract.ts';
import { scalarLiteral } from '../program/literal.ts';
import { type Dim, type DimExpr, dimText, isKnown } from '../types/dim.ts';
import { upperBound, visitIntroduced } from '../types/extent.ts';
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

/** From this step on the symbol has a value. */
export function extentStep(planner: Planner, instruction: Instruction, { symbol, bound }: ExtentDefinition): void {
  const [k] = instruction.inputs as readonly [Atom];
  const from = planner.layoutOf(k);
  const to = planner.allocate(instruction.outputs[0] as Var);
  planner.steps.push({ kind: 'extent', symbol: (symbol as DimExpr).text, bound, from: { buffer: from.buffer, offset: from.offset }, to: { buffer: to.buffer, offset: to.offset } });
}

/** Symbols that steps define, with their bounds. */
export function boundsOf(steps: readonly Step[]): ReadonlyMap<string, Dim> {
  return new Map(steps.flatMap((step) => (step.kind === 'extent' ? [[step.symbol, step.bound]] : [])));
}

/** Memory is taken before symbols are defined: for as much as they may be. */
export function boundedSlots(slots: Plan['slots'], bounds: ReadonlyMap<string, Dim>): Plan['slots'] {
  return bounds.size === 0 ? slots : slots.map((sizes) => sizes.map((size) => upperBound(size, bounds)));
}

/** Each once, without those about symbols that no step defines any more: what they were about is not computed. */
export function definedConstraints({ inputs, bound, constraints }: Program, bounds: ReadonlyMap<string, Dim>): Program['constraints'] {
  const seen = new Set<string>();
  const known = new Set<string>(bounds.keys());
  for (const { type } of [...inputs, ...bound.map(({ variable }) => variable)]) for (const dim of type.shape) visitIntroduced(dim, (symbol) => void known.add(symbol));
  return constraints.filter(({ left, right, relation }) => {
    let isDefined = true;
    if (bounds.size > 0) {
      const text = `${dimText(left)} ${relation ?? ''} ${dimText(right)}`;
      if (seen.has(text)) return false;
      seen.add(text);
    }
    for (const dim of [left, right]) visitIntroduced(dim, (symbol) => (isDefined &&= known.has(symbol)));
    return isDefined;
  });
}
