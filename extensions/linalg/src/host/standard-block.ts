import { unitRoundoff } from './matrix.ts';

/** A real 2×2 matrix [[a, b], [c, d]]. */
export interface Block {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

/** [[c, s], [−s, c]]. */
export interface RealRotation {
  readonly c: number;
  readonly s: number;
}

/** G B Gᵀ. */
export function rotatedBlock({ a, b, c, d }: Block, { c: cos, s: sin }: RealRotation): Block {
  const [aa, bb, cc, dd] = [cos * a + sin * c, cos * b + sin * d, cos * c - sin * a, cos * d - sin * b];
  return { a: aa * cos + bb * sin, b: bb * cos - aa * sin, c: cc * cos + dd * sin, d: dd * cos - cc * sin };
}

/**
 * A rotation that brings a block closer to its standard form, and the block that it makes; no rotation where it has it: c = 0, or equal
 * diagonal elements and bc < 0, the pair a ± i√|bc| (Bai & Demmel 1993, section 2.1). Not more than two rotations are needed.
 */
export function standardised(block: Block): { readonly rotation: RealRotation; readonly block: Block } | undefined {
  const { a, b, c, d } = block;
  if (c === 0) return undefined;
  if (b === 0) return { rotation: { c: 0, s: 1 }, block: { a: d, b: -c, c: 0, d: a } };
  if (a === d && Math.sign(b) !== Math.sign(c)) return undefined;
  const p = 0.5 * (a - d);
  const [larger, smaller] = [Math.max(Math.abs(b), Math.abs(c)), Math.min(Math.abs(b), Math.abs(c)) * Math.sign(b) * Math.sign(c)];
  const scale = Math.max(Math.abs(p), larger);
  const discriminant = (p / scale) * p + (larger / scale) * smaller;
  if (discriminant > 8 * unitRoundoff * scale || (a === d && discriminant > 0)) {
    // The eigenvector (z, c) of d + z, z = p ± √(p² + bc) with the larger modulus.
    const z = p + (p < 0 ? -1 : 1) * Math.sqrt(scale) * Math.sqrt(discriminant);
    const length = Math.hypot(z, c);
    return { rotation: { c: z / length, s: c / length }, block: { a: d + z, b: b - c, c: 0, d: d - (larger / z) * smaller } };
  }
  return equalDiagonals(block);
}

/** cos 2θ = |b + c| / √((b + c)² + (a − d)²) makes both diagonal elements their mean. */
function equalDiagonals(block: Block): ReturnType<typeof standardised> {
  const { a, b, c, d } = block;
  const sum = b + c;
  const length = Math.hypot(sum, a - d);
  const cos = Math.sqrt(0.5 * (1 + Math.abs(sum) / length));
  const rotation = { c: cos, s: -((0.5 * (a - d)) / (length * cos)) * (sum < 0 ? -1 : 1) };
  const turned = rotatedBlock(block, rotation);
  const mean = 0.5 * (turned.a + turned.d);
  return { rotation, block: { a: mean, b: turned.b, c: turned.c, d: mean } };
}
