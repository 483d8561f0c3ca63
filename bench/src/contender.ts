import type { GroupName, Inputs, Workload } from './workloads.ts';

/** Who a contender is: ours on the engine that everybody has, ours on the native engine, a peer of one of two worlds, or what the machine could do at most. */
export type ContenderKind = 'tf' | 'native' | 'javascript' | 'python' | 'limit';

/** A workload that stands ready: its data lies where the contender wants it. */
export interface Prepared {
  /** Does the work once; a promise when the contender has no other way. */
  run(): void | Promise<void>;
  /** The values of the latest run, all results one after the other in row-major order; undefined when there is nothing to check. */
  result(): ArrayLike<number> | undefined | Promise<ArrayLike<number> | undefined>;
  /** Milliseconds for so many runs, by a contender in another process, which has its own clock. */
  elapsed?(repetitions: number): Promise<number>;
  /** Work per run where it is not the workload's own, in its unit: the limit does as much as it likes. */
  readonly amount?: number;
  dispose?(): void;
}

export interface Unsupported {
  readonly unsupported: string;
}

/** A contender that is installed and started. */
export interface Contender {
  readonly name: string;
  readonly kind: ContenderKind;
  readonly version: string;
  /** Groups in which it has something to say; all when absent. */
  readonly groups?: readonly GroupName[];
  prepare(workload: Workload, inputs: Inputs): Prepared | Unsupported | Promise<Prepared | Unsupported>;
  close?(): void;
}

/** A contender before it is started: `open` throws when it is not there. */
export interface ContenderSource {
  readonly name: string;
  readonly kind: ContenderKind;
  open(): Promise<Contender>;
}

export function isUnsupported(value: Prepared | Unsupported): value is Unsupported {
  return 'unsupported' in value;
}
