/** A real function of real numbers, computed in float64. */
export type RealFunction = (at: readonly number[]) => number;

/** Central differences extrapolated from steps h, h/2 and h/4 (Richardson), h = 1e-3·max(1, |x|). */
export function differences(f: RealFunction, at: readonly number[]): readonly number[] {
  return at.map((x, index) => {
    const central = (h: number): number => (f(replaced(at, index, x + h)) - f(replaced(at, index, x - h))) / (2 * h);
    return extrapolated(central, 1e-3 * Math.max(1, Math.abs(x)));
  });
}

/** The derivative of a vector function along `v`, from the same steps. */
export function directional(f: (at: readonly number[]) => readonly number[], at: readonly number[], v: readonly number[]): readonly number[] {
  const moved = (h: number): readonly number[] => f(at.map((x, index) => x + h * (v[index] as number)));
  const central = (h: number): readonly number[] => {
    const [up, down] = [moved(h), moved(-h)];
    return up.map((y, index) => (y - (down[index] as number)) / (2 * h));
  };
  const steps = [1e-3, 5e-4, 2.5e-4].map(central);
  return (steps[0] as readonly number[]).map((_, index) => combine(steps.map((step) => step[index] as number)));
}

function extrapolated(central: (h: number) => number, h: number): number {
  return combine([central(h), central(h / 2), central(h / 4)]);
}

function combine([full, half, quarter]: readonly number[]): number {
  const [first, second] = [(4 * half! - full!) / 3, (4 * quarter! - half!) / 3];
  return (16 * second - first) / 15;
}

/** The largest deviation, relative to the largest expected value. */
export function deviation(found: readonly number[], expected: readonly number[]): number {
  const scale = Math.max(1e-300, ...expected.map(Math.abs));
  return Math.max(...expected.map((value, at) => Math.abs((found[at] as number) - value))) / scale;
}

function replaced(at: readonly number[], index: number, value: number): readonly number[] {
  return at.map((x, other) => (other === index ? value : x));
}
