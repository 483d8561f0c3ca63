/**
 * Inverse scaling and squaring on the Schur form (Kenney & Laub 1989; Higham 2008, algorithm 11.9): with A = Z T Zᴴ, roots are taken until
 * T^(1/2ᵏ) is near the identity, where log(I + X) is the [7/7] Padé approximant Σ w_j X (I + x_j X)⁻¹, x_j and w_j being nodes and
 * weights of Gauss and Legendre on [0, 1]; log A = 2ᵏ Z log(T^(1/2ᵏ)) Zᴴ.
 */
import { abs, add, any, applyOperation, convert, type Dim, exp2, greater, isKnown, type Kind, less, logicalAnd, mul, type Operand, pad, realPart, reduceMax, select, sub, sum, whileLoop } from '@tf/core';
import { adjoint, asColumn, times } from '../algebra.ts';
import { triangularSqrtOperation } from '../matrix-sqrt/operation.ts';
import { identityColumns } from '../permute.ts';
import { schurFactors } from '../schur/operation.ts';
import { withLead } from '../systems.ts';
import { solveTriangle } from '../triangular/operation.ts';

type Truth = Operand<Kind, 'bool'>;

/** ‖X‖₁ up to which the approximant is exact to the roundoff of float64 (Higham 2008, table 11.1). */
const theta = 0.264;
/** As many roots bring every number that a dtype has, but 0, near 1. */
const mostRoots = 64;

const nodes: readonly number[] = [0.0254460438286207, 0.12923440720030277, 0.2970774243113014, 0.5, 0.7029225756886985, 0.8707655927996972, 0.9745539561713793];
const weights: readonly number[] = [0.06474248308443487, 0.13985269574463843, 0.19091502525255935, 0.20897959183673465, 0.19091502525255935, 0.13985269574463843, 0.06474248308443487];

/** ‖T − I‖₁ > θ, [...]: whether a root is to be taken. */
function isFar(t: Operand, identity: Operand): Truth {
  const sums = sum(abs(sub(t, identity) as Operand) as Operand, { axes: -2 }) as Operand;
  // One zero more, so that there is a largest one of none.
  const columns = pad(sums, { low: sums.type.shape.map(() => 0), high: sums.type.shape.map((_, axis) => (axis === sums.type.shape.length - 1 ? 1 : 0)) }) as Operand;
  return greater(reduceMax(columns, { axes: -1 }) as Operand, theta) as Truth;
}

/** Roots of each matrix for itself until it is near the identity; how many, [...], a real number. */
function rooted(t: Operand, identity: Operand): readonly [root: Operand, count: Operand] {
  const real = realPart(t.type.dtype);
  // NaN where the matrix is not finite, which ends its loop.
  const none = mul(sum(abs(t) as Operand, { axes: [-2, -1] }) as Operand, 0) as Operand;
  const goesOn = (root: Operand, count: Operand): Truth => logicalAnd(isFar(root, identity), less(count, mostRoots)) as Truth;
  const anyGoesOn = ([root, count]: readonly Operand[]): Operand => any(goesOn(root as Operand, count as Operand)) as Operand;
  const next = ([root, count]: readonly Operand[]): readonly Operand[] => {
    const isOn = goesOn(root as Operand, count as Operand);
    const halved = applyOperation(triangularSqrtOperation, [root as Operand], {})[0] as Operand;
    return [select(asColumn(asColumn(isOn)) as Truth, halved, root as Operand) as Operand, add(count as Operand, convert(isOn, real) as Operand) as Operand];
  };
  const [root, count] = whileLoop(anyGoesOn, next, [t, none]) as unknown as readonly [Operand, Operand];
  return [root, count];
}

/** log T of a triangular T near the identity. */
function approximant(t: Operand, identity: Operand): Operand {
  const x = sub(t, identity) as Operand;
  const terms = nodes.map((node, at) => mul(solveTriangle(add(identity, mul(x, node) as Operand) as Operand, x, { upper: true }), weights[at] as number) as Operand);
  return terms.reduce((total, term) => add(total, term) as Operand);
}

/** The principal logarithm of complex matrices; NaN where an eigenvalue is 0. */
export function logarithm(a: Operand): Operand {
  const size = a.type.shape.at(-1) as Dim;
  if (isKnown(size) && size === 0) return a;
  const [t, z] = schurFactors(a);
  const identity = withLead(identityColumns(a, size, size), a.type.shape.slice(0, -2), 2);
  const [root, count] = rooted(t, identity);
  const scale = select(isFar(root, identity), NaN, exp2(count) as Operand) as Operand;
  const log = mul(approximant(root, identity), asColumn(asColumn(scale))) as Operand;
  return times(z, log, adjoint(z));
}
