/** One thing that the demo claims, and whether it holds. */
export interface Check {
  readonly claim: string;
  readonly holds: boolean;
  readonly detail: string;
}

/** Numbers by name, as the four arrays of the network. */
export type Arrays = Readonly<Record<string, Float64Array>>;

/** Whether two sets of arrays hold the same bits: +0 differs from −0, a NaN equals itself. */
export function bitwiseEqual(a: Arrays, b: Arrays): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => b[name] !== undefined && sameBits(a[name] as Float64Array, b[name]));
}

function sameBits(a: Float64Array, b: Float64Array): boolean {
  const [left, right] = [bytesOf(a), bytesOf(b)];
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}

function bytesOf(array: Float64Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/**
 * Derivatives of `f` by central differences with steps h, h/2, h/4, extrapolated twice (Richardson), where
 * h = 10⁻³·max(1, |x|).
 */
export function centralDifferences(f: (arrays: Arrays) => number, at: Arrays): Arrays {
  const result: Record<string, Float64Array> = {};
  for (const [name, values] of Object.entries(at)) {
    const moved = Float64Array.from(values);
    const difference = (index: number, h: number): number => {
      const x = values[index] as number;
      const ends = [x + h, x - h].map((place) => {
        moved[index] = place;
        return f({ ...at, [name]: moved });
      }) as [number, number];
      moved[index] = x;
      return (ends[0] - ends[1]) / (x + h - (x - h));
    };
    result[name] = values.map((x, index) => {
      const h = 1e-3 * Math.max(1, Math.abs(x));
      const [coarse, middle, fine] = [difference(index, h), difference(index, h / 2), difference(index, h / 4)];
      const [first, second] = [(4 * middle - coarse) / 3, (4 * fine - middle) / 3];
      return (16 * second - first) / 15;
    });
  }
  return result;
}

/** The largest |a − b| / |b|; entries below a thousandth of the largest are measured by that thousandth. */
export function worstRelativeError(a: Arrays, b: Arrays): number {
  const largest = Math.max(...Object.values(b).map((array) => array.reduce((most, value) => Math.max(most, Math.abs(value)), 0)));
  let worst = 0;
  for (const [name, reference] of Object.entries(b)) {
    reference.forEach((value, index) => {
      const error = Math.abs((a[name]?.[index] ?? Number.NaN) - value) / Math.max(Math.abs(value), largest / 1000);
      worst = Number.isNaN(error) ? Infinity : Math.max(worst, error);
    });
  }
  return worst;
}
