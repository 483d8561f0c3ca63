/** The arithmetic of one dtype on vectors. Every product of a contraction is made here, so all paths round alike. */
import { type Code, extractLane, get, instr, type Local, set, v128 } from '../../encoder/code.ts';
import type { Blocking } from './blocking.ts';

/** `f32x4.relaxed_madd`, `f64x2.relaxed_madd`: a·b + c. */
const relaxedMultiplyAdd = { f32: [0xfd, 0x85, 0x02], f64: [0xfd, 0x87, 0x02] } as const;

export const zeroVector: Code = v128(new Array<number>(16).fill(0));

export const shapeOf = ({ type }: Blocking): 'f32x4' | 'f64x2' => (type === 'f32' ? 'f32x4' : 'f64x2');
export const splatOf = ({ type }: Blocking): 'v128.load32_splat' | 'v128.load64_splat' => (type === 'f32' ? 'v128.load32_splat' : 'v128.load64_splat');

export function addVectors(blocking: Blocking, a: Code, b: Code): Code {
  return instr(`${shapeOf(blocking)}.add`, a, b);
}

/** sum += a·b: rounded once if fused, else twice. */
export function accumulate(blocking: Blocking, sum: Local, a: Code, b: Code): Code {
  if (blocking.fused) return set(sum, [a, b, get(sum), relaxedMultiplyAdd[blocking.type]]);
  return set(sum, addVectors(blocking, get(sum), instr(`${shapeOf(blocking)}.mul`, a, b)));
}

export function zeroScalar({ type }: Blocking): Code {
  return type === 'f32' ? [0x43, 0, 0, 0, 0] : [0x44, 0, 0, 0, 0, 0, 0, 0, 0];
}

/**
 * The sum of all lanes of several vectors, the upper half onto the lower until one is left, plus 0. That last addition
 * makes −0 into 0: a fused product can leave −0 in a lane, and lanes padded with zeros must not differ from others.
 */
export function foldLanes(blocking: Blocking, vectors: readonly Local[]): Code {
  const { type, lanes } = blocking;
  let terms: readonly Code[] = vectors.map(get);
  while (terms.length > 1) {
    const half = terms.length / 2;
    terms = terms.slice(0, half).map((term, i) => addVectors(blocking, term, terms[half + i]!));
  }
  const first = vectors[0]!;
  let scalars: readonly Code[] = Array.from({ length: lanes }, (_, lane) => extractLane(`${shapeOf(blocking)}.extract_lane`, get(first), lane));
  while (scalars.length > 1) {
    const half = scalars.length / 2;
    scalars = scalars.slice(0, half).map((scalar, i) => instr(`${type}.add`, scalar, scalars[half + i]!));
  }
  return [set(first, terms[0]!), instr(`${type}.add`, scalars[0]!, zeroScalar(blocking))];
}
