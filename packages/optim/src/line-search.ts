/** A function along a line, at t: its value, its slope, and whatever belongs to the point. */
export interface LinePoint<P> {
  readonly t: number;
  readonly value: number;
  readonly slope: number;
  readonly point: P;
}

const decrease = 1e-4;
const curvature = 0.9;
const mostEvaluations = 25;

/** The minimum of the cubic through two points with their slopes (Nocedal & Wright 2006, equation 3.59), kept inside of their interval. */
function between(a: LinePoint<unknown>, b: LinePoint<unknown>): number {
  const d1 = a.slope + b.slope - (3 * (a.value - b.value)) / (a.t - b.t);
  const d2 = Math.sign(b.t - a.t) * Math.sqrt(d1 * d1 - a.slope * b.slope);
  const t = b.t - ((b.t - a.t) * (b.slope + d2 - d1)) / (b.slope - a.slope + 2 * d2);
  const [low, high] = [Math.min(a.t, b.t), Math.max(a.t, b.t)];
  const margin = 0.1 * (high - low);
  return Number.isFinite(t) ? Math.min(Math.max(t, low + margin), high - margin) : 0.5 * (low + high);
}

/**
 * A step that meets the strong Wolfe conditions (Nocedal & Wright 2006, algorithms 3.5 and 3.6); where none is found, the best that
 * decreases, and undefined where none does. A value that is not finite counts as one that is too high.
 */
export async function searchLine<P>(start: LinePoint<P>, first: number, at: (t: number) => Promise<LinePoint<P>>): Promise<LinePoint<P> | undefined> {
  const isLow = (p: LinePoint<P>): boolean => p.value <= start.value + decrease * p.t * start.slope;
  const isFlat = (p: LinePoint<P>): boolean => Math.abs(p.slope) <= -curvature * start.slope;
  const better = (a: LinePoint<P>, b: LinePoint<P>): LinePoint<P> => (b.value < a.value ? b : a);
  let [low, high, best, t] = [start, undefined as LinePoint<P> | undefined, start, first];
  for (let evaluation = 0; evaluation < mostEvaluations; evaluation++) {
    const next = await at(t);
    const isUsable = Number.isFinite(next.value) && Number.isFinite(next.slope);
    if (isUsable) best = better(best, next);
    if (!isUsable || !isLow(next) || next.value >= low.value && low !== start) high = next;
    else if (isFlat(next)) return next;
    else if (next.slope * ((high?.t ?? Infinity) - low.t) >= 0) [high, low] = [low, next];
    else low = next;
    if (high === undefined) t *= 2;
    else t = isUsable && Number.isFinite(high.value) ? between(low, high) : 0.5 * (low.t + high.t);
    if (high !== undefined && Math.abs(high.t - low.t) <= 1e-14 * Math.max(high.t, low.t)) break;
  }
  return best === start ? undefined : best;
}
