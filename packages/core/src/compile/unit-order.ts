import type { ProgramIndex } from './program-index.ts';

/** What becomes one step, or none, or a few for operations that are not loops: by the numbers of instructions and values. */
export interface Unit {
  /** Elementwise instructions of one iteration space, in program order. */
  readonly members: readonly number[];
  /** What the members feed: a reduction of the last of them or of a stored value, or an instruction of another kind. */
  readonly root?: number;
  /** Members' values that others need. */
  readonly stored: readonly number[];
}

/** The units in an order in which each comes after what it reads, as near to the program's own order as that allows. */
export function orderUnits(index: ProgramIndex, units: readonly Unit[]): readonly Unit[] {
  const unitAt = new Int32Array(index.instructions.length);
  units.forEach((unit, number) => {
    for (const at of unit.members) unitAt[at] = number;
    if (unit.root !== undefined) unitAt[unit.root] = number;
  });
  const order: Unit[] = [];
  const seen = new Uint8Array(units.length);
  const stack: { readonly unit: number; readonly needs: readonly number[]; next: number }[] = [];
  const open = (unit: number): void => {
    if (seen[unit] === 1) return;
    seen[unit] = 1;
    stack.push({ unit, needs: needsOf(index, units[unit] as Unit, unit, unitAt), next: 0 });
  };
  for (const start of byLastInstruction(units)) {
    open(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const need = top.needs[top.next++];
      if (need !== undefined) open(need);
      else {
        order.push(units[top.unit] as Unit);
        stack.pop();
      }
    }
  }
  return order;
}

function byLastInstruction(units: readonly Unit[]): readonly number[] {
  const last = Int32Array.from(units, ({ members, root }) => root ?? (members.at(-1) as number));
  return units.map((_, unit) => unit).sort((a, b) => (last[a] as number) - (last[b] as number));
}

function needsOf({ inputs, inputStart, producer }: ProgramIndex, { members, root }: Unit, own: number, unitAt: Int32Array): readonly number[] {
  const needs: number[] = [];
  const collect = (at: number): void => {
    for (let place = inputStart[at] as number; place < (inputStart[at + 1] as number); place++) {
      const value = inputs[place] as number;
      const from = value < 0 ? -1 : (producer[value] as number);
      if (from >= 0 && unitAt[from] !== own) needs.push(unitAt[from] as number);
    }
  };
  members.forEach(collect);
  if (root !== undefined) collect(root);
  return needs;
}
