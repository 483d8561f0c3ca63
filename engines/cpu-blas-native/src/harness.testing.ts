/** Loops and scans run by native/test/harness.c, without the engine: tables are written here, one case after the other, and run in one process. */
import { dtypes, type DType, loop, type LoopKernel, type ScalarExpr, type ScalarType, type ScanKernel } from '@tf/core';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface View {
  readonly buffer: number;
  /** In bytes, as the strides. */
  readonly offset: number;
  readonly strides: readonly number[];
}

interface CommonCase {
  readonly level: number;
  readonly extents: readonly number[];
  /** Reads, then writes. */
  readonly views: readonly View[];
  readonly buffers: readonly Uint8Array[];
  readonly repetitions?: number;
}
export interface LoopCase extends CommonCase {
  readonly kernel: LoopKernel;
}
export interface ScanCase extends CommonCase {
  readonly scan: ScanKernel;
}

export interface CaseResult {
  readonly nanoseconds: number;
  readonly buffers: readonly Uint8Array[];
}

const header = { addresses: 2, counters: 3, words: 10 };
const dtypeNumbers: { readonly [D in DType]: number } = { float32: 0, float64: 1, complex64: 2, complex128: 3, int32: 4, int64: 5, bool: 6 };
const monoids = { none: 0, sum: 1, prod: 2, max: 3, min: 4 } as const;

/** The program with all instruction sets. */
export class Harness {
  readonly levels: number;
  readonly #path: string;
  readonly #operations: ReadonlyMap<string, number>;

