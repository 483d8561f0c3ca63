import { compileProgram, printProgram } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { extractProgram, input, jit, type TracedTensor, valueAndGrad } from './index.ts';

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
    expect(compileProgram(program, { fuse: false }).steps.length).toBeGreaterThan(3 * length);
    expect(compileProgram(program).steps.length).toBeLessThan(length / 10);
  });

  it('y=x; 100000 times y=y+y*1e-6: by jit, printed, refused by structuredClone; dy/dx=(1+1e-6)^100000', { timeout: 240_000 }, async () => {
    const engine = await createEngine();
    let kept: TracedTensor | undefined;
    const grow = (x: TracedTensor<'float64'>): TracedTensor<'float64'> => {
      let y = x;
      for (let at = 0; at < length; at++) y = y.add(y.mul(1e-6));
      kept = y;
      return y;
    };
    const [value, gradient] = jit(valueAndGrad(grow), { engine })(1);
    expect(Math.abs(value.item() / 1.1051708627 - 1)).toBeLessThan(1e-9);
    expect(Math.abs(gradient.item() / 1.1051708627 - 1)).toBeLessThan(1e-9);
    expect(() => structuredClone(kept)).toThrow(/could not be cloned/);
    expect(() => String(kept)).toThrow(/was used as a string/);
    expect(printProgram(extractProgram([chain(input('x'))]).program).split('\n').length).toBeGreaterThan(length);
    engine.dispose();
  });
});
