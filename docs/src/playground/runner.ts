import type { WorkerMessage } from './messages.ts';

export interface Runner {
  readonly running: boolean;
  run(code: string): void;
  /** Ends the program, whatever it does. */
  stop(): void;
}

/**
 * Each program has a worker of its own, so that it starts from nothing and can be ended at any time. The next worker is started
 * early: loading it takes longer than most programs.
 */
export class WorkerRunner implements Runner {
  readonly #start: () => Worker;
  readonly #onMessage: (message: WorkerMessage) => void;
  #next: Worker;
  #current: Worker | undefined;

  constructor(start: () => Worker, onMessage: (message: WorkerMessage) => void) {
    this.#start = start;
    this.#onMessage = onMessage;
    this.#next = start();
  }

  get running(): boolean {
    return this.#current !== undefined;
  }

  run(code: string): void {
    this.stop();
    const worker = this.#next;
    this.#current = worker;
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      if (this.#current !== worker) return;
      if (data.kind === 'done') this.#end();
      this.#onMessage(data);
    };
    worker.onerror = (event) => {
      if (this.#current !== worker) return;
      this.#end();
      this.#onMessage({ kind: 'failure', failure: { name: 'Error', message: event.message || 'The worker could not be started.' } });
      this.#onMessage({ kind: 'done', milliseconds: 0 });
    };
    worker.postMessage({ kind: 'run', code });
  }

  stop(): void {
    if (this.#current !== undefined) this.#end();
  }

  /** Ends the program and the worker that waits for the next one. */
  dispose(): void {
    this.#current?.terminate();
    this.#current = undefined;
    this.#next.terminate();
  }

  #end(): void {
    this.#current?.terminate();
    this.#current = undefined;
    this.#next = this.#start();
  }
}
