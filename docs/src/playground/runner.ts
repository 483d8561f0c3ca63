import type { RunRequest, WorkerMessage } from './messages.ts';

export interface Runner {
  readonly running: boolean;
  run(request: RunRequest): void;
  /** Ends the program, whatever it does. */
  stop(): void;
}

/**
 * Each program has a worker of its own, so that it starts from nothing and can be ended at any time. The worker for the next one is
 * started when a program is done: loading it takes longer than most programs. That of the last one lives until then, since promises
 * that nobody awaited may still print, or fail.
 */
export class WorkerRunner implements Runner {
  readonly #start: () => Worker;
  readonly #onMessage: (message: WorkerMessage) => void;
  #next: Worker | undefined;
  #current: Worker | undefined;
  #isRunning = false;

  constructor(start: () => Worker, onMessage: (message: WorkerMessage) => void) {
    this.#start = start;
    this.#onMessage = onMessage;
    this.#next = start();
  }

  get running(): boolean {
    return this.#isRunning;
  }

  run(request: RunRequest): void {
    this.#current?.terminate();
    const worker = this.#next ?? this.#start();
    this.#next = undefined;
    this.#current = worker;
    this.#isRunning = true;
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      if (this.#current !== worker) return;
      if (data.kind === 'done') this.#done();
      this.#onMessage(data);
    };
    worker.onerror = (event) => {
      if (this.#current !== worker) return;
      this.stop();
      this.#onMessage({ kind: 'failure', failure: { name: 'Error', message: event.message || 'The worker could not be started.' } });
      this.#onMessage({ kind: 'done', milliseconds: 0 });
    };
    worker.postMessage(request);
  }

  stop(): void {
    this.#current?.terminate();
    this.#current = undefined;
    this.#done();
  }

  /** Ends the program and the worker that waits for the next one. */
  dispose(): void {
    this.#current?.terminate();
    this.#next?.terminate();
    this.#current = undefined;
    this.#next = undefined;
    this.#isRunning = false;
  }

  #done(): void {
    this.#isRunning = false;
    this.#next ??= this.#start();
  }
}
