import type { Atom, Instruction, Literal, Operation } from '../contract.ts';
import { literalText } from '../program/literal.ts';
import { ValueMap } from '../program/numbered-map.ts';
import { operationKey } from '../program/operation-key.ts';
import { paramsKey } from '../program/print.ts';
import { WordTable } from './word-table.ts';

/** A number per text, in the order in which they come up. */
class TextCodes {
  readonly #known = new Map<string, number>();

  of(text: string): number {
    let code = this.#known.get(text);
    if (code === undefined) this.#known.set(text, (code = this.#known.size));
    return code;
  }
}

/** A number per operation with its parameters: equal texts, equal numbers, and a text only where there are parameters. */
export class OperationCodes {
  readonly #texts = new TextCodes();
  readonly #plain = new Map<Operation, number>();

  of({ operation, params }: Instruction): number {
    const key = paramsKey(params);
    if (key !== '') return this.#texts.of(`${operationKey(operation)}{${key}}`);
    let code = this.#plain.get(operation);
    if (code === undefined) this.#plain.set(operation, (code = this.#texts.of(`${operationKey(operation)}{}`)));
    return code;
  }
}

/** A number per literal: equal dtypes, shapes and bits, equal numbers. */
export class LiteralCodes {
  readonly #texts = new TextCodes();

  of(literal: Literal): number {
    return this.#texts.of(literalText(literal));
  }
}

/**
 * What the values of the unit in hand are, as numbers. The next unit begins anew in the same table: its numbers lie above all before.
 */
class UnitNumbers {
  readonly #numbers = new ValueMap<number>();
  #base = 0;
  #end = 0;

  /** Forgets what the values were. */
  restart(): void {
    this.#base = this.#end;
  }

  get(value: Atom): number | undefined {
    const number = this.#numbers.get(value);
    return number === undefined || number < this.#base ? undefined : number - this.#base;
  }

  set(value: Atom, number: number): void {
    this.#numbers.set(value, this.#base + number);
    this.#end = Math.max(this.#end, this.#base + number + 1);
  }
}

/** Numbers for what units compute, which all units of a plan share. */
export class BodyCodes {
  /** One table for all units, which are planned one after the other. */
  readonly known: UnitNumbers = new UnitNumbers();
  readonly operations: OperationCodes = new OperationCodes();
  readonly literals: LiteralCodes = new LiteralCodes();
  /** To be filled for {@link of}: one list for all units. */
  readonly words: number[] = [];
  readonly #bodies = new WordTable();

  /** The number of the unit that the first `count` words tell of. */
  of(count: number): number {
    return this.#bodies.entryOf(this.words, count);
  }
}
