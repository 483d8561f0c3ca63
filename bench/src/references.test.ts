import { describe, expect, it } from 'vitest';
import { ownSources } from './contenders.ts';
import { relativeError } from './judge.ts';
import { product } from './product.ts';
import { normalDistribution, referenceOf } from './references.ts';
import { isUnsupported } from './contender.ts';
import { inputsOf, workloads } from './workloads.ts';

describe('the references', () => {
  it('know the normal distribution at points of tables, on both sides', () => {
    expect(normalDistribution(0)).toBe(0.5);
    expect(normalDistribution(1.96)).toBeCloseTo(0.9750021048517795, 14);
    expect(normalDistribution(-3)).toBeCloseTo(0.0013498980316300933, 15);
  });

  it('multiply matrices', () => {
    expect([...product(Float64Array.of(1, 2, 3, 4), Float64Array.of(5, 6, 7, 8), 2, 2, 2)]).toEqual([19, 22, 43, 50]);
  });

  it('have names that nothing else has', () => {
    expect(new Set(workloads.map(({ name }) => name)).size).toBe(workloads.length);
  });

  it('agree with our own contenders on every workload but the large products', { timeout: 120_000 }, async () => {
    const contenders = await Promise.all(ownSources.filter(({ kind }) => kind === 'tf').map((source) => source.open()));
    let compared = 0;
    for (const workload of workloads.filter(({ task, size, group }) => group !== 'mlp' && (task !== 'matmul' || size <= 64) && size < (task.startsWith('program') || task === 'matrix chain gradients' ? 100 : 1e6) && (group !== 'linalg' || size <= 64) && (group !== 'sizes' || size <= 8))) {
      const inputs = inputsOf(workload);
      const reference = referenceOf(workload, inputs);
      for (const contender of contenders) {
        const prepared = await contender.prepare(workload, inputs);
        if (isUnsupported(prepared)) continue;
        await prepared.run();
        expect(relativeError((await prepared.result()) ?? [], reference), `${workload.name}: ${contender.name}`).toBeLessThanOrEqual(workload.tolerance);
        prepared.dispose?.();
        compared++;
      }
    }
    contenders.forEach((contender) => contender.close?.());
    expect(compared).toBeGreaterThanOrEqual(36);
  });
});
