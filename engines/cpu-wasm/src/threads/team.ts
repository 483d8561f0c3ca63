/**
 * What the threads of an engine do together. A step whose record says so is cut into pieces: copies of its record with a smaller
 * extent and moved addresses, which any thread runs by itself with its own scratch. Pieces are claimed one by one, so a thread
 * that is late, asleep or gone leaves its share to the others, and nobody waits but for a piece that somebody has begun.
 *
 * The class below is sent to workers as its source text: it must use nothing of this module, nor of any other.
 */

/** Words of the engine's control block; what different threads write lies in cache lines of its own. */
export const controlWords = {
  /** Changes with every job and walk: what idle workers wait for. */
  signal: 0,
  /** How many workers are ready. */
  ready: 1,
  stop: 2,
  /** Number of the job << 8 | next piece; piece 255: closed. */
  ticket: 16,
  /** Pieces that are done. */
  done: 32,
  /** Of the job: its splits, the entry of them, pieces, the code that runs them, whether a piece trapped, bytes of the memory, its number. */
  splits: 48, entry: 49, pieces: 50, code: 51, failed: 52, bytes: 53, job: 54,
  /** A whole table for one worker: 0 nothing, 1 wanted, 2 begun; its address and scratch. */
  walk: 64, table: 65, walkScratch: 66,
  /** Per thread: scratch, workspace, the ticket that it holds or 0, whether it is ready. */
  thread: (thread: number): number => 80 + 16 * thread,
} as const;

/** Words of the block of splits: see `plan/splits.ts`, which writes it. */
export const splitWords = {
  count: 0, table: 1, copies: 2, copyBytes: 3, directory: 4,
  /** Of an entry. */
  record: 0, element: 1, bytes: 2, pieces: 3, grain: 4, extent: 5, extentWord: 6, tileEntries: 7, workspaceWord: 8, moved: 9, slots: 10, slotBytes: 11, lists: 12,
} as const;

/** Words of a description of code: what a worker needs to run it. */
export const codeWords = { id: 0, address: 1, bytes: 2, contracts: 3, contract: 4 } as const;

/** What a thread is told when it begins. Sent to workers as it is. */
export interface TeamGiven {
  readonly memory: WebAssembly.Memory;
  /** Word of the memory where the control block begins. */
  readonly control: number;
  /** 0 for the thread of the engine. */
  readonly thread: number;
  readonly at: Omit<typeof controlWords, 'thread'>;
  /** First word of its own in the control block. */
  readonly own: number;
  readonly split: typeof splitWords;
  readonly record: { readonly function: number; readonly bytes: number; readonly end: number; readonly tileEntries: number; readonly tileEntryWords: number; readonly tileNext: number; readonly tileToLast: number };
  readonly code: typeof codeWords;
  /** By number, the name under which a plan's module imports a contraction. */
  readonly contracts: readonly string[];
  readonly splitImport: string;
  readonly callImport: string;
  /** Microseconds before an idle worker goes to sleep. */
  readonly spin: number;
  /** Whether this thread may sleep; where it may not it works alone. */
  readonly mayWait: boolean;
  /** Milliseconds for which this thread leaves the pieces of every other step to others: in tests. */
  readonly patience: number;
}

export type Run = (table: number, scratch: number) => void;

/** What the thread that splits a step is told by its surroundings. */
export interface Watch {
  /** Pieces that died with their workers. */
  lost(): number;
  /** What is thrown if there are any. */
  error(): unknown;
}

export class TeamMember {
  declare private readonly given: TeamGiven;
  declare private words: Int32Array;
  /** Of this thread, its code by number: what was used last is last. */
  declare private readonly codes: Map<number, WebAssembly.Exports>;
  declare private cursor: number;

  constructor(given: TeamGiven) {
    this.given = given;
    this.words = new Int32Array(given.memory.buffer);
    this.codes = new Map();
    this.cursor = 0;
  }

  private get(word: number): number {
    return this.words[this.given.control + word] as number;
  }

  private load(word: number): number {
    return Atomics.load(this.words, this.given.control + word);
  }

  private store(word: number, value: number): void {
    Atomics.store(this.words, this.given.control + word, value);
  }

  /** The memory may have grown since: a thread that did not do it learns of that when it asks. */
  private refresh(bytes: number): void {
    if (this.words.byteLength >= bytes) return;
    if (this.given.memory.buffer.byteLength < bytes) this.given.memory.grow(0);
    this.words = new Int32Array(this.given.memory.buffer);
  }

  // ---------------------------------------------------------------- pieces

