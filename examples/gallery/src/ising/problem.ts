/** The two-dimensional Ising model by the tensor renormalisation group, and its derivatives. */
import { AdContext, cosh, createCatalog, type Engine, lessEqual, log, mul, neg, reshape, select, sinh, slice, sqrt, stack, tensor, transpose } from '@tf/core';
import { einsum, einsumExtension } from '@tf/einsum';
import { linalgExtension, svd } from '@tf/linalg';
import { jit, type TracedTensor } from '@tf/traced';

type T = TracedTensor<'float64'>;

export interface IsingSettings {
  /** The most values that a bond of the coarse lattice keeps. */
  readonly bond: number;
  /** Each halves the number of tensors: 2^steps spins on a torus. */
  readonly steps: number;
}

/**
 * The tensor of one spin with its four legs, [right, up, left, down]. The Boltzmann weight of a bond, exp(β s s′), is Σₐ W[s, a]·W[s′, a]
 * with W[s] = (√cosh β, s·√sinh β): each spin keeps one W for each of its bonds, and sums over spins become sums over bonds.
 */
export function spinTensor(beta: T): T {
  const [even, odd] = [sqrt(cosh(beta)), sqrt(sinh(beta))];
  const w = stack([stack([even, odd]), stack([even, neg(odd)])]);
  return einsum('sr,su,sl,sd->ruld', w, w, w, w);
}

/** Singular values below this share of the largest are rounding errors: they and their vectors are left out, also of derivatives. */
const faintest = 1e-13;

/** A tensor with legs [a, b, c, d] as two, [a, b, k] and [k, c, d], with the k = min(bond, a·b) strongest values between them. */
function split(x: T, bond: number): readonly [first: T, second: T] {
  const [a, b, c, d] = x.type.shape as readonly [number, number, number, number];
  const k = Math.min(bond, a * b);
  // Gaps between values far below the largest count too: what they carry adds up over the steps.
  const { u, s, vh } = svd(reshape(x, [a * b, c * d]), { derivativeEps: 1e-24 });
  const values = slice(s, [0], [k]);
  const isFaint = lessEqual(values, slice(s, [0], [1]).mul(faintest));
  // The root of zero has no derivative: what is faint does not go through it.
  const root = select(isFaint, 0, sqrt(select(isFaint, 1, values)));
  const left = mul(slice(u, [0, 0], [a * b, k]), root);
  const right = mul(reshape(root, [k, 1]), slice(vh, [0, 0], [k, c * d]));
  return [reshape(left, [a, b, k]), reshape(right, [k, c, d])];
}

/**
 * One step of Levin and Nave (Phys. Rev. Lett. 99, 120601 (2007)): tensors are split along one diagonal or the other, as on a
 * chessboard, and the four halves around every second square become one tensor, of a lattice turned by 45° with half as many.
 */
export function coarser(x: T, bond: number): T {
  const [rightUp, leftDown] = split(x, bond);
  const [upLeft, downRight] = split(transpose(x, [1, 2, 3, 0]), bond);
  // Clockwise around the square from its top left corner; a, b, c, d are its own bonds: top, right, bottom, left.
  return einsum('uda,rab,bcv,cdw->ruwv', downRight, leftDown, upLeft, rightUp);
}

/** ln Z per spin. Each tensor is divided by its trace, which is what a torus of it alone would have as its Z, and that is put on account. */
export function logPartition(beta: T, { bond, steps }: IsingSettings): T {
  let x = spinTensor(beta);
  let total: T | undefined;
  for (let step = 0; step <= steps; step++) {
    if (step > 0) x = coarser(x, bond);
    const trace = einsum('abab->', x) as T;
    const share = log(trace).mul(2 ** -step);
    total = total === undefined ? share : total.add(share);
    x = x.div(trace);
  }
  return total as T;
}

export interface Thermodynamics {
  /** ln Z per spin: −β times the free energy. */
  readonly logPartition: number;
  /** E = −∂ ln Z/∂β per spin, with the coupling as the unit of energy. */
  readonly energy: number;
  /** C = β² ∂² ln Z/∂β² per spin, with Boltzmann's constant as the unit. */
  readonly specificHeat: number;
}

/** One compiled program for every β, which is one number: its derivatives go forward with the value. */
export function createThermodynamics(engine: Engine, settings: IsingSettings): (beta: number) => Thermodynamics {
  const context = new AdContext({ catalog: createCatalog([linalgExtension, einsumExtension]) });
  const run = jit((beta: T) => {
    const value = logPartition(beta, settings);
    const slope = value.jvp(beta, 1, { context });
    return { value, slope, curvature: slope.jvp(beta, 1, { context }) };
  }, { engine, context, name: 'ising' });
  return (beta) => {
    const { value, slope, curvature } = run(tensor(beta));
    return { logPartition: value.item(), energy: -slope.item(), specificHeat: beta ** 2 * curvature.item() };
  };
}
