import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { invariant } from '../errors.ts';
import { sameType, typeText } from '../types/tensor-type.ts';
import { inferTypes } from './infer.ts';
import { symbolIntroducedBy, visitSymbols } from './introduced.ts';
import { isLiteral } from './literal.ts';
import { ValueSet } from './numbered-map.ts';
import { regionsOf } from './params.ts';

/**
 * Throws an `InvariantError` unless the program is well formed: every value defined once and before use, every type the
 * one its operation infers, instructions in order of creation, regions closed. Walks regions without recursion.
 */
export function checkProgram(program: Program): void {
  const work: Program[] = [program];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    checkOne(next);
    for (const instruction of next.instructions) {
      for (const region of regionsOf(instruction.params)) {
        invariant(region.bound.length === 0, `${instruction.operation.id}: a region has bound inputs; what it captures must be explicit inputs`);
        work.push(region);
      }
    }
  }
}

function checkOne(program: Program): void {
  const defined = new ValueSet();
  const define = (variable: Var): void => {
    invariant(!defined.has(variable), `%${variable.id} is defined twice`);
    defined.add(variable);
  };
  const use = (atom: Atom, where: string): void => {
    invariant(isLiteral(atom) || defined.has(atom), `${where} uses %${isLiteral(atom) ? '' : atom.id} before it is defined`);
  };
  for (const input of program.inputs) define(input);
  for (const { variable } of program.bound) define(variable);
  const introduced = new Set(program.instructions.flatMap((instruction) => symbolIntroducedBy(instruction) ?? []));
  let last = -1;
  for (const instruction of program.instructions) {
    for (const input of instruction.inputs) use(input, instruction.operation.id);
    invariant(instruction.number > last, `${instruction.operation.id}: instructions are out of the order of their creation`);
    last = instruction.number;
    checkTypes(instruction);
    if (introduced.size > 0) checkExtents(instruction, introduced);
    for (const output of instruction.outputs) define(output);
  }
  for (const output of program.outputs) use(output, 'return');
}

/** `introduced` are the extents that this or a later instruction introduces. */
function checkExtents(instruction: Instruction, introduced: Set<string>): void {
  const { id } = instruction.operation;
  const own = symbolIntroducedBy(instruction);
  invariant(own === undefined || introduced.delete(own), `${id} introduces ${String(own)}, which was introduced before`);
  visitSymbols(instruction, (symbol) => invariant(!introduced.has(symbol), `${id} has the extent ${symbol} before it is introduced`));
}

function checkTypes(instruction: Instruction): void {
  const { operation, inputs, outputs, params } = instruction;
  const types = inferTypes(operation, inputs.map((input) => input.type), params, () => {});
  invariant(types.length === outputs.length, `${operation.id} infers ${types.length} outputs and has ${outputs.length}`);
  outputs.forEach((output, index) => {
    const type = types[index];
    invariant(type !== undefined && sameType(type, output.type), `${operation.id}: output ${index} is ${typeText(output.type)}, inferred ${type === undefined ? 'nothing' : typeText(type)}`);
  });
}
