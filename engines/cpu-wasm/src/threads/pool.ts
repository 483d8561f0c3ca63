/** The threads of one engine: started when there is work for them, replaced when they end, gone with the engine. */
import { execution, TfError } from '@tf/core';
import { contractWorkspaceBytes } from '../codegen/gemm/contract.ts';
import type { PlanCode, SharedCode } from '../codegen/code-cache.ts';
import { callImport, contractImport, splitImport } from '../codegen/plan-module.ts';
import { builtins, bytesWord, functionWord, SCRATCH_BYTES, tileEntry, tileRecord } from '../codegen/record.ts';
import { type NumericDType, supportedDTypes } from '../codegen/storage.ts';
import type { Block } from '../memory/allocator.ts';
import type { Heap } from '../memory/heap.ts';
import type { HeldKind } from '../memory/holdings.ts';
import { codeWords, controlWords, splitWords, type TeamGiven, TeamMember } from './team.ts';
import { mayWait, startWorker, type TeamWorker } from './worker.ts';

/** Where threads find what they share. */
export interface PoolHost {
  readonly heap: Heap;
  readonly scratch: number;
  hold(kind: HeldKind, bytes: number): Block;
  freeWith(holder: object, blocks: readonly Block[]): void;
}

export interface PoolOptions {
  /** With the engine's own. */
  readonly threads: number;
  /** Nanoseconds of work per worker before it is started: starting one costs some milliseconds. */
  readonly startCost?: number | undefined;
  /** In tests: as on a thread that may not wait, or may; milliseconds that others get first, and that the first workers are awaited. */
  readonly mayWait?: boolean | undefined;
  readonly patience?: number | undefined;
  /** In tests: another way to start a worker. */
  readonly start?: typeof startWorker | undefined;
}

/** What a run tells the pool before it begins. */
export interface TeamRun {
  readonly code: PlanCode;
  /** Address of the words of the splits. */
  readonly splits: number;
}

/** A worker ended in the middle of a piece: nobody knows what it had written. */
export class LostWorker extends Error {
  readonly why: string;

  constructor(why: string) {
    super(`cpu-wasm: a worker thread ended in the middle of a step: ${why}`);
    this.why = why;
  }
}

/** A run on its way on the workers. */
class Flight {
  readonly promise: Promise<void>;
  #resolve: () => void = nothing;
  reject: (why: unknown) => void = nothing;
  /** The record at which it trapped. */
  step = 0;

  constructor() {
    this.promise = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.reject = reject;
    });
  }

  hear(message: unknown, worker: TeamWorker | undefined): void {
    if (worker?.ended !== undefined) this.reject(new LostWorker(worker.ended));
    else if (message === 'walked') this.#resolve();
    else if (typeof message === 'object' && message !== null) {
      const { trap, step } = message as { readonly trap: string; readonly step: number };
      this.step = step;
      this.reject(new WebAssembly.RuntimeError(trap));
    }
  }
}

const nothing = (): void => undefined;

const START_COST = 10_000_000;
/** Workers that may end before the engine does without them. */
const MOST_ENDED = 8;
const SPIN = 50;

const contracts = supportedDTypes.map(contractImport);

export class Pool {
  readonly threads: number;
  /** Whoever may run pieces, with this thread: where this one may not wait, all of them are workers. */
  readonly members: number;
  readonly #host: PoolHost;
  readonly #startCost: number;
  readonly #mayWait: boolean;
  readonly #patience: number;
  readonly #start: typeof startWorker;
  /** Of threads 1, 2, … */
  readonly #workers: (TeamWorker | undefined)[] = [];
  readonly #rooms: Block[] = [];
  readonly #descriptions = new WeakMap<SharedCode, Block>();
  #control: Block | undefined;
  #member: TeamMember | undefined;
  #current: PlanCode | undefined;
  #flight: Flight | undefined;
  #last: Promise<void> = Promise.resolve();
  #work = 0;
  #ended = 0;
  #reason: string | undefined;

