/**
 * How far a result is from the reference: the largest deviation, relative to the largest entry of the reference. With a
 * baseline both are measured from there. Infinity for a wrong number of values, and for NaN.
 */
export function relativeError(found: ArrayLike<number>, reference: Float64Array, baseline?: Float64Array): number {
  if (found.length !== reference.length) return Infinity;
  let [worst, largest] = [0, 0];
  for (let at = 0; at < reference.length; at++) {
    const expected = reference[at]!;
    const error = Math.abs(Number(found[at]) - expected);
    if (!Number.isFinite(error)) return Infinity;
    worst = Math.max(worst, error);
    largest = Math.max(largest, Math.abs(expected - (baseline?.[at] ?? 0)));
  }
  return worst === 0 ? 0 : worst / largest;
}
