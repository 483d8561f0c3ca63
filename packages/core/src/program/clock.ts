/**
 * The one piece of module state in tf: a clock that orders creations. Nothing depends on its value, only on which of two
 * instructions is the older, so two copies of this package cannot disturb each other
 * (docs/decisions/2026-11-29-creation-clock.md).
 */
let last = 0;

/** A number greater than every one given before. */
export function nextNumber(): number {
  return ++last;
}