  /** Runs pieces of the present job until none is left. `runOf` gives this thread's code for it. */
  private claim(runOf: () => Run): void {
    const { given } = this;
    const { at } = given;
    for (;;) {
      const ticket = this.load(at.ticket);
      const piece = ticket & 255;
      const pieces = this.get(at.pieces);
      if (piece >= pieces) return;
      const [splits, entry] = [this.get(at.splits), this.get(at.entry)];
      const run = this.codeFor(ticket, runOf);
      if (run === undefined) continue;
      // Whoever gets it may rely on what was read before: a job's words change only once its ticket was closed.
      if (Atomics.compareExchange(this.words, given.control + at.ticket, ticket, ticket + 1) !== ticket) continue;
      this.store(given.own + 2, ticket | 1);
      try {
        this.runPiece(run, splits >>> 2, entry, piece);
      } catch {
        // The thread that splits finds out what it was.
        this.store(at.failed, 1);
      }
      this.store(given.own + 2, 0);
      if (Atomics.add(this.words, given.control + at.done, 1) + 1 === pieces) Atomics.notify(this.words, given.control + at.done);
    }
  }

  /** Undefined where what failed was to read the words of a job that is over. */
  private codeFor(ticket: number, runOf: () => Run): Run | undefined {
    try {
      this.refresh(this.get(this.given.at.bytes));
      return runOf();
    } catch (thrown) {
      if (this.load(this.given.at.ticket) === ticket) throw thrown;
      return undefined;
    }
  }

  /** Copies the record, makes it a piece, and runs it. All pieces where `piece` is −1. */
  private runPiece(run: Run, splits: number, entry: number, piece: number): void {
    const { words, given: { split, record, own, thread, control } } = this;
    const of = (word: number): number => words[entry + word] as number;
    const from = (words[splits + split.table] as number) + of(split.record);
    const copy = (words[splits + split.copies] as number) + thread * (words[splits + split.copyBytes] as number);
    const [source, target, length] = [from >>> 2, copy >>> 2, of(split.bytes) >>> 2];
    words.copyWithin(target, source, source + length);
    const isLast = piece < 0 || piece === of(split.pieces) - 1;
    const extent = of(split.extent);
    const start = piece < 0 ? 0 : piece * of(split.grain);
    const size = isLast ? extent - start : of(split.grain);
    words[target + of(split.extentWord)] = size;
    let list = entry + split.lists;
    for (let left = of(split.moved); left > 0; left--, list += 3) {
      const word = target + (words[list] as number);
      words[word] = (words[word] as number) + Math.imul(start, words[list + 1] as number) + Math.imul(extent - size, words[list + 2] as number);
    }
    for (let left = of(split.slots); left > 0; left--, list++) {
      const word = target + (words[list] as number);
      words[word] = (words[word] as number) + Math.imul(thread, of(split.slotBytes));
    }
    if (thread > 0 && of(split.workspaceWord) > 0) words[target + of(split.workspaceWord)] = words[control + own + 1] as number;
    // The last tile of a piece is an ordinary one, unless it is the step's.
    for (let left = isLast ? 0 : of(split.tileEntries), at = target + record.tileEntries; left > 0; left--, at += record.tileEntryWords) words[at + record.tileToLast] = words[at + record.tileNext] as number;
    words[target + record.function] = of(split.element);
    words[target + length] = record.end;
    run(copy, words[control + own] as number);
  }

  // ---------------------------------------------------------------- the thread that splits

  /** Runs the step whose record begins at `record`, with whoever helps. Throws what a trap throws. */
  split(record: number, run: Run, watch?: Watch): void {
    const { at, split, control } = this.given;
    this.refresh(this.given.memory.buffer.byteLength);
    const splits = this.get(at.splits) >>> 2;
    const entry = this.entryOf(splits, (record - (this.words[splits + split.table] as number)) | 0);
    if (!this.given.mayWait || this.load(at.ready) === 0) {
      this.runPiece(run, splits, entry, -1);
      return;
    }
    const pieces = this.words[entry + split.pieces] as number;
    const job = ((this.get(at.job) + 1) & 0x7fffff) << 8;
    this.words[control + at.job] = job >>> 8;
    this.words[control + at.entry] = entry;
    this.words[control + at.pieces] = pieces;
    this.words[control + at.bytes] = this.words.byteLength;
    this.store(at.done, 0);
    this.store(at.failed, 0);
    this.store(at.ticket, job);
    Atomics.add(this.words, control + at.signal, 1);
    Atomics.notify(this.words, control + at.signal, pieces - 1);
    if (this.given.patience > 0 && (job & 256) !== 0) Atomics.wait(this.words, control + at.done, 0, this.given.patience);
    try {
      this.claim(() => run);
      this.awaitDone(pieces, watch);
    } finally {
      this.store(at.ticket, job | 255);
    }
    if (this.load(at.failed) !== 0) this.fail(record, entry, run);
  }

