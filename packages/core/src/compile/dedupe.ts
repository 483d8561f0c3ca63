import type { Atom, Literal, Program, Var } from '../contract.ts';
import { isLiteral, literalText } from '../program/literal.ts';
import { operationKey } from '../program/operation-key.ts';
import { paramsKey } from '../program/print.ts';
import { rewrite } from './rewrite.ts';

/** Computes equal instructions (same operation, parameters and operands) once. */
export function dedupe(program: Program): Program {
  const operands = new Operands();
  const first = new Map<string, Map<number | string, readonly Var[]>>();
  return rewrite(program, ({ operation, params, outputs }, inputs) => {
    // Every barrier is a value of its own, so that what lies behind it is too.
    if (operation.traits.barrier === true) return undefined;
    const code = `${operationKey(operation)}{${paramsKey(params)}}`;
    let group = first.get(code);
    if (group === undefined) first.set(code, (group = new Map()));
    const key = operands.key(inputs);
    const seen = group.get(key);
    if (seen === undefined) group.set(key, outputs);
    return seen;
  });
}

/** Numbers for values, so that a list of one or two operands is one number. */
class Operands {
  readonly #numbers = new Map<Atom, number>();
  readonly #literals = new Map<string, number>();
  #next = 0;

  key(inputs: readonly Atom[]): number | string {
    if (inputs.length === 1) return this.#number(inputs[0] as Atom);
    if (inputs.length === 2) return (this.#number(inputs[0] as Atom) + 1) * 2 ** 26 + this.#number(inputs[1] as Atom);
    return inputs.map((input) => this.#number(input)).join();
  }

  #number(atom: Atom): number {
    let number = this.#numbers.get(atom);
    if (number === undefined) this.#numbers.set(atom, (number = isLiteral(atom) ? this.#literal(atom) : this.#next++));
    return number;
  }

  /** Equal literals are one value. */
  #literal(literal: Literal): number {
    const text = literalText(literal);
    let number = this.#literals.get(text);
    if (number === undefined) this.#literals.set(text, (number = this.#next++));
    return number;
  }
}
