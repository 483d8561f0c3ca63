/** The two-dimensional Ising model by the tensor renormalisation group, and its derivatives. */
import { AdContext, cosh, createCatalog, type Engine, fori, lessEqual, log, mul, neg, reshape, select, sinh, slice, sqrt, stack, tensor, transpose } from '@tf/core';
import { einsum, einsumExtension } from '@tf/einsum';
import { linalgExtension, svd } from '@tf/linalg';
import { jit, jvp, type TracedTensor } from '@tf/traced';

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

/** A tensor with trace 1, and what is on account of ln Z per spin. */
interface State {
  readonly x: T;
  readonly logZ: T;
}

/** The trace is what a torus of this tensor alone has as its Z: it is divided out and put on account of the spins that the tensor stands for. */
function normalised(x: T, logZ: T, perSpin: T | number): State {
  const trace = einsum('abab->', x);
  return { x: x.div(trace), logZ: logZ.add(log(trace).mul(perSpin)) };
}

/** A state with its first and second derivative with respect to β. */
interface Jet {
  readonly state: State;
  readonly first: State;
  readonly second: State;
}

/** β is one number, so derivatives go forward with the value: f(x), f′·ẋ, and of that its derivative along (ẋ, ẍ), which is f″·ẋ·ẋ + f′·ẍ. */
function advance(f: (state: State) => State, jet: Jet, context: AdContext): Jet {
  const slope = (state: State, tangent: State): readonly [State, State] => jvp(f, [state], [tangent], { context });
  const [[state, first], [, second]] = jvp(slope, [jet.state, jet.first], [jet.first, jet.second], { context });
  return { state, first, second };
}

/** ln Z per spin with its first and second derivative. Once bonds are full every step has the same shapes: the rest is one loop. */
export function logPartition(beta: T, { bond, steps }: IsingSettings, context: AdContext): readonly [value: T, first: T, second: T] {
  const step = (jet: Jet, perSpin: T | number): Jet => advance(({ x, logZ }) => normalised(coarser(x, bond), logZ, perSpin), jet, context);
  const spin = normalised(spinTensor(beta), beta.mul(0), 1);
  const derivative = ({ x, logZ }: State): State => ({ x: x.jvp(beta, 1, { context }), logZ: logZ.jvp(beta, 1, { context }) });
  let jet: Jet = { state: spin, first: derivative(spin), second: derivative(derivative(spin)) };
  let done = 0;
  for (let before = ''; done < steps && before !== jet.state.x.type.key; done++) {
    before = jet.state.x.type.key;
    jet = step(jet, 2 ** -(done + 1));
  }
  if (done < steps) [jet] = fori(steps - done, (_at, [at, perSpin]: readonly [Jet, T]) => [step(at, perSpin), perSpin.mul(0.5)] as const, [jet, tensor(2 ** -(done + 1))]);
  return [jet.state.logZ, jet.first.logZ, jet.second.logZ];
}

export interface Thermodynamics {
  /** ln Z per spin: −β times the free energy. */
  readonly logPartition: number;
  /** E = −∂ ln Z/∂β per spin, with the coupling as the unit of energy. */
  readonly energy: number;
  /** C = β² ∂² ln Z/∂β² per spin, with Boltzmann's constant as the unit. */
  readonly specificHeat: number;
}

/** One compiled program for every β. */
export function createThermodynamics(engine: Engine, settings: IsingSettings): (beta: number) => Thermodynamics {
  const context = new AdContext({ catalog: createCatalog([linalgExtension, einsumExtension]) });
  const run = jit((beta: T) => logPartition(beta, settings, context), { engine, context, name: 'ising' });
  return (beta) => {
    const [value, first, second] = run(tensor(beta)).map((part) => part.item()) as [number, number, number];
    return { logPartition: value, energy: -first, specificHeat: beta ** 2 * second };
  };
}
