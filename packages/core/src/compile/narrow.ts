import type { Atom, Covered, Instruction, Operation, Params, Program, Var } from '../contract.ts';
import { authored, requireNamed } from '../program/authored.ts';
import { Builder } from '../program/builder.ts';
import { inferTypes } from '../program/infer.ts';
import { isLiteral, literalText } from '../program/literal.ts';
import { operationKey } from '../program/operation-key.ts';
import { paramsKey } from '../program/print.ts';
import { createTarget, type Target } from './target.ts';

/**
 * Leaves of each operation what somebody reads: an operation whose outputs another one has too is not run beside it
 * (`traits.covers`), and one of whose outputs some are never read gives way to the cheaper one without them (`traits.prune`).
 */
export function narrow(program: Program, target: Target = createTarget()): Program {
  if (!program.instructions.some(({ operation: { traits } }) => traits.covers !== undefined || traits.prune !== undefined)) return program;
  let current = program;
  for (let joined = joinCovered(current, target); joined !== undefined; joined = joinCovered(current, target)) current = joined;
  return pruneOutputs(current, target);
}

interface Cover {
  readonly instruction: Instruction;
  readonly covered: Covered;
}

/** Runs an operation that covers another where the first of the two stands; undefined where there is nothing to join. */
function joinCovered(program: Program, target: Target): Program | undefined {
  const keys = new Keys();
  const covers = coversIn(program, target, keys);
  if (covers === undefined) return undefined;
  const stands = new Map<Atom, Atom>();
  const placed = new Set<Instruction>();
  const instructions: Instruction[] = [];
  // With the number of the instruction whose place it takes: they stay in ascending order.
  const place = (instruction: Instruction, number: number = instruction.number): void => {
    if (placed.has(instruction)) return;
    placed.add(instruction);
    const inputs = instruction.inputs.map((input) => stands.get(input) ?? input);
    instructions.push(number === instruction.number && inputs.every((input, at) => input === instruction.inputs[at]) ? instruction : { ...instruction, inputs, number });
  };
  for (const instruction of program.instructions) {
    const cover = covers.find(instruction);
    if (cover === undefined) place(instruction);
    else {
      place(cover.instruction, instruction.number);
      instruction.outputs.forEach((output, at) => stands.set(output, cover.instruction.outputs[cover.covered.outputs[at] as number] as Var));
    }
  }
  return stands.size === 0 ? undefined : { ...program, instructions, outputs: program.outputs.map((output) => stands.get(output) ?? output) };
}

/** Who covers an instruction; asked only about the operations that something covers. */
interface Covers {
  find(instruction: Instruction): Cover | undefined;
}

function coversIn(program: Program, target: Target, keys: Keys): Covers | undefined {
  const known = new Map<string, Cover>();
  const operations = new Set<Operation>();
  for (const instruction of program.instructions) {
    for (const covered of coveredBy(instruction)) {
      if (covered.exact === false && target.exact) continue;
      const key = keys.of(covered.operation, covered.params, instruction.inputs);
      if (!known.has(key)) known.set(key, { instruction, covered });
      operations.add(covered.operation);
    }
  }
  if (known.size === 0) return undefined;
  return { find: ({ operation, params, inputs }) => (operations.has(operation) ? known.get(keys.of(operation, params, inputs)) : undefined) };
}

/** What an instruction computes of other operations. */
function coveredBy({ operation, params }: Pick<Instruction, 'operation' | 'params'>): readonly Covered[] {
  const covered = authored(operation, 'covers', () => operation.traits.covers?.(params));
  const all = covered === undefined ? [] : isList(covered) ? covered : [covered];
  for (const one of all) requireNamed(operation, 'covers', one);
  return all;
}

function isList(covered: Covered | readonly Covered[]): covered is readonly Covered[] {
  return Array.isArray(covered);
}

/** Operation, parameters and operands as text; operands by identity, literals by value. */
class Keys {
  readonly #numbers = new Map<Atom | string, number>();

  of(operation: Operation, params: Params, inputs: readonly Atom[]): string {
    return `${operationKey(operation)}{${paramsKey(params)}}${inputs.map((input) => this.#number(input)).join()}`;
  }

  #number(atom: Atom): number {
    const key = isLiteral(atom) ? literalText(atom) : atom;
    let number = this.#numbers.get(key);
    if (number === undefined) this.#numbers.set(key, (number = this.#numbers.size));
    return number;
  }
}

/** From the last instruction to the first, so that what a narrower one no longer takes is not wanted of those before. */
export function pruneOutputs(program: Program, target: Target): Program {
  const needed = new Set<Atom>(program.outputs);
  const instructions: Instruction[] = [];
  const builder = new Builder();
  for (let at = program.instructions.length - 1; at >= 0; at--) {
    const instruction = program.instructions[at] as Instruction;
    const live = instruction.outputs.map((output) => needed.has(output));
    const kept = live.includes(true) ? narrowed(builder, instruction, live, target) : instruction;
    instructions.push(kept);
    if (live.includes(true) || kept.operation.traits.extent !== undefined) for (const input of kept.inputs) if (!isLiteral(input)) needed.add(input);
  }
  return { ...program, instructions: withoutReadersOf(program, instructions.reverse()) };
}

/** Drops what reads values that are not there any more: nobody reads that either. */
function withoutReadersOf(program: Program, narrower: readonly Instruction[]): readonly Instruction[] {
  const gone = new Set<Atom>();
  program.instructions.forEach(({ outputs }, at) => {
    const left = (narrower[at] as Instruction).outputs;
    if (left !== outputs) for (const output of outputs) if (!left.includes(output)) gone.add(output);
  });
  if (gone.size === 0) return narrower;
  return narrower.filter(({ inputs, outputs }) => {
    if (!inputs.some((input) => gone.has(input))) return true;
    for (const output of outputs) gone.add(output);
    return false;
  });
}

/** The values keep their places; those that nobody reads are not there any more. */
function narrowed(builder: Builder, instruction: Instruction, live: readonly boolean[], target: Target): Instruction {
  const { operation, params, inputs, outputs } = instruction;
  const found = authored(operation, 'prune', () => operation.traits.prune?.(params, live, inputs.map(({ type }) => type), outputs.map(({ type }) => type)));
  if (found === undefined) return instruction;
  requireNamed(operation, 'prune', found);
  if (found.exact === false && target.exact) return instruction;
  const own = new Map<number, Var>();
  found.outputs.forEach((which, at) => {
    if (which !== undefined) own.set(which, outputs[at] as Var);
  });
  const given = found.inputs.map((at) => inputs[at] as Atom);
  const types = inferTypes(found.operation, given.map(({ type }) => type), found.params, () => undefined);
  return { ...instruction, operation: found.operation, params: found.params, inputs: given, outputs: types.map((type, at) => own.get(at) ?? builder.input(type)) };
}
