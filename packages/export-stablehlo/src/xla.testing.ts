/** Runs exported modules through XLA, by Python with JAX. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { arrayConstructor, type Atom, Builder, type DType, dtypes, type Program, replayProgram, tensorType, type TypedArray, type Var } from '@tf/core';
import type { HostValue } from '@tf/testkit';
import { exportStableHlo } from './index.ts';

const runner = fileURLToPath(new URL('../python/run_stablehlo.py', import.meta.url));

/** The Python that has JAX: `TF_XLA_PYTHON`, which `pnpm test:xla` sets, or `python3`. */
export const python: string = process.env['TF_XLA_PYTHON'] ?? 'python3';

export function isJaxHere(): boolean {
  return spawnSync(python, ['-c', 'import jax'], { timeout: 120_000 }).status === 0;
}

export interface XlaCase {
  readonly program: Program;
  readonly inputs: readonly HostValue[];
}

/** What XLA gave, or why it gave nothing. */
export type XlaResult = { readonly outputs: readonly HostValue[] } | { readonly error: string };

interface ValueFile {
  readonly file: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
}

export interface XlaRun {
  /** XLA may contract products and sums to fused multiply-adds; else elementwise results have the engines' bits. */
  readonly fused?: boolean;
  /** This many cases become one module, as XLA takes its time for each (default: 1). */
  readonly together?: number;
}

/** All cases by one process. */
export function runOnXla(cases: readonly XlaCase[], { fused = false, together = 1 }: XlaRun = {}): readonly XlaResult[] {
  const groups = Array.from({ length: Math.ceil(cases.length / together) }, (_, at) => cases.slice(at * together, (at + 1) * together));
  return runModules(groups.map(joined), fused).flatMap((result, at) => {
    let next = 0;
    return (groups[at] as readonly XlaCase[]).map(({ program }): XlaResult => ('error' in result ? result : { outputs: result.outputs.slice(next, (next += program.outputs.length)) }));
  });
}

/** Several programs beside one another. */
function joined(cases: readonly XlaCase[]): XlaCase {
  const builder = new Builder();
  const outputs = cases.flatMap(({ program }) => {
    const env = new Map<Var, Atom>();
    for (const input of program.inputs) env.set(input, builder.input(input.type, input.name));
    for (const { variable, value } of program.bound) env.set(variable, builder.bind(variable.type, value));
    return replayProgram<Atom>(program, env, (atom) => atom, (instruction, inputs) => builder.replay(instruction, inputs));
  });
  return { program: builder.build(outputs), inputs: cases.flatMap(({ inputs }) => inputs) };
}

function runModules(cases: readonly XlaCase[], fused: boolean): readonly XlaResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'tf-xla-'));
  try {
    const modules = cases.map(({ program, inputs }, at) => {
      const { text, constants } = exportStableHlo(program);
      writeFileSync(join(folder, `${at}.mlir`), text);
      const files = [...inputs.map(({ type, data }) => ({ ...type, data })), ...constants].map((value, which) => writeValue(folder, `${at}-in${which}.bin`, value.dtype, value.shape as readonly number[], value.data));
      return { module: `${at}.mlir`, inputs: files, outputs: `${at}-out` };
    });
    writeFileSync(join(folder, 'request.json'), JSON.stringify({ device: 'cpu', modules }));
    const flags = fused ? {} : { XLA_FLAGS: '--xla_cpu_max_isa=AVX' };
    const { stdout, stderr, status } = spawnSync(python, [runner, join(folder, 'request.json')], { encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, JAX_PLATFORMS: 'cpu', ...flags } });
    const lines = stdout.trim().split('\n');
    if (status !== 0 || lines.length !== cases.length) throw new Error(`The runner ended with ${status}:\n${stderr.slice(-2000)}`);
    return lines.map((line) => {
      const answer = JSON.parse(line) as { readonly error: string } | { readonly outputs: readonly ValueFile[] };
      return 'error' in answer ? answer : { outputs: answer.outputs.map((file) => readValue(folder, file)) };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeValue(folder: string, file: string, dtype: DType, shape: readonly number[], data: TypedArray): ValueFile {
  writeFileSync(join(folder, file), new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return { file, dtype, shape };
}

function readValue(folder: string, { file, dtype, shape }: ValueFile): HostValue {
  const bytes = Uint8Array.from(readFileSync(join(folder, file)));
  const data = new (arrayConstructor(dtype))(bytes.buffer, 0, (bytes.byteLength / dtypes[dtype].bytes) * dtypes[dtype].lanes);
  return { type: tensorType(dtype, shape), data };
}
