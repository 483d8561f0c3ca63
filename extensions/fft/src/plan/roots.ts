/** cos and −sin of 2πk/n: the root of unity e^{−2πik/n}, each part within 1.5 units in the last place. */
export function rootOfUnity(k: number, n: number): readonly [number, number] {
  // In eighths of the step, reflected into the first octant: exact until the angle is a number.
  let a = 8 * (((k % n) + n) % n);
  const lower = a > 4 * n;
  if (lower) a = 8 * n - a;
  const left = a > 2 * n;
  if (left) a = 4 * n - a;
  const steep = a > n;
  if (steep) a = 2 * n - a;
  const [c, s] = a === n ? [Math.SQRT1_2, Math.SQRT1_2] : cosineAndSine(a, 4 * n);
  const [x, y] = steep ? [s, c] : [c, s];
  return [left ? -x : x, lower ? y : -y];
}

/** `count` roots w_n^{step·k}, k from 0: interleaved. */
export function rootsOfUnity(n: number, count: number, step = 1): Float64Array {
  const roots = new Float64Array(2 * count);
  for (let k = 0; k < count; k++) roots.set(rootOfUnity((step * k) % n, n), 2 * k);
  return roots;
}

/** What π lacks as a double. */
const piRest = 1.2246467991473532e-16;

/** Of π·a/b, which is at most π/4: the angle's rounding is put right to first order (Dekker 1971 for the products). */
function cosineAndSine(a: number, b: number): readonly [number, number] {
  const quotient = a / b;
  const rest = (a - quotient * b - productError(quotient, b)) / b;
  const angle = Math.PI * quotient;
  const error = productError(Math.PI, quotient) + Math.PI * rest + piRest * quotient;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c - error * s, s + error * c];
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
