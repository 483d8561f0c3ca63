import { tensor } from '@tf/core';
import { eigvalsh } from '@tf/linalg';
import { evaluate } from '@tf/traced';
import { describe, expect, it } from 'vitest';
import { createGalleryEngine } from '../engine.ts';
import { freeFermionEnergy, freeFermionMagnetisation, fullHamiltonian } from './exact.ts';
import { createGroundState } from './problem.ts';

describe('the exact energies', () => {
  it('of free fermions are those of the whole matrix', async () => {
    const engine = await createGalleryEngine(['linalg']);
    for (const [sites, field] of [[1, 0.7], [2, 1], [5, 0.3], [6, 1.4]] as const) {
      const size = 2 ** sites;
      const [lowest] = await evaluate(eigvalsh(tensor(fullHamiltonian(sites, field), { shape: [size, size] })), engine).data();
      expect(freeFermionEnergy(sites, field)).toBeCloseTo(lowest as number, 12);
    }
    engine.dispose();
  });

  it('of two spins are those by hand', () => {
    // E = −√(1 + 4 g²)
    expect(freeFermionEnergy(2, 0.6)).toBeCloseTo(-Math.sqrt(2.44), 13);
    expect(freeFermionMagnetisation(2, 0.6)).toBeCloseTo((4 * 0.6) / Math.sqrt(2.44), 9);
  });
});

describe('the matrix product state', { timeout: 120_000 }, () => {
  it('reaches energy and magnetisation of the ground state, where the bond is wide enough', async () => {
    const engine = await createGalleryEngine([]);
    const steps: number[] = [];
    const { energy, magnetisation, iterations } = await createGroundState(engine, { sites: 4, bond: 4, maxIterations: 400 })(0.9, ({ value }) => void steps.push(value));
    expect(Math.abs(energy - freeFermionEnergy(4, 0.9))).toBeLessThan(1e-7);
    expect(Math.abs(magnetisation - freeFermionMagnetisation(4, 0.9))).toBeLessThan(1e-4);
    expect(steps.length).toBe(iterations);
    engine.dispose();
  });

  it('cannot fall below the ground state, and stays above it where the bond is too narrow', async () => {
    const engine = await createGalleryEngine([]);
    const { energy } = await createGroundState(engine, { sites: 4, bond: 1, maxIterations: 200 })(0.9, () => {});
    const above = energy - freeFermionEnergy(4, 0.9);
    expect(above).toBeGreaterThan(0.01);
    expect(above).toBeLessThan(0.5);
    engine.dispose();
  });
});
