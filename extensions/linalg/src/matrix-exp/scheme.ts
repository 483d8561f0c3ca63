/**
 * Scaling and squaring (Higham 2005, The scaling and squaring method for the matrix exponential revisited): e^A = r(A/2ˢ)^(2ˢ) with the
 * [13/13] Padé approximant r, whose backward error is below the roundoff of float64 where ‖A/2ˢ‖₁ ≤ θ. A tangent is carried along
 * (Al-Mohy & Higham 2009, Computing the Fréchet derivative of the matrix exponential, §4): each product and the solve by its product rule.
 *
 * There is one degree: smaller ones save products only where all matrices of a batch take them, and what a matrix gives may not
 * depend on the others.
 */
import { abs, add, ceil, convert, type Dim, div, exp2, greater, isFinite, isKnown, type Kind, log2, logicalAnd, matmul, mul, neg, type Operand, pad, reduceMax, reshape, select, sub, sum, whileLoop } from '@tf/core';
import { asColumn } from '../algebra.ts';
import { identityColumns } from '../permute.ts';
import { luSolve, luWitness } from '../solve/operation.ts';

type Truth = Operand<Kind, 'bool'>;

/** A value, and its tangent where one is asked for. */
export interface Moving {
  readonly value: Operand;
  readonly tangent: Operand | undefined;
}

const theta = 5.371920351148152;

/** Numerator of the approximant, by rising powers; its denominator has every second sign reversed. */
const pade: readonly number[] = [64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1];

function product(a: Moving, b: Moving): Moving {
  const tangent = a.tangent && b.tangent && (add(matmul(a.tangent, b.value), matmul(a.value, b.tangent)) as Operand);
  return { value: matmul(a.value, b.value) as Operand, tangent };
}

/** Σ c·x. */
function combined(...terms: readonly (readonly [number, Moving])[]): Moving {
  const part = (of: (x: Moving) => Operand): Operand => terms.map(([factor, x]) => mul(of(x), factor) as Operand).reduce((total, term) => add(total, term) as Operand);
  return { value: part(({ value }) => value), tangent: terms.some(([, { tangent }]) => tangent === undefined) ? undefined : part(({ tangent }) => tangent as Operand) };
}

/** x + c·I. */
function shifted({ value, tangent }: Moving, by: number, identity: Operand): Moving {
  return { value: add(value, mul(identity, by)) as Operand, tangent };
}

/** r(A): (V − U) r = V + U, U of the odd powers, V of the even ones. */
function approximant(a: Moving, identity: Operand): Moving {
  const c = (power: number): number => pade[power] as number;
  const a2 = product(a, a);
  const a4 = product(a2, a2);
  const a6 = product(a2, a4);
  const odd = combined([1, product(a6, combined([c(13), a6], [c(11), a4], [c(9), a2]))], [c(7), a6], [c(5), a4], [c(3), a2]);
  const even = combined([1, product(a6, combined([c(12), a6], [c(10), a4], [c(8), a2]))], [c(6), a6], [c(4), a4], [c(2), a2]);
  const [u, v] = [product(a, shifted(odd, c(1), identity)), shifted(even, c(0), identity)];
  const [below, above] = [combined([1, v], [-1, u]), combined([1, v], [1, u])];
  const factors = luWitness(below.value);
  const value = luSolve(below.value, factors, above.value);
  const moved = above.tangent && below.tangent && (sub(above.tangent, matmul(below.tangent, value)) as Operand);
  return { value, tangent: moved && luSolve(below.value, factors, moved) };
}

/** How often each matrix is halved, [...]: 0 for one that is not finite. */
function halvings(a: Operand): Operand {
  const { shape } = a.type;
  const sums = sum(abs(a) as Operand, { axes: -2 }) as Operand;
  // One zero more, so that there is a largest one of none.
  const columns = pad(sums, { low: sums.type.shape.map(() => 0), high: sums.type.shape.map((_, axis) => (axis === shape.length - 2 ? 1 : 0)) }) as Operand;
  const norm = reduceMax(columns, { axes: -1 }) as Operand;
  const isLarge = logicalAnd(greater(norm, theta), isFinite(norm)) as Truth;
  return select(isLarge, ceil(log2(div(select(isLarge, norm, theta) as Operand, theta) as Operand) as Operand) as Operand, 0) as Operand;
}

/** Matrices squared as often as each was halved. */
function squared(x: Moving, times: Operand): Moving {
  const step = ([left, value, tangent]: readonly Operand[]): readonly Operand[] => {
    const goesOn = asColumn(asColumn(greater(left as Operand, 0) as Operand)) as Truth;
    const square = product({ value: value as Operand, tangent }, { value: value as Operand, tangent });
    const kept = (after: Operand, before: Operand | undefined): Operand => select(goesOn, after, before as Operand) as Operand;
    return [sub(left as Operand, 1) as Operand, kept(square.value, value), ...(square.tangent === undefined ? [] : [kept(square.tangent, tangent)])];
  };
  const init: readonly Operand[] = [times, x.value, ...(x.tangent === undefined ? [] : [x.tangent])];
  const anyLeft = ([left]: readonly Operand[]): Operand => greater(reduceMax(withZero(reshape(left as Operand, [-1]) as Operand)) as Operand, 0) as Operand;
  const [, value, tangent] = whileLoop(anyLeft, step, init);
  return { value: value as Operand, tangent };
}

/** A vector with a zero more. */
function withZero(x: Operand): Operand {
  return pad(x, { low: [0], high: [1] }) as Operand;
}

/** e^A, and its derivative in the direction E. */
export function exponential(a: Operand, e?: Operand): Moving {
  const size = a.type.shape.at(-1) as Dim;
  if (isKnown(size) && size === 0) return { value: a, tangent: e };
  const times = halvings(a);
  const scale = convert(asColumn(asColumn(exp2(neg(times) as Operand) as Operand)), a.type.dtype) as Operand;
  const scaled: Moving = { value: mul(a, scale) as Operand, tangent: e && (mul(e, scale) as Operand) };
  return squared(approximant(scaled, identityColumns(a, size, size)), times);
}
