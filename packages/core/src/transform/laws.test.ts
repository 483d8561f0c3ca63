import { describe, expect, it } from 'vitest';
import type { Var } from '../contract.ts';
import { equal, less } from '../primitives/compare.ts';
import { div } from '../primitives/division.ts';
import { coreExtension, createCatalog } from '../primitives/extension.ts';
import { exp, log } from '../primitives/functions.ts';
import { pow } from '../primitives/power.ts';
import { sum } from '../primitives/reduce.ts';
import { select } from '../primitives/select.ts';
import { Builder } from '../program/builder.ts';
import { tensorType } from '../types/tensor-type.ts';
import { AdContext } from './context.ts';
import { type DerivativeCase, derivativeCases, pointOf, programOf } from './cases.testing.ts';
import { evaluateProgram } from './evaluate.testing.ts';
import { brokenLaws, derivativeProgram, dtypesWithin } from './laws.testing.ts';

const context = new AdContext({ catalog: createCatalog() });

/** All non-empty sets of inputs. */
const subsets = (count: number): readonly (readonly number[])[] => Array.from({ length: 2 ** count - 1 }, (_, bits) => Array.from({ length: count }, (__, at) => at).filter((at) => ((bits + 1) >> at) % 2 === 1));

describe('derivatives of core, for every set of active operands', () => {
  it.each(derivativeCases.map((each) => [each.name, each] as const))('%s obeys the laws to second order', (_, each) => {
    const program = programOf(each);
    subsets(each.shapes.length).forEach((wrt, at) => {
      expect(brokenLaws(context, program, pointOf(each, 7 * at + 1), wrt, { order: 2 }), `with respect to ${wrt.join()}`).toEqual([]);
    });
  });

  it('cover every operation that has a rule', () => {
    const seen = new Set(derivativeCases.flatMap((each) => programOf(each).instructions.map(({ operation }) => operation.id)));
    const missing = coreExtension.operations.filter(({ id, name }) => coreExtension.rules[name]?.kind === 'rule' && !seen.has(id)).map(({ id }) => id);
    // Nothing flows through the one, the other has no reverse: control.test.ts.
    expect(missing).toEqual(['tf.core.stopGradient', 'tf.core.while'].filter((id) => !seen.has(id)));
  });

  it('of float32 are float32 throughout', () => {
    for (const each of derivativeCases.filter(({ dtype, name }) => dtype === 'float64' && !name.startsWith('convert'))) {
      const { name } = each;
      const program = programOf(each, 'float32');
      const wrt = each.shapes.map((_, at) => at);
      for (const mode of ['pullback', 'pushforward'] as const) {
        const derivative = derivativeProgram(context, program, wrt, mode);
        // Masks and places are no numbers; where the operation makes complex numbers of real ones, of that precision too.
        const own = ['float32', 'bool', 'int32', ...(name.startsWith('complex') ? ['complex64'] : [])];
        expect([...dtypesWithin(derivative)].filter((dtype) => !own.includes(dtype)), `${each.name} ${mode}`).toEqual([]);
      }
    }
  });
});

const named = (name: string): DerivativeCase => {
  const found = derivativeCases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no case ${name}`);
  return found;
};

describe('third order', () => {
  it.each(['exp [3]', 'mul [2,3] [3]', 'pow [2,1] [1,3]', 'div [2,1] [1,3]', 'tanh []', 'prod with two 0', 'matmul of itself', 'log [3]', 'square complex128 [3]', 'pow at 0', 'gelu'])('of %s obeys the laws', (name) => {
    const each = named(name);
    const wrt = each.shapes.map((__, at) => at);
    expect(brokenLaws(context, programOf(each), pointOf(each, 3), wrt, { order: 3 })).toEqual([]);
  });
});

describe('the evaluator of these tests', () => {
  it('knows erf and erfc to 15 digits', () => {
    const each = named('erf [3]');
    const [erf] = evaluateProgram(programOf(each), [{ dtype: 'float64', shape: [3], data: [0.5, -1, 3] }]);
    [0.5204998778130465, -0.8427007929497149, 0.9999779095030014].forEach((expected, at) => expect(erf!.data[at]).toBeCloseTo(expected, 14));
    const [erfc] = evaluateProgram(programOf(named('erfc [3]')), [{ dtype: 'float64', shape: [3], data: [2.5, 5, 0.1] }]);
    [4.069520174449589e-4, 1.5374597944280349e-12, 0.8875370839817152].forEach((expected, at) => expect(Math.abs(erfc!.data[at]! / expected - 1)).toBeLessThan(1e-12));
  });
});

describe('a branch not taken', () => {
  const gradientAt = (f: (x: Var) => Var, at: readonly number[]): readonly number[] => {
    const builder = new Builder();
    const x = builder.input(tensorType('float64', [at.length]));
    const program = builder.build([sum(f(x))]);
    const { data } = evaluateProgram(derivativeProgram(context, program, [0], 'pullback'), [{ dtype: 'float64', shape: [at.length], data: [...at] }, { dtype: 'float64', shape: [], data: [1] }])[0]!;
    return [...data].map((value) => value + 0);
  };

  it.each([
    ['a root at 0', (x: Var) => select(less(0, x), pow(x, 0.5), x), [0, 4], [1, 0.25]],
    ['an exponential that overflows', (x: Var) => select(less(x, 700), exp(x), 0), [0, 1000], [1, 0]],
    ['a logarithm at 0', (x: Var) => select(less(0, x), log(x), 0), [0, 2], [0, 0.5]],
    ['a quotient by 0', (x: Var) => select(equal(x, 0), 0, div(1, x)), [0, 2], [0, -0.25]],
  ] as const)('adds exactly 0: %s', (_, f, at, expected) => {
    expect(gradientAt(f as (x: Var) => Var, at)).toEqual([...expected]);
  });
});
