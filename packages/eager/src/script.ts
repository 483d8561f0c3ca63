import { type Atom, type Instruction, isLiteral, type Literal, liveInstructions, type Program } from '@tf/core';

/**
 * A program carried out one operation at a time, through the plans that single operations have. Long traces run like
 * this: their operations are few and already compiled, while one plan of 100 000 steps takes long to build and is seldom
 * met again. The values are bitwise those of one plan (contracts.md §3.1).
 */
export interface Script {
  readonly steps: readonly ScriptStep[];
  /** How many values there are: inputs first. */
  readonly values: number;
  readonly inputs: number;
  readonly outputs: readonly (number | Literal)[];
}

interface ScriptStep {
  readonly instruction: Instruction;
  readonly inputs: readonly (number | Literal)[];
  readonly outputs: readonly number[];
  /** Values that are not needed after this step. */
  readonly last: readonly number[];
}

export function scriptOf(program: Program): Script {
  const places = new Map<Atom, number>();
  for (const input of program.inputs) places.set(input, places.size);
  const place = (atom: Atom): number | Literal => (isLiteral(atom) ? atom : (places.get(atom) as number));
  const wired = liveInstructions(program).map((instruction) => {
    const inputs = instruction.inputs.map(place);
    for (const output of instruction.outputs) places.set(output, places.size);
    return { instruction, inputs, outputs: instruction.outputs.map((output) => places.get(output) as number) };
  });
  const outputs = program.outputs.map(place);
  const needed = new Set<number | Literal>(outputs);
  for (let at = 0; at < program.inputs.length; at++) needed.add(at);
  const steps: ScriptStep[] = [];
  for (let at = wired.length - 1; at >= 0; at--) {
    const step = wired[at] as (typeof wired)[number];
    const last: number[] = [];
    for (const value of [...step.inputs, ...step.outputs]) {
      if (typeof value !== 'number' || needed.has(value)) continue;
      needed.add(value);
      last.push(value);
    }
    steps.push({ ...step, last });
  }
  return { steps: steps.reverse(), values: places.size, inputs: program.inputs.length, outputs };
}