  private constructor(path: string) {
    this.#path = path;
    this.#operations = new Map(this.#run('names').trim().split('\n').map((name, i) => [name, i]));
    this.levels = Number(this.#run('levels'));
  }

  /** Undefined where there is no C compiler. */
  static build(): Harness | undefined {
    const script = fileURLToPath(new URL('../native/build.mjs', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, 'harness'], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const path = fileURLToPath(new URL('../build/harness', import.meta.url));
    return existsSync(path) ? new Harness(path) : undefined;
  }

  get operations(): readonly string[] {
    return [...this.#operations.keys()];
  }

  #run(...args: readonly string[]): string {
    const { status, signal, stdout, stderr } = spawnSync(this.#path, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
    if (status !== 0) throw new Error(`harness ${args.join(' ')}: ${status ?? signal} ${stderr}`);
    return stdout;
  }

  run(cases: readonly (LoopCase | ScanCase)[]): readonly CaseResult[] {
    const folder = mkdtempSync(join(tmpdir(), 'tf-native-'));
    try {
      writeFileSync(join(folder, 'in'), Buffer.concat([bytesOf([cases.length]), ...cases.flatMap((one) => this.#encode(one))]));
      this.#run('run', join(folder, 'in'), join(folder, 'out'));
      return decode(readFileSync(join(folder, 'out')), cases);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  #encode(one: LoopCase | ScanCase): readonly Uint8Array[] {
    const isScan = 'scan' in one;
    const addresses = header.words;
    const kernelAt = addresses + one.buffers.length;
    const { words: kernel, scratch } = isScan ? this.#scanWords(one.scan) : this.#loopWords(one.kernel);
    const recordAt = kernelAt + kernel.length;
    const views = one.views.flatMap(({ buffer, offset, strides }) => [buffer, offset, 0, ...strides]);
    const own = isScan ? [one.scan.columns ? 1 : 0] : [one.kernel.reduce?.axes ?? 0, one.extents[0] ?? 1];
    const record = [isScan ? 5 : 1, 0, kernelAt, one.extents.length, ...own, ...one.extents, ...views];
    const table = [1, recordAt + record.length, addresses, addresses, 0, 0, 0, 0, 0, 1, ...one.buffers.map(() => 0), ...kernel, ...record];
    const head = [one.level, isScan ? 1 : 0, recordAt, one.repetitions ?? 1, scratch(one.extents.length), table.length, one.buffers.length];
    return [bytesOf(head), bytesOf(table), ...one.buffers.flatMap((buffer) => [bytesOf([buffer.length]), padded(buffer)])];
  }

  #loopWords(kernel: LoopKernel): KernelWords {
    const writer = new KernelWriter(this.#operations, kernel.reads.map(({ dtype }) => dtype));
    const results = kernel.body.map((expr) => writer.add(expr));
    const writes = writesOf(kernel.writes.map(({ dtype }) => dtype), results);
    return writer.words(kernel.reduce?.monoid ?? 'none', writes, 0);
  }

  #scanWords({ reads, write, first, next }: ScanKernel): KernelWords {
    const writer = new KernelWriter(this.#operations, [...reads, write].map(({ dtype }) => dtype));
    const beginning = first.map((expr) => writer.add(expr));
    const count = writer.operationCount;
    writer.forget();
    const following = next.map((expr) => writer.add(expr));
    const lanes = (registers: readonly number[]): readonly number[] => [registers[0]!, registers[1] ?? -1];
    return writer.words('none', [[dtypeNumbers[write.dtype], ...lanes(following), ...lanes(beginning)]], count, true);
  }
}

interface KernelWords {
  readonly words: readonly (number | bigint)[];
  readonly scratch: (rank: number) => number;
}

function writesOf(writes: readonly DType[], results: readonly number[]): readonly (readonly number[])[] {
  let at = 0;
  return writes.map((dtype) => [dtypeNumbers[dtype], results[at++]!, dtypes[dtype].lanes === 2 ? results[at++]! : -1]);
}

/** Registers for the nodes of expressions; calls stay calls, of the compiled functions. */
class KernelWriter {
  readonly #operations: ReadonlyMap<string, number>;
  readonly #reads: readonly DType[];
  readonly #readRegisters: number[][];
  readonly #constants: (readonly (number | bigint)[])[] = [];
  readonly #code: (readonly number[])[] = [];
  #names = new Map<ScalarExpr, number>();
  #registers = 0;

  constructor(operations: ReadonlyMap<string, number>, reads: readonly DType[]) {
    this.#operations = operations;
    this.#reads = reads;
    this.#readRegisters = reads.map(() => [-1, -1]);
  }

  get operationCount(): number {
    return this.#code.length;
  }

  /** The operations of what follows use nothing of what came before. */
  forget(): void {
    this.#names = new Map();
  }

  add(root: ScalarExpr): number {
    for (const node of loop.nodesInOrder([root])) if (!this.#names.has(node)) this.#names.set(node, this.#addNode(node));
    return this.#names.get(root)!;
  }

  #addNode(node: ScalarExpr): number {
    if (node.op === 'argument') {
      const registers = this.#readRegisters[node.input]!;
      if (registers[node.lane] === -1) registers[node.lane] = this.#registers++;
      return registers[node.lane]!;
    }
    if (node.op === 'constant') return this.#addConstant(node.type, [node.value]);
    const operands = loop.operandsOf(node).map((operand) => this.#names.get(operand)!);
    if (node.op === 'lookup') operands.push(this.#addConstant(node.type, node.table), this.#addConstant('i32', [node.table.length]));
    const operation = this.#operations.get(nameOf(node));
    if (operation === undefined) throw new Error(`there is no ${nameOf(node)}`);
    const result = this.#registers++;
    this.#code.push([operation, result, operands[0] ?? -1, operands[1] ?? -1, operands[2] ?? -1]);
    return result;
  }

  #addConstant(type: ScalarType, values: readonly (number | bigint)[]): number {
    const register = this.#registers++;
    this.#constants.push([register, bytesOfType(type), values.length, ...values.map((value) => wordOf(type, value))]);
    return register;
  }

  words(monoid: keyof typeof monoids, writes: readonly (readonly number[])[], first: number, isScan = false): KernelWords {
    const reads = this.#reads.map((dtype, i) => [dtypeNumbers[dtype], ...this.#readRegisters[i]!]);
    const counts = [monoids[monoid], this.#registers, this.#constants.length, this.#code.length, reads.length, writes.length, first];
    const operands = reads.length + writes.length;
    const folds = isScan || monoid !== 'none' ? 1 : 0;
    // As native/scratch.h says.
    const scratch = (rank: number): number => 16384 + this.#registers * (4096 + 128) + this.#code.length * 64 + operands * (512 + 64 * (rank + 1)) + folds * 2 * writes.length * (8 * 4096 + 65536 + 8192);
    return { words: [...counts, ...reads.flat(), ...writes.flat(), ...this.#constants.flat(), ...this.#code.flat()], scratch };
  }
}

function nameOf(node: Exclude<ScalarExpr, { readonly op: 'argument' | 'constant' }>): string {
  if (node.op === 'call') return `${node.name}.${node.type}`;
  if (node.op === 'convert' || node.op === 'bitcast') return `${node.op}.${node.args[0].type}.${node.type}`;
  return node.op === 'select' || node.op === 'lookup' ? `${node.op}.${node.type}` : `${node.op}.${node.args[0].type}`;
}

function bytesOfType(type: ScalarType): number {
  return type === 'bool' ? 1 : type === 'f32' || type === 'i32' ? 4 : 8;
}

/** What lies in the low bytes of a word; not as a double, since JavaScript gives all NaNs the same bits. */
function wordOf(type: ScalarType, value: number | bigint): bigint {
  const view = new DataView(new ArrayBuffer(8));
  if (type === 'f32') view.setFloat32(0, value as number, true);
  else if (type === 'f64') view.setFloat64(0, value as number, true);
  else if (type === 'i64') view.setBigInt64(0, value as bigint, true);
  else view.setInt32(0, value as number, true);
  return view.getBigInt64(0, true);
}

/** Numbers as doubles, bigints as bits. */
function bytesOf(words: readonly (number | bigint)[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * words.length));
  words.forEach((word, i) => {
    if (typeof word === 'bigint') view.setBigInt64(8 * i, word, true);
    else view.setFloat64(8 * i, word, true);
  });
  return new Uint8Array(view.buffer);
}

function padded(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(8 * Math.ceil(bytes.length / 8));
  result.set(bytes);
  return result;
}

function decode(output: Uint8Array, cases: readonly (LoopCase | ScanCase)[]): readonly CaseResult[] {
  const view = new DataView(output.buffer, output.byteOffset, output.byteLength);
  let at = 0;
  return cases.map(({ buffers }) => {
    const nanoseconds = view.getFloat64(at, true);
    at += 8;
    const results = buffers.map(({ length }) => {
      const data = output.slice(at, at + length);
      at += 8 * Math.ceil(length / 8);
      return data;
    });
    return { nanoseconds, buffers: results };
  });
}
