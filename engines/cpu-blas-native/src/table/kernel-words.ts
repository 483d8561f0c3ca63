/** Kernels of loops and scans as operations on registers. */
import { type DType, dtypes, invariant, loop, type LoopKernel, type ScalarExpr, type ScalarType, type ScanKernel } from '@tf/core';
import { withJoined } from './joined.ts';
import { dtypeCodes, monoidCodes } from './words.ts';
import type { WordList } from './word-list.ts';

/** What decides how much working memory a kernel needs. */
export interface KernelSize {
  readonly registers: number;
  readonly operations: number;
  readonly operands: number;
  /** Of all writes. */
  readonly lanes: number;
  readonly folds: boolean;
}

/** Indices of the operations by name, as the library has them. */
export type Operations = ReadonlyMap<string, number>;

export function writeLoopKernel(words: WordList, kernel: LoopKernel, operations: Operations): KernelSize {
  const writer = new KernelWriter(operations, kernel.reads.map(({ dtype }) => dtype));
  const results = writer.add(kernel.body);
  let at = 0;
  const writes = kernel.writes.map(({ dtype }) => [dtypeCodes[dtype], results[at++]!, dtypes[dtype].lanes === 2 ? results[at++]! : -1]);
  writer.write(words, { monoid: monoidCodes[kernel.reduce?.monoid ?? 'none'], writes, first: 0 });
  return writer.size(writes.length, results.length, kernel.reduce !== undefined);
}

export function writeScanKernel(words: WordList, { reads, write, first, next }: ScanKernel, operations: Operations): KernelSize {
  const writer = new KernelWriter(operations, [...reads, write].map(({ dtype }) => dtype));
  const begins = writer.add(first);
  const count = writer.operationCount;
  writer.forget();
  const follows = writer.add(next);
  writer.write(words, { monoid: monoidCodes.none, writes: [[dtypeCodes[write.dtype], follows[0]!, follows[1] ?? -1, begins[0]!, begins[1] ?? -1]], first: count });
  return writer.size(1, dtypes[write.dtype].lanes, true);
}

interface Parts {
  readonly monoid: number;
  readonly writes: readonly (readonly number[])[];
  /** Operations of a scan's `first`. */
  readonly first: number;
}

interface Constant {
  readonly register: number;
  readonly type: ScalarType;
  readonly values: readonly (number | bigint)[];
}

class KernelWriter {
  readonly #operations: Operations;
  readonly #reads: readonly DType[];
  readonly #readRegisters: [number, number][];
  readonly #constants: Constant[] = [];
  readonly #code: (readonly number[])[] = [];
  #registerOf = new Map<ScalarExpr, number>();
  #registers = 0;

  constructor(operations: Operations, reads: readonly DType[]) {
    this.#operations = operations;
    this.#reads = reads;
    this.#readRegisters = reads.map(() => [-1, -1]);
  }

  get operationCount(): number {
    return this.#code.length;
  }

  /** What follows uses no result of what came before. */
  forget(): void {
    this.#registerOf = new Map();
  }

  /** The registers of the roots: one each, though two roots may be one node. */
  add(roots: readonly ScalarExpr[]): readonly number[] {
    const given = withJoined(withoutShortcuts(roots));
    for (const node of loop.nodesInOrder(given)) if (!this.#registerOf.has(node)) this.#registerOf.set(node, this.#node(node));
    return given.map((root) => this.#registerOf.get(root)!);
  }

  #node(node: ScalarExpr): number {
    if (node.op === 'argument') {
      const lanes = this.#readRegisters[node.input]!;
      if (lanes[node.lane] === -1) lanes[node.lane] = this.#registers++;
      return lanes[node.lane];
    }
    if (node.op === 'constant') return this.#constant(node.type, [node.value]);
    const operands = loop.operandsOf(node).map((operand) => this.#registerOf.get(operand)!);
    if (node.op === 'convert' && node.args[0].type === node.type) return operands[0]!;
    if (node.op === 'lookup') operands.push(this.#constant(node.type, node.table), this.#constant('i32', [node.table.length]));
    const name = nameOf(node);
    const operation = this.#operations.get(name);
    invariant(operation !== undefined, `cpu-blas-native: there is no operation ${name}`);
    const result = this.#registers++;
    this.#code.push([operation, result, operands[0] ?? -1, operands[1] ?? -1, operands[2] ?? -1]);
    return result;
  }

  #constant(type: ScalarType, values: readonly (number | bigint)[]): number {
    const register = this.#registers++;
    this.#constants.push({ register, type, values });
    return register;
  }

  write(words: WordList, { monoid, writes, first }: Parts): void {
    words.push(monoid, this.#registers, this.#constants.length, this.#code.length, this.#reads.length, writes.length, first);
    this.#reads.forEach((dtype, i) => words.push(dtypeCodes[dtype], ...this.#readRegisters[i]!));
    for (const write of writes) words.push(...write);
    for (const { register, type, values } of this.#constants) {
      words.push(register, bytesOf(type), values.length);
      for (const value of values) words.pushBits(bitsOf(type, value));
    }
    for (const operation of this.#code) words.push(...operation);
  }

  size(writes: number, lanes: number, folds: boolean): KernelSize {
    return { registers: this.#registers, operations: this.#code.length, operands: this.#reads.length + writes, lanes, folds };
  }
}

/** Shortcuts outside functions always take the branch that is right everywhere. */
function withoutShortcuts(roots: readonly ScalarExpr[]): readonly ScalarExpr[] {
  return loop.rewriteNodes(roots, (node) => (node.op === 'select' && node.shortcut === true ? node.args[1] : node));
}

function nameOf(node: Exclude<ScalarExpr, { readonly op: 'argument' | 'constant' }>): string {
  if (node.op === 'call') return `${node.name}.${node.type}`;
  if (node.op === 'convert' || node.op === 'bitcast') return `${node.op}.${node.args[0].type}.${node.type}`;
  return node.op === 'select' || node.op === 'lookup' ? `${node.op}.${node.type}` : `${node.op}.${node.args[0].type}`;
}

function bytesOf(type: ScalarType): number {
  return type === 'bool' ? 1 : type === 'f32' || type === 'i32' ? 4 : 8;
}

/** What lies in the low bytes of the word; as integers, since a NaN is not always the same double. */
function bitsOf(type: ScalarType, value: number | bigint): bigint {
  const view = new DataView(new ArrayBuffer(8));
  if (type === 'f32') view.setFloat32(0, Number(value), true);
  else if (type === 'f64') view.setFloat64(0, Number(value), true);
  else view.setBigInt64(0, BigInt(value), true);
  return view.getBigInt64(0, true);
}
