/** The functions of one module: equal ones are written once. */
import type { DimBinding } from '@tf/core';
import { Emitter } from './emitter.ts';
import { typesText, typeText, type Value, type ValueType } from './text.ts';

export interface FunctionType {
  readonly name: string;
  readonly outputs: readonly ValueType[];
}

export interface FunctionSpec {
  readonly takes: readonly ValueType[];
  readonly binding?: DimBinding;
  readonly body: (inside: Emitter, taken: readonly Value[]) => readonly Value[];
}

/** What stands beside an argument or a result of `main`: `{jax.arg_info = "x"}`. */
export interface Marks {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export class ModuleWriter {
  readonly #functions = new Map<string, FunctionType>();
  readonly #texts: string[] = [];
  readonly #numbers = new Map<object, number>();

  /** The function that `key` stands for; written when it is first asked for. */
  define(key: string, stem: string, spec: () => FunctionSpec): FunctionType {
    let known = this.#functions.get(key);
    if (known === undefined) {
      // Counted before its body is written, which may define others.
      const name = `${stem.replace(/[^A-Za-z0-9_]/g, '_')}_${this.#functions.size}`;
      const pending = { name, outputs: [] as readonly ValueType[] };
      this.#functions.set(key, pending);
      const { text, outputs } = functionText(name, 'private', spec());
      this.#texts.push(text);
      this.#functions.set(key, (known = { name, outputs }));
    }
    return known;
  }

  /** A number for an object that is known by its identity. */
  numberOf(object: object): number {
    let number = this.#numbers.get(object);
    if (number === undefined) this.#numbers.set(object, (number = this.#numbers.size));
    return number;
  }

  /** The whole module; `main` comes first, as readers look for it. */
  build(name: string, main: FunctionSpec, marks: Marks): string {
    const { text } = functionText('main', 'public', main, marks);
    const functions = [text, ...this.#texts].map((each) => `  ${each.replaceAll('\n', '\n  ')}`);
    return `module @${name} {\n${functions.join('\n')}\n}\n`;
  }
}

function functionText(name: string, visibility: 'public' | 'private', { takes, binding = new Map(), body }: FunctionSpec, marks?: Marks): { readonly text: string; readonly outputs: readonly ValueType[] } {
  const emitter = new Emitter(binding);
  const taken = takes.map((type, at): Value => ({ ...type, name: `%arg${at}` }));
  const outputs = body(emitter, taken);
  const inputText = taken.map((value, at) => `${value.name}: ${typeText(value)}${marks?.inputs[at] ?? ''}`).join(', ');
  const outputText = outputs.map((value, at) => `${typeText(value)}${marks?.outputs[at] ?? ''}`).join(', ');
  const last = outputs.length === 0 ? 'return' : `return ${outputs.map((value) => value.name).join(', ')} : ${typesText(outputs)}`;
  const lines = [...emitter.lines, last].map((line) => `  ${line.replaceAll('\n', '\n  ')}`);
  return { text: `func.func ${visibility} @${name}(${inputText}) -> (${outputText}) {\n${lines.join('\n')}\n}`, outputs };
}
