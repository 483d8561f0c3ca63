import { compileProgram } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { compile, extractProgram, input, type TracedTensor } from './index.ts';

const length = 100_000;

/** x ↦ (c^length · x)² */
function chain(x: TracedTensor<'float64'>): TracedTensor<'float64'> {
  let y = x;
  for (let at = 0; at < length; at++) y = y.mul(1.00001);
  return y.mul(y);
}

describe('a chain of 100 000 operations', () => {
  it('is built, differentiated twice, extracted and planned without recursion', { timeout: 120_000 }, () => {
    const x = input('x');
    const y = chain(x);
    const gradient = y.grad(x);
    const { program } = extractProgram([y, gradient, gradient.grad(x)]);
    expect(program.instructions.length).toBeGreaterThan(3 * length);
    expect(program.bound.length).toBe(1);
    expect(compileProgram(program).steps.length).toBeGreaterThan(3 * length);
  });

  it('runs, and its gradient is right', { timeout: 120_000 }, async () => {
    const engine = await createEngine();
    const x = input('x');
    const y = chain(x);
    const [value, gradient] = compile([y, y.grad(x)], { engine })({ x: 3 });
    const factor = Array.from({ length }).reduce<number>((product) => product * 1.00001, 3);
    expect(value.item() / factor ** 2).toBeCloseTo(1, 10);
    expect(gradient.item() / ((2 * factor ** 2) / 3)).toBeCloseTo(1, 10);
    engine.dispose();
  });
});