  constructor(host: PoolHost, { threads, startCost = START_COST, mayWait: may, patience = 0, start = startWorker }: PoolOptions) {
    this.#host = host;
    this.threads = threads;
    this.#mayWait = threads > 1 && (may ?? mayWait());
    this.members = threads === 1 || this.#mayWait ? threads : threads + 1;
    this.#startCost = startCost;
    this.#patience = patience;
    this.#start = start;
  }

  /** Why there are no further threads though there should be. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** For tests. */
  get workers(): readonly (TeamWorker | undefined)[] {
    return this.#workers;
  }

  /** Before a run allocates anything else: `cost` nanoseconds are to be shared. */
  prepare(code: PlanCode, cost: number): void {
    this.#control ??= this.#openControl();
    this.#work += cost;
    this.#describe(code.shared);
    if (this.#reason !== undefined || !this.#mayWait) return;
    this.#hire();
    if (this.#patience > 0) this.#awaitWorkers();
  }

  /** The run whose steps {@link split} will be asked to share. */
  begin({ code, splits }: TeamRun): void {
    this.#set(controlWords.splits, splits);
    this.#set(controlWords.code, this.#describe(code.shared).address);
    this.#current = code;
  }

  /** What the generated code calls. */
  readonly split = (record: number): void => {
    const code = this.#current!;
    try {
      this.#member!.split(record, code.run, this.#watch);
    } catch (thrown) {
      code.step.value = record;
      throw thrown;
    }
  };

  dispose(): void {
    for (const worker of this.#workers) worker?.terminate();
    this.#workers.length = 0;
    this.#reason = 'the engine is disposed';
    this.#flight?.reject(execution.disposedEngine('cpu-wasm'));
  }

  // -------------------------------------------------------------- a thread that may not wait

  /** Whether a run that is worth it goes to the workers as a whole. */
  get sendsRuns(): boolean {
    return this.threads > 1 && !this.#mayWait && this.#reason === undefined && this.#work >= this.#startCost;
  }

  /** Until no run is under way. */
  async idle(): Promise<void> {
    while (this.#flight !== undefined) await this.#flight.promise.catch(() => undefined);
  }

  /** One after the other. */
  async alone<T>(body: () => Promise<T>): Promise<T> {
    const before = this.#last;
    let leave: () => void = nothing;
    this.#last = new Promise<void>((resolve) => (leave = resolve));
    await before;
    try {
      return await body();
    } finally {
      leave();
    }
  }

  /** Waits for the run that is under way as this thread may: without a rest. What nobody has begun it does itself. */
  settle(): void {
    const flight = this.#flight;
    if (flight === undefined) return;
    const { words } = this.#host.heap;
    const walk = this.#word(controlWords.walk);
    if (Atomics.compareExchange(words, walk, 1, 0) === 1) this.#walkHere(flight);
    for (let tried = 0; Atomics.load(words, walk) !== 0; tried++) {
      if (tried % 65536 === 65535 && this.#workers.some((_, i) => this.#isGone(i + 1))) {
        flight.reject(new LostWorker('it ended by itself'));
        return;
      }
    }
  }

  #walkHere(flight: Flight): void {
    const { words } = this.#host.heap;
    const code = this.#current!;
    try {
      code.run(words[this.#word(controlWords.table)]!, words[this.#word(controlWords.walkScratch)]!);
      flight.hear('walked', undefined);
    } catch (thrown) {
      flight.hear({ trap: (thrown as Error).message, step: code.step.value as number }, undefined);
    }
  }

  /** All workers, one of which is ready; false where there will be none. */
  async gather(): Promise<boolean> {
    this.#control ??= this.#openControl();
    while (this.#hire());
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (this.#workers.some((worker) => worker?.ended === undefined) && this.#reason === undefined && Atomics.load(this.#host.heap.words, this.#word(controlWords.ready)) === 0) return;
        resolve();
      };
      for (const worker of this.#workers) if (worker !== undefined) worker.onMessage = check;
      check();
    });
    const isReady = Atomics.load(this.#host.heap.words, this.#word(controlWords.ready)) > 0;
    if (!isReady) this.#reason ??= `no worker began: ${this.#workers.find((worker) => worker?.ended !== undefined)?.ended ?? 'no reason is known'}`;
    return isReady;
  }

  /** The whole table of the run that {@link begin} was told of, on one worker and whoever helps it. */
  async walk(table: number, scratch: number): Promise<void> {
    const flight = new Flight();
    this.#flight = flight;
    for (const worker of this.#workers) if (worker !== undefined) worker.onMessage = (message) => flight.hear(message, worker);
    this.#set(controlWords.table, table);
    this.#set(controlWords.walkScratch, scratch);
    this.#set(controlWords.bytes, this.#host.heap.size);
    const { words } = this.#host.heap;
    Atomics.store(words, this.#word(controlWords.walk), 1);
    Atomics.add(words, this.#word(controlWords.signal), 1);
    Atomics.notify(words, this.#word(controlWords.signal), 1);
    try {
      await flight.promise;
    } catch (thrown) {
      if (thrown instanceof WebAssembly.RuntimeError) this.#current!.step.value = flight.step;
      else await this.#restart();
      throw thrown;
    } finally {
      this.#flight = undefined;
    }
  }

  /** After a worker ended under way: the others end too, and nobody writes any more when this resolves. */
  async #restart(): Promise<void> {
    for (const worker of this.#workers) worker?.terminate();
    await new Promise((resolve) => void setTimeout(resolve, 100));
    this.#workers.forEach((worker, i) => {
      if (worker !== undefined) this.#dismiss(i + 1, worker.ended ?? 'another worker ended');
    });
    const { address } = this.#control!;
    this.#host.heap.bytes.fill(0, address, address + 4 * controlWords.thread(0));
    this.#set(controlWords.ticket, 255);
  }

  // -------------------------------------------------------------- workers

  /** One more if there was work enough for it, or in the place of one that ended; whether there was one to hire. */
  #hire(): boolean {
    for (let thread = 1; thread < this.members && this.#work >= thread * this.#startCost; thread++) {
      const worker = this.#workers[thread - 1];
      if (worker !== undefined && worker.ended === undefined) continue;
      if (worker !== undefined) this.#dismiss(thread, worker.ended!);
      if (this.#reason !== undefined) return false;
      try {
        this.#workers[thread - 1] = this.#start(this.#given(thread), this);
      } catch (cause) {
        this.#reason = `a worker was refused: ${String(cause)}`;
        return false;
      }
      // One at a time: each takes a millisecond or more of this thread.
      return true;
    }
    return false;
  }

  /** In tests: all of them, begun. */
  #awaitWorkers(): void {
    while (this.#hire());
    const { words } = this.#host.heap;
    const ready = this.#word(controlWords.ready);
    const begun = (): number => this.#workers.filter((worker, i) => worker !== undefined && !this.#isGone(i + 1)).length;
    for (let waited = 0; waited < 2000 && Atomics.load(words, ready) < begun(); waited++) Atomics.wait(words, ready, Atomics.load(words, ready), 1);
  }

  /** A worker that has ended. */
  #dismiss(thread: number, why: string): void {
    this.#workers[thread - 1] = undefined;
    const own = this.#word(controlWords.thread(thread));
    const { words } = this.#host.heap;
    if (Atomics.exchange(words, own + 3, 0) === 1) Atomics.sub(words, this.#word(controlWords.ready), 1);
    Atomics.store(words, own + 2, 0);
    if (++this.#ended >= MOST_ENDED) this.#reason = `workers ended too often, the last because ${why}`;
  }

  #isGone(thread: number): boolean {
    const worker = this.#workers[thread - 1];
    return worker?.ended !== undefined || (Atomics.load(this.#host.heap.words, this.#word(controlWords.thread(thread)) + 3) === 1 && worker?.isGone() === true);
  }

  readonly #watch = {
    lost: (): number => {
      const { words } = this.#host.heap;
      return this.#workers.filter((_, i) => Atomics.load(words, this.#word(controlWords.thread(i + 1)) + 2) !== 0 && this.#isGone(i + 1)).length;
    },
    error: (): unknown => {
      let why = 'it ended by itself';
      this.#workers.forEach((worker, i) => {
        if (worker === undefined || !this.#isGone(i + 1)) return;
        why = worker.ended ?? why;
        worker.terminate();
        this.#dismiss(i + 1, why);
      });
      return new LostWorker(why);
    },
  };

  #given(thread: number): TeamGiven {
    const { memory } = this.#host.heap;
    const { thread: ownOf, ...at } = controlWords;
    const own = ownOf(thread);
    if (thread > 0) {
      // Where there is no room for it, there is no thread.
      const room = (this.#rooms[thread] ??= this.#host.hold('scratch', SCRATCH_BYTES + contractWorkspaceBytes));
      this.#set(own, room.address);
      this.#set(own + 1, room.address + SCRATCH_BYTES);
    }
    return {
      memory, control: this.#control!.address / 4, thread, at, own, split: splitWords, code: codeWords, contracts, splitImport, callImport, spin: SPIN, mayWait: thread > 0 || this.#mayWait, patience: thread > 0 ? 0 : this.#patience,
      record: { function: functionWord, bytes: bytesWord, end: builtins.end, tileEntries: tileRecord.entry(0), tileEntryWords: tileEntry.words, tileNext: tileEntry.next, tileToLast: tileEntry.toLast },
    };
  }

  // -------------------------------------------------------------- what threads read

  #openControl(): Block {
    const bytes = 4 * controlWords.thread(this.members);
    const block = this.#host.hold('scratch', bytes);
    this.#host.heap.bytes.fill(0, block.address, block.address + bytes);
    this.#control = block;
    this.#set(controlWords.ticket, 255);
    this.#set(controlWords.thread(0), this.#host.scratch);
    this.#member = new TeamMember(this.#given(0));
    return block;
  }

  #word(word: number): number {
    return this.#control!.address / 4 + word;
  }

  #set(word: number, value: number): void {
    this.#host.heap.words[this.#word(word)] = value;
  }

  /** The bytes of code with what they import, in the memory as long as the code lives. */
  #describe(code: SharedCode): Block {
    const known = this.#descriptions.get(code);
    if (known !== undefined) return known;
    const imported = code.contracts.map(({ dtype, code: contract }) => [contract, this.#describe(contract), dtype] as const);
    const words = [code.id, 0, code.bytes.length, imported.length];
    for (const [contract, block, dtype] of imported) words.push(contract.id, codeAddress(block, contract), contract.bytes.length, supportedDTypes.indexOf(dtype satisfies NumericDType));
    const block = this.#host.hold('code', 4 * words.length + code.bytes.length);
    words[codeWords.address] = codeAddress(block, code);
    const { heap } = this.#host;
    heap.words.set(words, block.address / 4);
    heap.bytes.set(code.bytes, codeAddress(block, code));
    this.#descriptions.set(code, block);
    this.#host.freeWith(code, [block]);
    return block;
  }
}

/** Behind its description. */
function codeAddress({ address }: Block, { contracts: of }: SharedCode): number {
  return address + 4 * (codeWords.contract + 4 * of.length);
}

/** For a run that may not be repeated. */
export function lostWorker({ why }: LostWorker): TfError {
  return new TfError('EngineFaultError', `cpu-wasm: a worker thread ended in the middle of a step (${why}), and the run cannot be repeated, for its inputs were donated. Another thread takes its place: repeat what came before. With createEngine({ threads: 1 }) there are no workers.`, { engine: 'cpu-wasm', reason: why });
}
