/** Threads of this machine: workers of Node, or of a browser. Their code travels as text, so no bundler has to find a file. */
import { TeamMember, type TeamGiven } from './team.ts';

/** One worker, as the engine's thread sees it. */
export interface TeamWorker {
  /** Hears what it says, and undefined when it ended. */
  onMessage: ((message: unknown) => void) | undefined;
  /** Why it is no more. */
  readonly ended: string | undefined;
  /** Whether it, having begun, can run no more code: as far as that is known without waiting. */
  isGone(): boolean;
  terminate(): void;
}

interface NodeWorker {
  on(event: string, listener: (value: unknown) => void): void;
  unref(): void;
  terminate(): unknown;
  readonly performance: { eventLoopUtilization(): { readonly idle: number; readonly active: number } };
}

interface NodeThreads {
  readonly Worker: new (text: string, options: Readonly<Record<string, unknown>>) => NodeWorker;
}

type Builtin = (name: string) => unknown;

/** From 20.16 on, Deno and Bun. */
function nodeModule(name: string): unknown {
  const { process } = globalThis as { readonly process?: { readonly getBuiltinModule?: Builtin } };
  return process?.getBuiltinModule?.(name);
}

/** Bundlers that keep names wrap functions in calls of this helper, which a text does not take along. */
const text = (start: string): string => `const __name = (named) => named; const TeamMember = ${TeamMember.toString()};\n${start}`;

const forNode = 'const { parentPort, workerData } = require("node:worker_threads"); new TeamMember(workerData).serve((message) => parentPort.postMessage(message));';
const forBrowser = 'onmessage = ({ data }) => new TeamMember(data).serve((message) => postMessage(message));';

/** Why this place has no threads; undefined where it has. */
export function withoutThreads(): string | undefined {
  if (typeof SharedArrayBuffer === 'undefined') return 'there is no SharedArrayBuffer: a page must be cross-origin isolated';
  if (nodeModule('node:worker_threads') !== undefined) return undefined;
  if (typeof Worker === 'undefined') return 'there are no workers: Node has them for tf from 20.16 on';
  return undefined;
}

/** Whether this thread may sleep until another wakes it: the main thread of a page may not. */
export function mayWait(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0);
    return true;
  } catch {
    return false;
  }
}

/** Throws where it is refused at once. The worker does not keep a process alive, and ends when `owner` is collected. */
export function startWorker(given: TeamGiven, owner: object): TeamWorker {
  const threads = nodeModule('node:worker_threads') as NodeThreads | undefined;
  return threads === undefined ? startInBrowser(given, owner) : startInNode(threads, given, owner);
}

class Handle implements TeamWorker {
  onMessage: ((message: unknown) => void) | undefined = undefined;
  ended: string | undefined = undefined;
  readonly isGone: () => boolean;
  readonly terminate: () => void;

  constructor(isGone: () => boolean, terminate: () => void) {
    this.isGone = () => this.ended !== undefined || isGone();
    this.terminate = terminate;
  }
}

function startInNode({ Worker }: NodeThreads, given: TeamGiven, owner: object): TeamWorker {
  const worker = new Worker(text(forNode), { eval: true, workerData: given, env: {}, execArgv: [], trackUnmanagedFds: false, name: `tf cpu-wasm ${given.thread}` });
  // Node tells of the end of a thread when this event loop turns; that the thread has no event loop any more, it says at once.
  const isGone = (): boolean => {
    const { idle, active } = worker.performance.eventLoopUtilization();
    return idle < 0 || active === 0;
  };
  const handle = new Handle(isGone, () => void worker.terminate());
  const forgotten = endWith(owner, handle);
  worker.on('message', (message) => handle.onMessage?.(message));
  worker.on('error', (error) => (handle.ended ??= String(error)));
  worker.on('exit', (code) => {
    handle.ended ??= `it ended with ${String(code)}`;
    forgotten.unregister(handle);
    handle.onMessage?.(undefined);
  });
  worker.unref();
  return handle;
}

function startInBrowser(given: TeamGiven, owner: object): TeamWorker {
  const url = URL.createObjectURL(new Blob([text(forBrowser)], { type: 'text/javascript' }));
  const worker = new Worker(url, { name: `tf cpu-wasm ${given.thread}` });
  const handle = new Handle(() => false, () => worker.terminate());
  const forgotten = endWith(owner, handle);
  worker.onmessage = ({ data }: MessageEvent<unknown>) => {
    URL.revokeObjectURL(url);
    handle.onMessage?.(data);
  };
  worker.onerror = ({ message }) => {
    handle.ended ??= message || 'the page forbids it: its Content-Security-Policy must allow worker-src blob:';
    forgotten.unregister(handle);
    handle.onMessage?.(undefined);
  };
  worker.postMessage(given);
  return handle;
}

/** The registry lives as long as what its worker's listeners hold. */
function endWith(owner: object, handle: Handle): FinalizationRegistry<() => void> {
  const forgotten = new FinalizationRegistry<() => void>((terminate) => terminate());
  forgotten.register(owner, handle.terminate, handle);
  return forgotten;
}
