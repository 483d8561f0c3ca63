import type { Thermodynamics } from './problem.ts';

/** ln(1 + √2)/2: below this β there is no order. */
export const criticalBeta: number = Math.log(1 + Math.SQRT2) / 2;

/** The exact solution of the square lattice (Onsager, Phys. Rev. 65, 117 (1944)), per spin; at the critical point the heat is infinite. */
export function onsager(beta: number): Thermodynamics {
  const [s, c, t] = [Math.sinh(2 * beta), Math.cosh(2 * beta), Math.tanh(2 * beta)];
  const { first, second } = ellipticIntegrals((2 * s) / c ** 2);
  const slope = 2 * t ** 2 - 1;
  return {
    logPartition: exactLogPartition(beta),
    energy: -(1 + (2 / Math.PI) * (slope === 0 ? 0 : slope * first)) / t,
    specificHeat: (4 / Math.PI) * (beta / t) ** 2 * (first - second - (1 - t ** 2) * (Math.PI / 2 + slope * first)),
  };
}

/** ln Z = ln 2/2 + 1/(2π) ∫₀^π ln(cosh² 2β + √(1 + sinh⁴ 2β − 2 sinh² 2β cos 2θ)) dθ, where points in the middle of equal pieces converge fast. */
function exactLogPartition(beta: number): number {
  const [square, pieces] = [Math.sinh(2 * beta) ** 2, 4096];
  let total = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const cosine = Math.cos((2 * Math.PI * (piece + 0.5)) / pieces);
    total += Math.log(1 + square + Math.sqrt(1 + square ** 2 - 2 * square * cosine));
  }
  return Math.LN2 / 2 + total / pieces / 2;
}

/** The complete elliptic integrals K(k) and E(k) by the arithmetic-geometric mean. */
function ellipticIntegrals(k: number): { readonly first: number; readonly second: number } {
  let [a, b, share] = [1, Math.sqrt(1 - k ** 2), k ** 2 / 2];
  for (let power = 1; Math.abs(a - b) > 1e-15 * a && power < 2 ** 12; power *= 2) {
    share += power * ((a - b) / 2) ** 2;
    [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  }
  const first = Math.PI / (2 * a);
  return { first, second: first * (1 - share) };
}
