/** Exported modules run by XLA, in a Python process with JAX. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { arrayConstructor, checkOptions, type DType, dtypes, type OptionChecks, requireText, TfError, type TypedArray, wrongArgument } from '@tf/core';
import { pythonOf } from './python.ts';

export interface XlaOptions {
  /** The Python that has JAX (default: the environment's `TF_XLA_PYTHON`, or `python3`). */
  readonly python?: string;
  /** Added to the environment's `XLA_FLAGS`. */
  readonly flags?: string;
}

/** A result of `main`, on the host. */
export interface XlaValue {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: TypedArray;
}

/** What a run needs of a module that `exportStableHlo` gives. */
export interface RunnableModule {
  readonly text: string;
  readonly inputs: readonly Pick<XlaValue, 'dtype' | 'shape'>[];
  readonly constants: readonly XlaValue[];
}

const xlaOptions: OptionChecks = { python: requireText, flags: requireText };
const script = fileURLToPath(new URL('../../python/run_stablehlo.py', import.meta.url));

interface Waiting {
  readonly folder: string;
  readonly resolve: (outputs: readonly XlaValue[]) => void;
  readonly reject: (reason: TfError) => void;
}

interface ValueFile extends Pick<XlaValue, 'dtype' | 'shape'> {
  readonly file: string;
}

/**
 * One Python process that compiles and runs modules on its first device, one after the other. `close` ends it.
 *
 * @throws EngineFaultError from `run` for a module that XLA refuses, with what it says; EngineUnavailableError where there is no Python with JAX, or it ended.
 */
export class XlaSession {
  readonly #process: ChildProcess;
  readonly #waiting: Waiting[] = [];
  readonly #folder: string = mkdtempSync(join(tmpdir(), 'tf-xla-'));
  #said = '';
  #ended: TfError | undefined;

  constructor(options: XlaOptions = {}) {
    checkOptions('XlaSession', options, xlaOptions, "new XlaSession({ python: 'python3' })");
    const { flags = '' } = options;
    const python = pythonOf(options.python);
    const environment = { ...process.env, XLA_FLAGS: `${process.env['XLA_FLAGS'] ?? ''} ${flags}`.trim() };
    const child = (this.#process = spawn(python, [script, '-'], { stdio: ['pipe', 'pipe', 'pipe'], env: environment }));
    child.stderr.on('data', (text: Buffer) => (this.#said = (this.#said + text.toString()).slice(-2000)));
    // A write to a process that has ended is told by its end.
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => this.#answer(line));
    child.on('error', (error) => this.#end(`${python} could not be started: ${error.message}. Install Python with JAX (pip install jax), and name it: { python } or TF_XLA_PYTHON`));
    child.on('close', (code) => this.#end(`the Python process ended with ${code}: ${this.#said}`));
  }

  /** What `main` gives for these inputs, in order. */
  run(module: RunnableModule, inputs: readonly TypedArray[]): Promise<readonly XlaValue[]> {
    if (inputs.length !== module.inputs.length) throw wrongArgument('run', 'inputs', inputs, `data of ${module.inputs.length} inputs`);
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const folder = mkdtempSync(join(this.#folder, 'module-'));
    const path = join(folder, 'module.mlir');
    writeFileSync(path, module.text);
    const given = [...module.inputs.map((each, at) => ({ ...each, data: inputs[at] as TypedArray })), ...module.constants];
    const files = given.map(({ dtype, shape, data }, at): ValueFile => {
      const file = join(folder, `in${at}.bin`);
      writeFileSync(file, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      return { file, dtype, shape };
    });
    this.#process.stdin?.write(`${JSON.stringify({ module: path, inputs: files, outputs: join(folder, 'out') })}\n`);
    return new Promise((resolve, reject) => void this.#waiting.push({ folder, resolve, reject }));
  }

  /** Ends the process when it has run what it was given. */
  async close(): Promise<void> {
    const isOver = this.#process.exitCode !== null || this.#process.signalCode !== null || this.#process.pid === undefined;
    this.#process.stdin?.end();
    if (!isOver) await once(this.#process, 'close');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #answer(line: string): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    const answer = JSON.parse(line) as { readonly error: string } | { readonly outputs: readonly ValueFile[] };
    if ('error' in answer) next.reject(failure('EngineFaultError', answer.error));
    else next.resolve(answer.outputs.map(readValue));
    rmSync(next.folder, { recursive: true, force: true });
  }

  #end(why: string): void {
    this.#ended ??= failure('EngineUnavailableError', why);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#ended);
  }
}

function failure(name: 'EngineFaultError' | 'EngineUnavailableError', why: string): TfError {
  return new TfError(name, `XLA: ${why}`, { engine: 'xla' });
}

function readValue({ file, dtype, shape }: ValueFile): XlaValue {
  const bytes = Uint8Array.from(readFileSync(file));
  return { dtype, shape, data: new (arrayConstructor(dtype))(bytes.buffer, 0, (bytes.byteLength / dtypes[dtype].bytes) * dtypes[dtype].lanes) };
}