  private entryOf(splits: number, offset: number): number {
    const { words, given: { split } } = this;
    const count = words[splits + split.count] as number;
    for (let tried = 0; tried < count; tried++) {
      if (this.cursor >= count) this.cursor = 0;
      const place = splits + split.directory + 2 * this.cursor++;
      if (words[place] === offset) return splits + (words[place + 1] as number);
    }
    throw new Error('a step that was not split');
  }

  /** Others are in the middle of a piece: they are nearly done, or so long that it is worth sleeping. */
  private awaitDone(pieces: number, watch: Watch | undefined): void {
    const { at, control } = this.given;
    const until = performance.now() + 0.2;
    let done = this.load(at.done);
    while (done < pieces && performance.now() < until) done = this.load(at.done);
    for (; done < pieces; done = this.load(at.done)) {
      if (Atomics.wait(this.words, control + at.done, done, 50) !== 'timed-out' || watch === undefined) continue;
      const lost = watch.lost();
      if (lost > 0 && this.load(at.done) + lost >= pieces) throw watch.error();
    }
  }

  /** Where a piece trapped, the whole step does so again here, where it leaves its traces. */
  private fail(record: number, entry: number, run: Run): never {
    const { words, given } = this;
    const [first, next] = [record >>> 2, (record + (words[entry + given.split.bytes] as number)) >>> 2];
    const kept = [words[first + given.record.function] as number, words[next + given.record.function] as number] as const;
    words[first + given.record.function] = words[entry + given.split.element] as number;
    words[next + given.record.function] = given.record.end;
    try {
      run(record, words[given.control + given.own] as number);
    } finally {
      words[first + given.record.function] = kept[0];
      words[next + given.record.function] = kept[1];
    }
    throw new WebAssembly.RuntimeError('a piece of the step trapped, but not the step when it ran again');
  }

  // ---------------------------------------------------------------- workers

  /** The life of a worker: until it is told to stop. `say` reaches the engine's thread. */
  serve(say: (message: unknown) => void): void {
    const { at, control, own, spin } = this.given;
    Atomics.add(this.words, control + at.ready, 1);
    Atomics.store(this.words, control + own + 3, 1);
    say('ready');
    while (this.load(at.stop) === 0) {
      const signal = this.load(at.signal);
      if (this.load(at.walk) === 1 && Atomics.compareExchange(this.words, control + at.walk, 1, 2) === 1) this.walk(say);
      else this.claim(() => this.codeOf(this.get(at.code) >>> 2).run as Run);
      const until = performance.now() + spin / 1000;
      while (this.load(at.signal) === signal && performance.now() < until);
      Atomics.wait(this.words, control + at.signal, signal);
    }
  }

  /** A whole table, in the place of the engine's thread, which may not wait. */
  private walk(say: (message: unknown) => void): void {
    const { at } = this.given;
    this.refresh(this.get(at.bytes));
    const code = this.codeOf(this.get(at.code) >>> 2);
    try {
      (code.run as Run)(this.get(at.table), this.get(at.walkScratch));
      this.store(at.walk, 0);
      say('walked');
    } catch (thrown) {
      this.store(at.walk, 0);
      say({ trap: String((thrown as Error).message), step: (code.step as WebAssembly.Global).value as number });
    }
  }

  private codeOf(description: number): WebAssembly.Exports {
    const { words, given: { code, contracts, splitImport, callImport } } = this;
    const id = words[description + code.id] as number;
    const known = this.codes.get(id);
    if (known !== undefined) return known;
    const imports: Record<string, WebAssembly.ImportValue> = { memory: this.given.memory };
    let list = description + code.contract;
    for (let left = words[description + code.contracts] as number; left > 0; left--, list += 4) {
      imports[contracts[words[list + 3] as number] as string] = this.moduleOf(list, { memory: this.given.memory }).contract as WebAssembly.ImportValue;
    }
    imports[splitImport] = (record: number) => this.split(record, exports.run as Run);
    imports[callImport] = () => {
      throw new Error('kernels of execution modules run on the thread of the engine');
    };
    const exports = this.moduleOf(description, imports);
    return exports;
  }

  /** Compiled and kept; of many, those that were not used for long go. */
  private moduleOf(description: number, imports: Record<string, WebAssembly.ImportValue>): WebAssembly.Exports {
    const { words, codes, given: { code } } = this;
    const id = words[description + code.id] as number;
    const known = codes.get(id);
    if (known !== undefined) return known;
    const address = (words[description + code.address] as number) >>> 0;
    // Code is compiled from memory that is not shared.
    const bytes = new Uint8Array(words.buffer).slice(address, address + (words[description + code.bytes] as number));
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: imports });
    codes.set(id, exports);
    if (codes.size > 256) codes.delete(codes.keys().next().value as number);
    return exports;
  }
}
