import { AdContext, createCatalog, tensor } from '@tf/core';
import { fftExtension } from '@tf/fft';
import { jit, valueAndGrad } from '@tf/traced';
import { describe, expect, it } from 'vitest';
import { createGalleryEngine } from '../engine.ts';
import { aligned, specimen } from './image.ts';
import { createRetrieval, misfit } from './problem.ts';

const random = (count: number, start: number): Float64Array => Float64Array.from({ length: count }, (_, at) => Math.sin(12.9898 * (at + start)) * Math.cos(78.233 * (at + start)));

describe('the distance of two images', () => {
  it('does not see a phase that all points share, and sees everything else', async () => {
    const hidden = await specimen(8).data();
    const turned = hidden.map((_, at) => (at % 2 === 0 ? -(hidden[at + 1] as number) : (hidden[at - 1] as number)));
    expect(aligned(turned, hidden).error).toBeLessThan(1e-15);
    expect(aligned(turned, hidden).values[6]).toBeCloseTo(hidden[6] as number, 14);
    expect(aligned(hidden.map((value) => 1.1 * value), hidden).error).toBeCloseTo(0.1, 12);
    expect(aligned(hidden.map((value, at) => (at % 2 === 0 ? value : -value)), hidden).error).toBeGreaterThan(0.1);
  });
});

describe('phase retrieval', { timeout: 120_000 }, () => {
  it('has the gradient ∂/∂Re + i·∂/∂Im of central differences', async () => {
    const engine = await createGalleryEngine(['fft']);
    const context = new AdContext({ catalog: createCatalog([fftExtension]) });
    const slopes = jit(valueAndGrad(misfit, { context }), { engine, context });
    const image = (values: Float64Array) => tensor(values, { shape: [2, 3], dtype: 'complex128' });
    const masks = tensor(random(24, 5), { shape: [2, 2, 3], dtype: 'complex128' });
    const seen = tensor(random(12, 40).map(Math.abs), { shape: [2, 2, 3] });
    const at = random(12, 1);
    const [, gradient] = slopes(image(at), masks, seen);
    const found = await gradient.data();
    at.forEach((value, index) => {
      const moved = (h: number): number => slopes(image(at.map((same, other) => (other === index ? value + h : same))), masks, seen)[0].item();
      const difference = (4 * (moved(5e-4) - moved(-5e-4)) / 1e-3 - (moved(1e-3) - moved(-1e-3)) / 2e-3) / 3;
      expect(found[index]).toBeCloseTo(difference, 7);
    });
    engine.dispose();
  });

  it('sees as much light as went through, and a pattern that knows nothing of the phase of the whole', async () => {
    const engine = await createGalleryEngine(['fft']);
    const { measure } = createRetrieval(engine, { size: 8, masks: 3, seed: 2 });
    const image = specimen(8);
    const values = await image.data();
    const seen = await measure(image).data();
    const light = values.reduce((sum, value) => sum + value ** 2, 0);
    for (const mask of [0, 1, 2]) expect(seen.slice(64 * mask, 64 * (mask + 1)).reduce((sum, value) => sum + value, 0)).toBeCloseTo(light, 11);
    const turned = await measure(tensor(values.map((_, at) => (at % 2 === 0 ? -(values[at + 1] as number) : (values[at - 1] as number))), { shape: [8, 8], dtype: 'complex128' })).data();
    seen.forEach((value, at) => expect(turned[at]).toBeCloseTo(value, 12));
    engine.dispose();
  });

  it('recovers a hidden image from the brightness of its patterns', async () => {
    const engine = await createGalleryEngine(['fft']);
    const retrieval = createRetrieval(engine, { size: 16, masks: 6, seed: 1 });
    const hidden = specimen(16);
    const { parameters } = await retrieval.recover(retrieval.measure(hidden), 200, () => {});
    expect(aligned(await parameters.data(), await hidden.data()).error).toBeLessThan(1e-6);
    engine.dispose();
  });
});
