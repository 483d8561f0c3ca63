/** cos and −sin of 2πk/n: the root of unity e^{−2πik/n}, each part within 1.5 units in the last place. */
export function rootOfUnity(k: number, n: number): readonly [number, number] {
  const root: [number, number] = [0, 0];
  putRoot(root, 0, k, n);
  return root;
}

/** Writes a root's parts at a place and behind it: tables hold millions, and pairs would take longer than their sines. */
export function putRoot(into: Float64Array | [number, number], at: number, k: number, n: number): void {
  // In eighths of the step, reflected into the first octant: exact until the angle is a number.
  let a = 8 * (((k % n) + n) % n);
  const lower = a > 4 * n;
  if (lower) a = 8 * n - a;
  const left = a > 2 * n;
  if (left) a = 4 * n - a;
  const steep = a > n;
  if (steep) a = 2 * n - a;
  const diagonal = a === n;
  const angle = Math.PI * (a / (4 * n));
  const error = angleError(a, 4 * n);
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const c = diagonal ? Math.SQRT1_2 : cosine - error * sine;
  const s = diagonal ? Math.SQRT1_2 : sine + error * cosine;
  const [x, y] = [steep ? s : c, steep ? c : s];
  into[at] = left ? -x : x;
  into[at + 1] = lower ? y : -y;
}

/** `count` roots w_n^{step·k}, k from 0: interleaved. */
export function rootsOfUnity(n: number, count: number, step = 1): Float64Array {
  if (step === 1 && count === n && n % 8 === 0) return wholeCircle(n);
  const roots = new Float64Array(2 * count);
  for (let k = 0; k < count; k++) putRoot(roots, 2 * k, (step * k) % n, n);
  return roots;
}

/** All n roots from those of the first octant, the same to the bit: parts change their places and signs. */
function wholeCircle(n: number): Float64Array {
  const roots = new Float64Array(2 * n);
  const [quarter, half] = [n / 4, n / 2];
  for (let k = 0; k <= n / 8; k++) {
    putRoot(roots, 2 * k, k, n);
    const [c, s] = [roots[2 * k] as number, roots[2 * k + 1] as number];
    put(roots, quarter + k, s, -c);
    put(roots, quarter - k, -s, -c);
    put(roots, half - k, -c, s);
  }
  for (let k = 1; k < half; k++) put(roots, n - k, roots[2 * k] as number, -(roots[2 * k + 1] as number));
  put(roots, half, -1, -0);
  return roots;
}

function put(roots: Float64Array, k: number, c: number, s: number): void {
  roots[2 * k] = c;
  roots[2 * k + 1] = s;
}

/** What π lacks as a double. */
const piRest = 1.2246467991473532e-16;

/** What the double π·(a/b) lacks of π·a/b, which is at most π/4: its rounding, to first order (Dekker 1971 for the products). */
function angleError(a: number, b: number): number {
  const quotient = a / b;
  const rest = (a - quotient * b - productError(quotient, b)) / b;
  return productError(Math.PI, quotient) + Math.PI * rest + piRest * quotient;
}

/** x·y − fl(x·y), exactly. */
function productError(x: number, y: number): number {
  const [xHigh, yHigh] = [high(x), high(y)];
  const [xLow, yLow] = [x - xHigh, y - yHigh];
  return xLow * yLow - (x * y - xHigh * yHigh - xLow * yHigh - xHigh * yLow);
}

/** The leading half of the digits. */
function high(x: number): number {
  const scaled = 134217729 * x;
  return scaled - (scaled - x);
}
