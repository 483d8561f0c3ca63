/** Loops and scans run by native/test/harness.c, without the engine: tables are written here, one case after the other, and run in one process. */
import type { LoopKernel, ScanKernel } from '@tf/core';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLoopKernel, writeScanKernel } from './table/kernel-words.ts';
import { WordList } from './table/word-list.ts';

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
    const { words: kernel, scratch } = this.#kernelWords(one);
    const recordAt = kernelAt + kernel.length;
    const views = one.views.flatMap(({ buffer, offset, strides }) => [buffer, offset, 0, ...strides]);
    const own = isScan ? [one.scan.columns ? 1 : 0] : [one.kernel.reduce?.axes ?? 0, one.extents[0] ?? 1];
    const record = [isScan ? 5 : 1, 0, kernelAt, one.extents.length, ...own, ...one.extents, ...views];
    const table = [1, recordAt + record.length, addresses, addresses, 0, 0, 0, 0, 0, 1, ...one.buffers.map(() => 0), ...kernel, ...record];
    const head = [one.level, isScan ? 1 : 0, recordAt, one.repetitions ?? 1, scratch(one.extents.length), table.length, one.buffers.length];
    return [bytesOf(head), bytesOf(table), ...one.buffers.flatMap((buffer) => [bytesOf([buffer.length]), padded(buffer)])];
  }

  /** As the engine writes it. */
  #kernelWords(one: LoopCase | ScanCase): KernelWords {
    const list = new WordList();
    const { registers, operations, operands, lanes, folds } = 'scan' in one ? writeScanKernel(list, one.scan, this.#operations) : writeLoopKernel(list, one.kernel, this.#operations);
    // As native/scratch.h says.
    const scratch = (rank: number): number => 16384 + registers * (4096 + 128) + operations * 64 + operands * (512 + 64 * (rank + 1)) + (folds ? lanes * (8 * 4096 + 65536 + 8192) : 0);
    return { words: [...new BigInt64Array(list.result().buffer)], scratch };
  }
}

interface KernelWords {
  /** Their bits: some are no doubles. */
  readonly words: readonly bigint[];
  readonly scratch: (rank: number) => number;
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
