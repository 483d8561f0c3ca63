/** The ground state of a quantum spin chain as a matrix product state, found by its energy's gradient. */
import { AdContext, createCatalog, div, type Engine, type HostTensor, normal, randomKey, scan, slice, tensor } from '@tf/core';
import { einsum, einsumExtension } from '@tf/einsum';
import { minimize, type MinimizeStep } from '@tf/optim';
import { jit, type TracedTensor, valueAndGrad } from '@tf/traced';

type T = TracedTensor<'float64'>;
type Host = HostTensor<'float64'>;

/**
 * The transverse-field Ising chain with open ends, H = −Σ Xᵢ Xᵢ₊₁ − g Σ Zᵢ, as a matrix product operator [left, right, out, in]. From the left its
 * state is 0 before the first term, 1 after an X that waits for its partner, and 2 behind the last term.
 */
export function hamiltonianTensor(field: T | number): T {
  const [one, x, z] = [[[1, 0], [0, 1]], [[0, 1], [1, 0]], [[1, 0], [0, -1]]];
  const nothing = [[0, 0], [0, 0]];
  const fixed = tensor([[one, negated(x), nothing], [nothing, nothing, x], [nothing, nothing, one]]);
  const ofField = tensor([[nothing, nothing, negated(z)], [nothing, nothing, nothing], [nothing, nothing, nothing]]);
  return fixed.add(ofField.mul(field)) as unknown as T;
}

function negated(matrix: readonly (readonly number[])[]): number[][] {
  return matrix.map((row) => row.map((value) => -value));
}

/**
 * ⟨ψ|H|ψ⟩/⟨ψ|ψ⟩ of the state ψ(s₁ … sₙ) = (A₁[s₁] ··· Aₙ[sₙ])₀₀ with all tensors in one, [site, left, spin, right]: a walk over the sites that carries
 * what lies to the left, with the operator between the two states and without.
 */
export function energy(state: T, field: T | number): T {
  const bond = state.type.shape[1] as number;
  const operator = hamiltonianTensor(field);
  const corner = (width: number): Host => tensor(Float64Array.from({ length: bond * width * bond }, (_, at) => (at === 0 ? 1 : 0)), { shape: width === 1 ? [bond, bond] : [bond, width, bond] });
  const [[withOperator, without]] = scan(([left, norm]: readonly [T, T], site: T) => {
    const next = einsum('awb,asc,wvst,btd->cvd', left, site, operator, site);
    const nextNorm = einsum('ab,asc,bsd->cd', norm, site, site);
    return [[next, nextNorm], undefined] as const;
  }, [corner(3), corner(1)] as unknown as readonly [T, T], state);
  return div(slice(withOperator, [0, 2, 0], [1, 3, 1]).sum(), slice(without, [0, 0], [1, 1]).sum());
}

export interface GroundState {
  readonly energy: number;
  /** ⟨Σ Zᵢ⟩ = −∂E/∂g: where the energy is stationary in the state, only the operator's own dependence on the field counts. */
  readonly magnetisation: number;
  readonly iterations: number;
}

export interface ChainSettings {
  readonly sites: number;
  /** How wide the matrices are: 2^(sites/2) is exact. */
  readonly bond: number;
  readonly maxIterations: number;
}

/** One compiled program for every field, and L-BFGS around it. */
export function createGroundState(engine: Engine, { sites, bond, maxIterations }: ChainSettings): (field: number, onStep: (step: MinimizeStep) => unknown) => Promise<GroundState> {
  const context = new AdContext({ catalog: createCatalog([einsumExtension]) });
  const run = jit(valueAndGrad(energy, { argnums: [0, 1], context }), { engine, context, name: 'chain' });
  const start = jit((key: TracedTensor<'int32'>) => firstState(key, sites, bond), { engine })(randomKey(1));
  return async (field, onStep) => {
    const at = tensor(field);
    const slopes = (state: Host): readonly [unknown, unknown] => {
      const [value, [ofState]] = run(state, at);
      return [value, ofState];
    };
    const { parameters, value, iteration } = await minimize(slopes, start, { memory: 20, gradientTolerance: 1e-8, maxIterations, onStep });
    const [, [, ofField]] = run(parameters, at);
    return { energy: value, magnetisation: -ofField.item(), iterations: iteration };
  };
}

/** All spins along the field, with a little noise that tells the entries of the matrices apart. */
function firstState(key: TracedTensor<'int32'>, sites: number, bond: number): T {
  const up = Float64Array.from({ length: bond * 2 * bond }, (_, at) => (at === 0 ? 1 : 0));
  return normal(key, [sites, bond, 2, bond], { dtype: 'float64' }).mul(0.1).add(tensor(up, { shape: [bond, 2, bond] }));
}
