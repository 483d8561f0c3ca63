/** A module in the making: WebAssembly core 2.0, §5.5 (binary format of modules). */
import { flatten } from './flatten.ts';
import { type EncodedFunction, type FunctionScope, type Signature, typeByte } from './function.ts';
import { unsigned } from './leb.ts';
import type { Code } from './code.ts';

/** The memory that a module imports as `env.memory`: its limits must match the memory's. */
export interface MemoryLimits {
  readonly maximumPages: number;
  readonly shared: boolean;
}

/** Puts constant data into the imported memory, where it stays as long as the module lives, and gives its address. */
export type PlaceData = (bytes: Uint8Array) => number;

const noData: PlaceData = () => {
  throw new Error('This module was given no place for constant data.');
};

const sections = { type: 1, import: 2, function: 3, table: 4, global: 6, export: 7, element: 9, code: 10 } as const;

export class ModuleBuilder {
  readonly #memory: MemoryLimits;
  readonly #signatures: string[] = [];
  readonly #types: Code[] = [];
  readonly #imports: Code[] = [];
  readonly #functions: { readonly type: number; readonly code: Uint8Array }[] = [];
  readonly #exports: Code[] = [];
  #importedFunctions = 0;
  #globals = 0;
  #elements: readonly number[] = [];
  readonly #placeData: PlaceData;
  readonly #placed = new Map<string, number>();

  constructor(memory: MemoryLimits, placeData: PlaceData = noData) {
    this.#memory = memory;
    this.#placeData = placeData;
  }

  /** The address of constant bytes; equal bytes are placed once. */
  dataAddress(bytes: Uint8Array): number {
    const key = bytes.join();
    const address = this.#placed.get(key) ?? this.#placeData(bytes);
    this.#placed.set(key, address);
    return address;
  }

  typeIndex({ parameters, results }: Signature): number {
    const key = `${parameters.join()}:${results.join()}`;
    const known = this.#signatures.indexOf(key);
    if (known >= 0) return known;
    this.#signatures.push(key);
    this.#types.push([0x60, unsigned(parameters.length), parameters.map(typeByte), unsigned(results.length), results.map(typeByte)]);
    return this.#types.length - 1;
  }

  /** Imports `env.name`; all imports come before the first function. */
  importFunction(name: string, signature: Signature): number {
    this.#imports.push([text('env'), text(name), 0x00, unsigned(this.typeIndex(signature))]);
    return this.#importedFunctions++;
  }

  /** Adds a function and gives its index. */
  addFunction(scope: FunctionScope, body: Code): number {
    return this.addEncoded({ signature: scope.signature, code: scope.encode(body) });
  }

  /** Adds a function that calls none, as it was encoded for this module or another. */
  addEncoded({ signature, code }: EncodedFunction): number {
    this.#functions.push({ type: this.typeIndex(signature), code });
    return this.#importedFunctions + this.#functions.length - 1;
  }

  /** A mutable i32 global, exported. */
  addGlobal(name: string): number {
    this.#exports.push([text(name), 0x03, unsigned(this.#globals)]);
    return this.#globals++;
  }

  exportFunction(name: string, functionIndex: number): void {
    this.#exports.push([text(name), 0x00, unsigned(functionIndex)]);
  }

  /** The functions of table 0, which `callIndirect` calls by position. */
  setElements(functions: readonly number[]): void {
    this.#elements = functions;
  }

  encode(): Uint8Array {
    const { maximumPages, shared } = this.#memory;
    const memory: Code = [text('env'), text('memory'), 0x02, shared ? 0x03 : 0x01, 0x00, unsigned(maximumPages)];
    const count = this.#elements.length;
    return flatten([
      [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      vector(sections.type, this.#types),
      vector(sections.import, [memory, ...this.#imports]),
      vector(sections.function, this.#functions.map(({ type }) => unsigned(type))),
      count === 0 ? [] : vector(sections.table, [[0x70, 0x01, unsigned(count), unsigned(count)]]),
      vector(sections.global, Array.from({ length: this.#globals }, () => [0x7f, 0x01, 0x41, 0x00, 0x0b])),
      vector(sections.export, this.#exports),
      count === 0 ? [] : vector(sections.element, [[0x00, 0x41, 0x00, 0x0b, unsigned(count), this.#elements.map(unsigned)]]),
      vector(sections.code, this.#functions.map(({ code }) => code)),
    ]);
  }
}

function text(value: string): Code {
  const bytes = [...value].map((character) => character.charCodeAt(0));
  return [unsigned(bytes.length), bytes];
}

function vector(section: number, entries: readonly Code[]): Code {
  if (entries.length === 0) return [];
  const content = flatten([unsigned(entries.length), ...entries]);
  return [section, unsigned(content.length), content];
}
