/** Contenders in processes of their own: a line of JSON for a line of JSON, arrays as files of float64; they have their own clock. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Contender, ContenderKind, Prepared, Unsupported } from '../contender.ts';
import type { Inputs, Workload } from '../workloads.ts';

/** What a process answers. The first line, before it is asked, has `version` or `absent`. */
export interface Answer {
  readonly absent?: string;
  readonly version?: string;
  readonly unsupported?: string;
  readonly error?: string;
  readonly milliseconds?: number;
}

/** What it is asked. `shapes` and `complex` say what the files in `folder` hold. */
export type Request =
  | { readonly call: 'prepare'; readonly task: string; readonly dtype: string; readonly folder: string; readonly shapes: Readonly<Record<string, readonly number[]>>; readonly complex: readonly string[]; readonly workload: string }
  | { readonly call: 'time'; readonly repetitions: number }
  | { readonly call: 'result'; readonly path: string };

export interface Command {
  readonly name: string;
  readonly kind: ContenderKind;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export async function openProcess({ name, kind, command, args, env }: Command): Promise<Contender> {
  const child = spawn(command, args, { env });
  const ask = conversation(child);
  const { version, absent, error } = await ask(undefined);
  if (version === undefined) throw new Error(absent ?? error ?? 'it did not start');
  const folder = mkdtempSync(join(tmpdir(), 'tf-bench-'));
  return {
    name,
    kind,
    version,
    prepare: (workload, inputs) => prepare(ask, folder, workload, inputs),
    close() {
      child.stdin.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Ask = (request: Request | undefined) => Promise<Answer>;

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

async function prepare(ask: Ask, parent: string, { name, task, dtype }: Workload, inputs: Inputs): Promise<Prepared | Unsupported> {
  const folder = join(parent, 'inputs');
  mkdirSync(folder, { recursive: true });
  for (const [name, { values }] of Object.entries(inputs)) writeFileSync(join(folder, name), values);
  const shapes = Object.fromEntries(Object.entries(inputs).map(([name, { shape }]) => [name, shape]));
  const complex = Object.entries(inputs).filter(([, input]) => input.complex === true).map(([name]) => name);
  const certain = async (request: Request): Promise<Answer> => {
    const answer = await ask(request);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  };
  const { unsupported } = await certain({ call: 'prepare', task, dtype, folder, shapes, complex, workload: name });
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
