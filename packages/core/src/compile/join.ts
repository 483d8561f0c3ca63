import type { Atom, Instruction, JoinedPair, Program, SharedOperand } from '../contract.ts';
import { authored, requireNamed } from '../program/authored.ts';
import { pruneOutputs } from './narrow.ts';
import { extentReads } from './program-index.ts';
import { createTarget, type Target } from './target.ts';

/**
 * Runs operations that can be one (`traits.join`) as one, where the second reads results of the first and nothing between them has to run
 * between them: a loop and its tangents go round together. What only the second read of the first is not made any more.
 */
export function join(program: Program, target: Target = createTarget()): Program {
  if (program.instructions.filter(isJoinable).length < 2) return program;
  const extents = extentReads(program.instructions);
  const reads = (instruction: Instruction): readonly Atom[] => (extents === undefined ? instruction.inputs : [...instruction.inputs, ...extents(instruction)]);
  const instructions = [...program.instructions];
  for (let at = 0; at < instructions.length; at++) {
    // What was joined stands where the first was, and may be the second of another.
    for (let place = joinAt(instructions, at, reads); place !== undefined; place = joinAt(instructions, place, reads)) at--;
  }
  return instructions.length === program.instructions.length ? program : pruneOutputs({ ...program, instructions }, target);
}

function isJoinable({ operation }: Instruction): boolean {
  return operation.traits.join !== undefined;
}

type Reads = (instruction: Instruction) => readonly Atom[];

/** Joins an instruction with one that it reads, the latest that can be; says where the two stand then. */
function joinAt(instructions: Instruction[], at: number, reads: Reads): number | undefined {
  const second = instructions[at] as Instruction;
  if (!isJoinable(second)) return undefined;
  const inputs = new Set<Atom>(second.inputs);
  for (let from = at - 1; from >= 0; from--) {
    const first = instructions[from] as Instruction;
    if (first.operation !== second.operation || !first.outputs.some((output) => inputs.has(output))) continue;
    const joined = joinedOf(first, second);
    const needed = joined && neededBetween(instructions, from, at, reads);
    if (joined === undefined || needed === undefined) continue;
    const between = instructions.slice(from + 1, at);
    const order = [...between.filter((instruction) => needed.has(instruction)), joined, ...between.filter((instruction) => !needed.has(instruction))];
    // The numbers of the places: they stay in ascending order.
    order.forEach((instruction, place) => {
      const { number } = instructions[from + place] as Instruction;
      order[place] = instruction.number === number ? instruction : { ...instruction, number };
    });
    order.forEach((instruction, place) => (instructions[from + place] = instruction));
    instructions.splice(at, 1);
    return from + needed.size;
  }
  return undefined;
}

/** Both as one instruction, as far as only their own values are concerned. */
function joinedOf(first: Instruction, second: Instruction): Instruction | undefined {
  const { operation } = first;
  const given = second.inputs.map((input) => sharedOperand(first, input));
  const found: JoinedPair | undefined = authored(operation, 'join', () => operation.traits.join?.(first.params, second.params, given));
  if (found === undefined) return undefined;
  requireNamed(operation, 'join', found);
  const [inputs, outputs] = [[...first.inputs, ...second.inputs], [...first.outputs, ...second.outputs]];
  return { operation: found.operation, params: found.params, inputs: found.inputs.map((at) => inputs[at] as Atom), outputs: found.outputs.map((at) => outputs[at] as (typeof outputs)[number]), number: first.number };
}

function sharedOperand({ inputs, outputs }: Instruction, input: Atom): SharedOperand | undefined {
  const made = (outputs as readonly Atom[]).indexOf(input);
  if (made >= 0) return { kind: 'output', index: made };
  const shared = inputs.indexOf(input);
  return shared < 0 ? undefined : { kind: 'input', index: shared };
}

/**
 * What the second of two instructions needs of those between them, which then goes before both; undefined where that depends on the
 * first, so that it has to be between them.
 */
function neededBetween(instructions: readonly Instruction[], from: number, to: number, reads: Reads): ReadonlySet<Instruction> | undefined {
  const own = new Set<Atom>((instructions[from] as Instruction).outputs);
  const needed = new Set<Instruction>();
  const values = new Set<Atom>(reads(instructions[to] as Instruction));
  for (let at = to - 1; at > from; at--) {
    const instruction = instructions[at] as Instruction;
    if (!instruction.outputs.some((output) => values.has(output))) continue;
    const given = reads(instruction);
    if (given.some((value) => own.has(value))) return undefined;
    needed.add(instruction);
    for (const value of given) values.add(value);
  }
  return needed;
}
