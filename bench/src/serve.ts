import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Answer, Request } from './contenders/process.ts';
import { type Contender, type ContenderSource, isUnsupported, type Prepared, type Unsupported } from './contender.ts';
import { elapsed } from './measure.ts';
import { firstLine } from './run.ts';
import type { Input, Inputs, Workload } from './workloads.ts';

/** Lets another process measure a contender of this checkout (see `contenders/process.ts`), until its input ends. */
export async function serve(source: ContenderSource | undefined, workloads: readonly Workload[], lines: NodeJS.ReadableStream, answer: (line: string) => void): Promise<void> {
  const contender = await opened(source).catch((error: unknown) => firstLine(error));
  const say = (given: Answer): void => answer(`${JSON.stringify(given)}\n`);
  if (typeof contender === 'string') return say({ absent: contender });
  say({ version: contender.version });
  let prepared: Prepared | undefined;
  for await (const line of createInterface({ input: lines })) {
    try {
      const request = JSON.parse(line) as Request;
      if (request.call === 'prepare') {
        prepared?.dispose?.();
        prepared = undefined;
        const found = await prepare(contender, workloads, request);
        if (isUnsupported(found)) say(found);
        else {
          prepared = found;
          say({});
        }
      } else if (prepared === undefined) say({ error: 'nothing is prepared' });
      else if (request.call === 'time') say({ milliseconds: await elapsed(prepared, request.repetitions) });
      else {
        writeFileSync(request.path, Float64Array.from((await prepared.result()) ?? []));
        say({});
      }
    } catch (error) {
      say({ error: firstLine(error) });
    }
  }
  contender.close?.();
}

type Preparation = Extract<Request, { readonly call: 'prepare' }>;

async function opened(source: ContenderSource | undefined): Promise<Contender> {
  if (source === undefined) throw new Error('this checkout has no such contender');
  return source.open();
}

async function prepare(contender: Contender, workloads: readonly Workload[], request: Preparation): Promise<Prepared | Unsupported> {
  const workload = workloads.find(({ name }) => name === request.workload);
  if (workload === undefined) return { unsupported: 'this checkout has no such workload' };
  return contender.prepare(workload, readInputs(request));
}

function readInputs({ folder, shapes, complex }: Preparation): Inputs {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]): readonly [string, Input] => {
    const bytes = readFileSync(join(folder, name));
    const values = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    return [name, { shape, values, ...(complex.includes(name) ? { complex: true } : {}) }];
  }));
}
