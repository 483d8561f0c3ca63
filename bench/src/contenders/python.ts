import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Contender, ContenderSource, Prepared, Unsupported } from '../contender.ts';
import { peersFolder } from '../places.ts';
import type { Inputs, Workload } from '../workloads.ts';

interface Answer {
  readonly absent?: string;
  readonly version?: string;
  readonly unsupported?: string;
  readonly error?: string;
  readonly milliseconds?: number;
}

/** numpy, jax or torch in a process of its own, one thread each; it has its own clock. */
export function pythonSource(library: 'numpy' | 'jax' | 'torch'): ContenderSource {
  return { name: library, kind: 'python', open: () => openPython(library) };
}

/** One thread, and OpenBLAS with the kernels of the processor that is there rather than those of an older one. */
function environment(): NodeJS.ProcessEnv {
  const { OPENBLAS_CORETYPE: _core, OPENBLAS_L2_SIZE: _cache, ...rest } = process.env;
  return { ...rest, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1', MKL_NUM_THREADS: '1', XLA_FLAGS: '--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1' };
}

async function openPython(library: string): Promise<Contender> {
  const child = spawn('python3', [join(peersFolder, 'contender.py'), library], { env: environment() });
  const ask = conversation(child);
  const { version, absent, error } = await ask(undefined);
  if (version === undefined) throw new Error(absent ?? error ?? 'it did not start');
  const folder = mkdtempSync(join(tmpdir(), 'tf-bench-'));
  return {
    name: library,
    kind: 'python',
    version,
    prepare: (workload, inputs) => prepare(ask, folder, workload, inputs),
    close() {
      child.stdin.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Ask = (request: Readonly<Record<string, unknown>> | undefined) => Promise<Answer>;

/** A line for a line; undefined waits for the greeting. */
function conversation(child: ChildProcessWithoutNullStreams): Ask {
  const waiting: ((answer: Answer) => void)[] = [];
  let [ended, complaint] = ['', ''];
  const end = (reason: string): void => {
    ended = reason;
    waiting.splice(0).forEach((settle) => settle({ error: reason }));
  };
  child.stderr.on('data', (part: Buffer) => void (complaint = `${complaint}${part.toString()}`.slice(-2000)));
  child.stdin.on('error', () => {});
  child.on('error', ({ message }) => end(message));
  child.on('close', () => end(complaint.trim().split('\n').at(-1) || 'it ended'));
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line) as Answer));
  return (request) => new Promise((settle) => {
    if (ended !== '') return settle({ error: ended });
    waiting.push(settle);
    if (request !== undefined) child.stdin.write(`${JSON.stringify(request)}\n`);
  });
}

async function prepare(ask: Ask, parent: string, { task, dtype }: Workload, inputs: Inputs): Promise<Prepared | Unsupported> {
  const folder = join(parent, 'inputs');
  mkdirSync(folder, { recursive: true });
  for (const [name, { values }] of Object.entries(inputs)) writeFileSync(join(folder, name), values);
  const shapes = Object.fromEntries(Object.entries(inputs).map(([name, { shape }]) => [name, shape]));
  const complex = Object.entries(inputs).filter(([, input]) => input.complex === true).map(([name]) => name);
  const certain = async (request: Readonly<Record<string, unknown>>): Promise<Answer> => {
    const answer = await ask(request);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  };
  const { unsupported } = await certain({ call: 'prepare', task, dtype, folder, shapes, complex });
  if (unsupported !== undefined) return { unsupported };
  const elapsed = async (repetitions: number): Promise<number> => (await certain({ call: 'time', repetitions })).milliseconds ?? Number.NaN;
  return {
    run: async () => void (await elapsed(1)),
    elapsed,
    async result() {
      const path = join(parent, 'result');
      await certain({ call: 'result', path });
      const bytes = readFileSync(path);
      return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    },
  };
}
