import type { Atom, Instruction, Program, Var } from '../contract.ts';

/** What becomes one step, or none, or a few for operations that are not loops. */
export interface Unit {
  /** Elementwise instructions of one iteration space, in program order. */
  readonly members: readonly Instruction[];
  /** What the members feed: a reduction of the last of them or of a stored value, or an instruction of another kind. */
  readonly root?: Instruction;
  /** Members' values that others need. */
  readonly stored: readonly Var[];
}

/** The units in an order in which each comes after what it reads, as near to the program's own order as that allows. */
export function orderUnits(program: Program, units: readonly Unit[]): readonly Unit[] {
  const position = new Map<Instruction, number>();
  program.instructions.forEach((instruction, at) => position.set(instruction, at));
  const unitOf = new Map<Atom, Unit>();
  for (const unit of units) for (const instruction of instructionsOf(unit)) for (const output of instruction.outputs) unitOf.set(output, unit);
  const last = (unit: Unit): number => Math.max(...instructionsOf(unit).map((instruction) => position.get(instruction) as number));
  const order: Unit[] = [];
  const state = new Map<Unit, 'open' | 'done'>();
  for (const { unit } of units.map((unit) => ({ unit, at: last(unit) })).sort((a, b) => a.at - b.at)) visit(unit);
  return order;

  function visit(start: Unit): void {
    const stack: { readonly unit: Unit; readonly needs: readonly Unit[]; next: number }[] = [];
    open(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const need = top.needs[top.next++];
      if (need !== undefined) open(need);
      else {
        state.set(top.unit, 'done');
        order.push(top.unit);
        stack.pop();
      }
    }

    function open(unit: Unit): void {
      if (state.has(unit)) return;
      state.set(unit, 'open');
      stack.push({ unit, needs: needsOf(unit), next: 0 });
    }
  }

  function needsOf(unit: Unit): readonly Unit[] {
    const needs = new Set<Unit>();
    for (const { inputs } of instructionsOf(unit)) for (const input of inputs) {
      const producer = unitOf.get(input);
      if (producer !== undefined && producer !== unit) needs.add(producer);
    }
    return [...needs];
  }
}

export function instructionsOf({ members, root }: Unit): readonly Instruction[] {
  return root === undefined ? members : [...members, root];
}
