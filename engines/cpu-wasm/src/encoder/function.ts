import { flatten } from './flatten.ts';
import { unsigned } from './leb.ts';
import type { Code, Local, ValueType } from './code.ts';

const typeBytes: { readonly [T in ValueType]: number } = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b };

export const typeByte = (type: ValueType): number => typeBytes[type];

export interface Signature {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** A function as it stands in the code section of any module: its code calls nothing. */
export interface EncodedFunction {
  readonly signature: Signature;
  readonly code: Uint8Array;
}

/** The variables of one function in the making. */
export class FunctionScope {
  readonly signature: Signature;
  readonly parameters: readonly Local[];
  readonly #locals: ValueType[] = [];

  constructor(parameters: readonly ValueType[], results: readonly ValueType[] = []) {
    this.signature = { parameters, results };
    this.parameters = parameters.map((type, index) => ({ index, type }));
  }

  parameter(index: number): Local {
    return this.parameters[index]!;
  }

  local(type: ValueType): Local {
    this.#locals.push(type);
    return { index: this.parameters.length + this.#locals.length - 1, type };
  }

  locals(type: ValueType, count: number): readonly Local[] {
    return Array.from({ length: count }, () => this.local(type));
  }

  /** The code section's entry: size, local declarations, body, end. */
  encode(body: Code): Uint8Array {
    const groups: { count: number; readonly type: ValueType }[] = [];
    for (const type of this.#locals) {
      const last = groups.at(-1);
      if (last?.type === type) last.count++;
      else groups.push({ count: 1, type });
    }
    const declarations = [unsigned(groups.length), groups.map(({ count, type }) => [unsigned(count), typeByte(type)])];
    const bytes = flatten([declarations, body, 0x0b]);
    return flatten([unsigned(bytes.length), bytes]);
  }
}
