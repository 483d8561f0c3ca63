import type { GradientSlot, TraceValue } from './trace.ts';

/** What few tensors have. */
export class Aside {
  /** Where the gradient accumulates: of a leaf that requires one, or of a tensor that retains its own. */
  slot: GradientSlot | undefined = undefined;
  /** Where the value comes from in a trace that `captureTrace` recorded although nothing tracked. */
  captured: TraceValue | undefined = undefined;
  /** The scope that freed the tensor. */
  freedBy: string | undefined = undefined;
}
