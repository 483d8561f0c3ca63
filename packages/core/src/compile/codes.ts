import type { Instruction, Literal, Operation } from '../contract.ts';
import { literalText } from '../program/literal.ts';
import { operationKey } from '../program/operation-key.ts';
import { paramsKey } from '../program/print.ts';
import { type DType, dtypes } from '../types/dtype.ts';
import type { TensorType } from '../types/tensor-type.ts';

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
class OperationCodes {
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
class LiteralCodes {
  readonly #texts = new TextCodes();

  of(literal: Literal): number {
    return this.#texts.of(literalText(literal));
  }
}

const dtypeNumbers = Object.fromEntries(Object.keys(dtypes).map((name, at) => [name, at])) as Readonly<Record<DType, number>>;

/** A number per type. */
class TypeCodes {
  /** By code: the type, and the number of its dtype. */
  readonly known: TensorType[] = [];
  readonly dtypes: number[] = [];
  readonly #texts = new TextCodes();
  #last: TensorType | undefined;
  #code = -1;

  of(type: TensorType): number {
    // Neighbours most often share the very object.
    if (type === this.#last) return this.#code;
    this.#last = type;
    this.#code = this.#texts.of(type.key);
    if (this.#code === this.known.length) {
      this.known.push(type);
      this.dtypes.push(dtypeNumbers[type.dtype]);
    }
    return this.#code;
  }
}

/** Numbers for what instructions are made of: equal things, equal numbers, in all programs that share these codes. */
export class Codes {
  readonly operations: OperationCodes = new OperationCodes();
  readonly literals: LiteralCodes = new LiteralCodes();
  readonly types: TypeCodes = new TypeCodes();
}
