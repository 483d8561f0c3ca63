import type { Atom, Instruction, Literal, Program, Var } from '../contract.ts';
import { isLiteral, literalText } from '../program/literal.ts';
import { ValueMap } from '../program/numbered-map.ts';
import { operationKey } from '../program/operation-key.ts';
import { paramsKey } from '../program/print.ts';
import { rewrite } from './rewrite.ts';
import { WordTable } from './word-table.ts';

/** Computes equal instructions (same operation, parameters and operands) once. */
export function dedupe(program: Program): Program {
  const numbers = new Numbers();
  const table = new WordTable();
  const first: (readonly Var[])[] = [];
  const words: number[] = [];
  return rewrite(program, (instruction, inputs) => {
    // Every barrier is a value of its own, so that what lies behind it is too.
    if (instruction.operation.traits.barrier === true) return undefined;
    words.length = 0;
    words.push(numbers.ofCode(instruction));
    for (const input of inputs) words.push(numbers.ofOperand(input));
    const entry = table.entryOf(words);
    if (entry < first.length) return first[entry];
    first.push(instruction.outputs);
    return undefined;
  });
}

/** A number per operation with its parameters, and per operand. */
class Numbers {
  readonly #codes = new Map<string, number>();
  /** Of operations without parameters: the code needs no text. */
  readonly #plain = new Map<Instruction['operation'], number>();
  readonly #values = new ValueMap<number>();
  readonly #literals = new Map<string, number>();
  #next = 0;

  ofCode({ operation, params }: Instruction): number {
    const key = paramsKey(params);
    if (key !== '') return this.#ofText(`${operationKey(operation)}{${key}}`);
    let code = this.#plain.get(operation);
    if (code === undefined) this.#plain.set(operation, (code = this.#ofText(`${operationKey(operation)}{}`)));
    return code;
  }

  ofOperand(atom: Atom): number {
    if (isLiteral(atom)) return this.#ofLiteral(atom);
    let number = this.#values.get(atom);
    if (number === undefined) this.#values.set(atom, (number = this.#next++));
    return number;
  }

  #ofText(text: string): number {
    let code = this.#codes.get(text);
    if (code === undefined) this.#codes.set(text, (code = this.#codes.size));
    return code;
  }

  /** Equal literals are one operand. */
  #ofLiteral(literal: Literal): number {
    const text = literalText(literal);
    let number = this.#literals.get(text);
    if (number === undefined) this.#literals.set(text, (number = this.#next++));
    return number;
  }
}
