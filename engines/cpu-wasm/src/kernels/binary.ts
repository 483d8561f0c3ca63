/** What a module's bytes say that the WebAssembly API does not: core specification 2.0, §5.5; conventions of dynamic linking. */

/** Why a module must not run on a memory that it shares. */
export type Misplaced = 'data' | 'stack';

interface Section {
  readonly id: number;
  /** Where it begins, with its id, and where what it holds begins and ends. */
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

const sectionIds = { custom: 0, import: 2, global: 6, data: 11 } as const;
const kinds = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const;
const opcodes = { end: 0x0b, globalGet: 0x23, i32Const: 0x41 } as const;
const shared = 0x02;
const maximumPages = 65536;

/** Whether bytes begin as a module does: `\0asm`, version 1. */
export function isWasm(bytes: Uint8Array): boolean {
  return [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00].every((byte, at) => bytes[at] === byte);
}

class Reader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw new WebAssembly.CompileError('it ends too early');
    return byte;
  }

  /** LEB128. What is signed differs in the last byte only, which nobody here asks for. */
  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  skip(bytes: number): void {
    this.at += bytes;
  }

  text(): string {
    const length = this.number();
    this.skip(length);
    return String.fromCharCode(...this.#bytes.subarray(this.at - length, this.at));
  }

  limits(): void {
    const flags = this.byte();
    this.number();
    if ((flags & 1) !== 0) this.number();
  }

  /** A constant expression; gives its first instruction and operand. */
  expression(): { readonly opcode: number; readonly operand: number } {
    const opcode = this.byte();
    const operand = opcode === opcodes.end ? 0 : this.number();
    for (let next = opcode; next !== opcodes.end; ) {
      next = this.byte();
      if (next === opcodes.globalGet || next === opcodes.i32Const) this.number();
    }
    return { opcode, operand };
  }
}

function sectionsOf(bytes: Uint8Array): readonly Section[] {
  const reader = new Reader(bytes, 8);
  const sections: Section[] = [];
  while (reader.at < bytes.length) {
    const start = reader.at;
    const id = reader.byte();
    const size = reader.number();
    sections.push({ id, start, content: reader.at, end: reader.at + size });
    reader.skip(size);
  }
  return sections;
}

/** The bytes with the memory that they import as it is: shared or not, of any size. Built for one, a module refuses the other. */
export function withMemory(bytes: Uint8Array, isShared: boolean): Uint8Array<ArrayBuffer> {
  const section = sectionsOf(bytes).find(({ id }) => id === sectionIds.import);
  const limits = section === undefined ? undefined : memoryLimits(bytes, section);
  if (section === undefined || limits === undefined) return bytes.slice();
  const patched = isShared ? [shared | 1, 0, ...leb(maximumPages)] : [0, 0];
  const size = section.end - section.content + patched.length - (limits.end - limits.start);
  return joined([bytes.subarray(0, section.start), Uint8Array.of(section.id, ...leb(size)), bytes.subarray(section.content, limits.start), Uint8Array.from(patched), bytes.subarray(limits.end)]);
}

function memoryLimits(bytes: Uint8Array, { content }: Section): { readonly start: number; readonly end: number } | undefined {
  const reader = new Reader(bytes, content);
  for (let left = reader.number(); left > 0; left--) {
    reader.text();
    reader.text();
    const kind = reader.byte();
    const start = reader.at;
    if (kind === kinds.table) reader.skip(1);
    if (kind === kinds.table || kind === kinds.memory) reader.limits();
    else if (kind === kinds.global) reader.skip(2);
    else if (kind === kinds.tag) reader.skip(1);
    if (kind === kinds.function || kind === kinds.tag) reader.number();
    if (kind === kinds.memory) return { start, end: reader.at };
  }
  return undefined;
}

/**
 * Whether a module would write where others are: its data at a fixed address, or a stack that begins at one (what linkers make
 * the first global of a module that is not position-independent).
 */
export function misplaced(bytes: Uint8Array): Misplaced | undefined {
  const sections = sectionsOf(bytes);
  // Position-independent code imports its stack; its first global may be the place of a static variable, added to a base.
  const isMovable = sections.some((section) => section.id === sectionIds.custom && new Reader(bytes, section.content).text() === 'dylink.0');
  for (const section of sections) {
    if (section.id === sectionIds.data && hasFixedData(bytes, section)) return 'data';
    if (section.id === sectionIds.global && !isMovable && hasFixedStack(bytes, section)) return 'stack';
  }
  return undefined;
}

function hasFixedData(bytes: Uint8Array, { content }: Section): boolean {
  const reader = new Reader(bytes, content);
  for (let left = reader.number(); left > 0; left--) {
    const flags = reader.number();
    if ((flags & 2) !== 0) reader.number();
    const isFixed = (flags & 1) === 0 && reader.expression().opcode === opcodes.i32Const;
    const length = reader.number();
    if (isFixed && length > 0) return true;
    reader.skip(length);
  }
  return false;
}

function hasFixedStack(bytes: Uint8Array, { content }: Section): boolean {
  const reader = new Reader(bytes, content);
  if (reader.number() === 0) return false;
  const [type, isMutable] = [reader.byte(), reader.byte()];
  const { opcode, operand } = reader.expression();
  return type === 0x7f && isMutable === 1 && opcode === opcodes.i32Const && operand !== 0;
}

/** What a position-independent module needs: its data in memory, and places in a table of functions. */
export interface Needs {
  readonly bytes: number;
  readonly alignment: number;
  readonly functions: number;
}

/** From the section `dylink.0` (tool conventions, dynamic linking), whose first kind of entry it is. */
export function needsOf(module: WebAssembly.Module): Needs | undefined {
  const [section] = WebAssembly.Module.customSections(module, 'dylink.0');
  if (section === undefined) return undefined;
  const reader = new Reader(new Uint8Array(section), 0);
  while (reader.at < section.byteLength) {
    const kind = reader.byte();
    const size = reader.number();
    if (kind === 1) return { bytes: reader.number(), alignment: 2 ** reader.number(), functions: reader.number() };
    reader.skip(size);
  }
  return { bytes: 0, alignment: 1, functions: 0 };
}

function leb(value: number): readonly number[] {
  return value < 128 ? [value] : [(value % 128) | 0x80, ...leb(Math.floor(value / 128))];
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
