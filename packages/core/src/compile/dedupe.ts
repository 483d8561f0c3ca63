import type { Atom, Program, Var } from '../contract.ts';
import { isLiteral } from '../program/literal.ts';
import { ValueMap } from '../program/numbered-map.ts';
import { Codes } from './codes.ts';
import { rewrite } from './rewrite.ts';
import { WordTable } from './word-table.ts';

/** Computes equal instructions (same operation, parameters and operands) once. */
export function dedupe(program: Program): Program {
  const codes = new Codes();
  const operands = new Operands(codes);
  const table = new WordTable();
  const first: (readonly Var[])[] = [];
  const words: number[] = [];
  return rewrite(program, (instruction, inputs) => {
    // Every barrier is a value of its own, so that what lies behind it is too.
    if (instruction.operation.traits.barrier === true) return undefined;
    // The list is the same for all: one that is emptied gives its memory away.
    words[0] = codes.operations.of(instruction);
    for (let at = 0; at < inputs.length; at++) words[at + 1] = operands.of(inputs[at] as Atom);
    const entry = table.entryOf(words, inputs.length + 1);
    if (entry < first.length) return first[entry];
    first.push(instruction.outputs);
    return undefined;
  });
}

/** A number per operand. */
class Operands {
  readonly #values = new ValueMap<number>();
  readonly #codes: Codes;
  #next = 0;

  constructor(codes: Codes) {
    this.#codes = codes;
  }

  /** Equal literals are one operand. */
  of(atom: Atom): number {
    if (isLiteral(atom)) return -1 - this.#codes.literals.of(atom);
    let number = this.#values.get(atom);
    if (number === undefined) this.#values.set(atom, (number = this.#next++));
    return number;
  }
}
