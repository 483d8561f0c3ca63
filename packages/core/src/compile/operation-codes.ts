import type { Instruction, Literal, Operation } from '../contract.ts';
import { literalText } from '../program/literal.ts';
import { operationKey } from '../program/operation-key.ts';
import { paramsKey } from '../program/print.ts';
import { WordTable } from './word-table.ts';

/** A number per operation with its parameters: equal texts, equal numbers, and a text only where there are parameters. */
export class OperationCodes {
  readonly #ofText = new Map<string, number>();
  readonly #plain = new Map<Operation, number>();

  of({ operation, params }: Instruction): number {
    const key = paramsKey(params);
    if (key !== '') return this.#number(`${operationKey(operation)}{${key}}`);
    let code = this.#plain.get(operation);
    if (code === undefined) this.#plain.set(operation, (code = this.#number(`${operationKey(operation)}{}`)));
    return code;
  }

  #number(text: string): number {
    let code = this.#ofText.get(text);
    if (code === undefined) this.#ofText.set(text, (code = this.#ofText.size));
    return code;
  }
}

/** A number per literal: equal dtypes, shapes and bits, equal numbers. */
export class LiteralCodes {
  readonly #ofText = new Map<string, number>();

  of(literal: Literal): number {
    const text = literalText(literal);
    let code = this.#ofText.get(text);
    if (code === undefined) this.#ofText.set(text, (code = this.#ofText.size));
    return code;
  }
}

/** Numbers for what units compute, which all units of a plan share. */
export class BodyCodes {
  readonly operations: OperationCodes = new OperationCodes();
  readonly literals: LiteralCodes = new LiteralCodes();
  /** To be filled for {@link of}: one list for all units. */
  readonly words: number[] = [];
  readonly #bodies = new WordTable();

  /** The number of the unit that the first `count` of these words tell of. */
  of(words: readonly number[], count: number): number {
    return this.#bodies.entryOf(words, count);
  }
}
