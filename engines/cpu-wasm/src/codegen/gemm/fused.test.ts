import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import { createEngineSync } from '../../index.ts';
import { borderSizes, layoutsThatDiffer, roundedApart, roundedTogether, sweep } from './contract.testing.ts';
import { hasFusedProducts } from './fused.ts';

// Node 20 has the instruction behind a flag, later ones have it.
if (!hasFusedProducts()) setFlagsFromString('--experimental-wasm-relaxed-simd');
const engine = createEngineSync();

test('the engine says that contractions are fused where a validated module with the instruction really is', () => {
  expect([hasFusedProducts(), engine.info.numerics]).toEqual([true, 'wasm-simd128 fused-contractions']);
});

test.each(['float32', 'float64'] as const)('fused products of %s have the promised bits in every layout, edges included', (dtype) => {
  const multiplyAdd = roundedTogether(dtype);
  expect([...sweep(14), ...borderSizes].flatMap((size) => layoutsThatDiffer(engine, dtype, size, multiplyAdd))).toEqual([]);
});

test('negative products too small for a number give the same zero in every layout', () => {
  const tiny = (count: number, seed: number): Float32Array => new Float32Array(count).fill(seed === 5 ? -1e-30 : 1e-30);
  const sizes = [1, 2, 3, 4, 5, 16, 17].flatMap((k) => [{ m: 9, n: 1, k }, { m: 1, n: 1, k }, { m: 5, n: 9, k }]);
  expect(sizes.flatMap((size) => layoutsThatDiffer(engine, 'float32', size, roundedTogether('float32'), tiny))).toEqual([]);
});

test('the comparison would notice a product that is rounded before it is added', () => {
  expect(layoutsThatDiffer(engine, 'float32', { m: 7, n: 9, k: 30 }, roundedApart.float32)).toHaveLength(8);
});
