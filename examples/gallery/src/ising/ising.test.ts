import { describe, expect, it } from 'vitest';
import { createGalleryEngine } from '../engine.ts';
import { criticalBeta, onsager } from './onsager.ts';
import { createThermodynamics } from './problem.ts';

describe('the exact solution', () => {
  it('has the energy −√2 at the critical point and no order above it', () => {
    expect(onsager(criticalBeta).energy).toBeCloseTo(-Math.SQRT2, 7);
    expect(onsager(1e-3).logPartition).toBeCloseTo(Math.LN2 + 1e-6, 11);
  });

  it.each([0.2, 0.4, 0.5, 0.8])('agrees with differences of its own ln Z at β = %f', (beta) => {
    const h = 1e-3;
    const [less, here, more] = [beta - h, beta, beta + h].map((at) => onsager(at).logPartition) as [number, number, number];
    expect(onsager(beta).energy).toBeCloseTo(-(more - less) / (2 * h), 3);
    expect(onsager(beta).specificHeat).toBeCloseTo((beta ** 2 * (more - 2 * here + less)) / h ** 2, 3);
  });
});

describe('the tensor program', { timeout: 120_000 }, () => {
  it('sums a small torus exactly', async () => {
    // Two spins, as one step of splitting leaves them: each is the other's neighbour on all four sides.
    const engine = await createGalleryEngine(['linalg']);
    const beta = 0.3;
    const { logPartition, energy, specificHeat } = createThermodynamics(engine, { bond: 4, steps: 1 })(beta);
    // Z = 2 e^4β + 2 e^−4β
    expect(2 * logPartition).toBeCloseTo(Math.log(4 * Math.cosh(4 * beta)), 12);
    expect(2 * energy).toBeCloseTo(-4 * Math.tanh(4 * beta), 12);
    expect(2 * specificHeat).toBeCloseTo((4 * beta / Math.cosh(4 * beta)) ** 2, 11);
    engine.dispose();
  });

  it('finds free energy, energy and specific heat of the infinite lattice, on both sides of the critical point', async () => {
    const engine = await createGalleryEngine(['linalg']);
    const compute = createThermodynamics(engine, { bond: 8, steps: 16 });
    for (const [temperature, energyError] of [[1.6, 1e-5], [3.2, 2e-4]] as const) {
      const [found, exact] = [compute(1 / temperature), onsager(1 / temperature)];
      expect(Math.abs(found.logPartition - exact.logPartition)).toBeLessThan(2e-5);
      expect(Math.abs(found.energy - exact.energy)).toBeLessThan(energyError);
      expect(Math.abs(found.specificHeat - exact.specificHeat)).toBeLessThan(3e-4);
    }
    engine.dispose();
  });
});
