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

test('the comparison would notice a product that is rounded before it is added', () => {
  expect(layoutsThatDiffer(engine, 'float32', { m: 7, n: 9, k: 30 }, roundedApart.float32)).toHaveLength(8);
});
