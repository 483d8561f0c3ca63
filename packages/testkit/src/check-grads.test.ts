import { abs, conj, exp, greater, mul, select, sin, stopGradient, sum, type Var } from '@tf/core';
import { describe, expect, it } from 'vitest';
import { checkGrads } from './check-grads.ts';
import { LawError } from './laws/law.ts';
import { hostValue } from './values.ts';

const x = hostValue('float64', [3], [0.5, -1.25, 2]);

describe('checkGrads', () => {
  it('reports how far each law came to its limit', () => {
    const report = checkGrads((a) => mul(exp(a!), sin(a!)), [x], { name: 'eˣ·sin x' });
    expect(report.map(({ law }) => law)).toEqual(['types', 'linear', 'derivative', 'adjoint', 'second-order']);
    for (const { worst, tolerance } of report) if (worst !== undefined) expect(worst).toBeLessThan(tolerance! / 10);
  });

  it('checks complex functions with independent real and imaginary parts', () => {
    const z = hostValue('complex128', [2], [1, 2, -0.5, 0.25]);
    expect(checkGrads((a) => mul(mul(a!, conj(a!)), a!), [z])).toHaveLength(5);
  });

  it('is the same for the same seed and passes for many', () => {
    const f = (a: Var | undefined): Var => sum(mul(a!, sin(a!))) as Var;
    expect(checkGrads(f, [x], { seed: 5 })).toEqual(checkGrads(f, [x], { seed: 5 }));
    for (let seed = 0; seed < 20; seed++) checkGrads(f, [x], { seed });
  });

  it('names the function, the law and the worst entry', () => {
    const wrong = (a: Var | undefined): Var => mul(a!, stopGradient(a!)) as Var;
    expect(() => checkGrads(wrong, [x], { name: 'x·stop(x)' })).toThrow(/x·stop\(x\) breaks the law "derivative": J v along all inputs, output 0, against central differences: \[\d\] is .* expected/);
    expect(() => checkGrads(wrong, [x])).toThrow(LawError);
  });

  it('sees what only the second derivative shows', () => {
    // The slope eˣ is right, and does not know that it depends on x.
    const half = (a: Var | undefined): Var => mul(stopGradient(exp(a!)), a!) as Var;
    expect(() => checkGrads(half, [x])).toThrow('"derivative"');
    expect(checkGrads((a) => exp(a!), [x], { order: 1 })).toHaveLength(4);
  });

  it('refuses to check nothing', () => {
    expect(() => checkGrads((a) => greater(a!, 0), [x])).toThrow('nothing to check');
  });

  it('accepts kinks where no difference crosses them', () => {
    checkGrads((a) => select(greater(a!, 0), a!, abs(a!)), [x]);
    expect(() => checkGrads((a) => abs(a!), [hostValue('float64', [1], [1e-4])])).toThrow('"derivative"');
  });
});
