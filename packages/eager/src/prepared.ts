import type { Plans } from './plans.ts';
import type { Recording } from './recording.ts';
import type { Script } from './script.ts';
import type { Cached } from './slot-cache.ts';
import type { Source } from './trace-program.ts';
import type { KnownType } from './type-table.ts';

/** The derivative of one structure of trace, ready to run. */
export interface Prepared extends Cached {
  readonly key: Int32Array;
  /** How it runs: as one plan, or one operation at a time. */
  readonly execution: { readonly kind: 'plan'; readonly plans: Plans } | { readonly kind: 'script'; readonly script: Script };
  /** Its inputs before the seeds. */
  readonly sources: readonly Source[];
  /** Per result: which output it is, or undefined where nothing flows. */
  readonly results: readonly (number | undefined)[];
  readonly outputTypes: readonly KnownType[];
  /** How its operations become trace, where they do. */
  readonly recording: Recording | undefined;
  /** Forward operations that have to be carried out again in each run. */
  readonly recomputed: number;
}
