import { abs, acosh, add, asin, buildCatalog, Builder, type Catalog, cond, convert, coreExtension, cos, cumLogSumExp, cummax, div, exp, flip, fori, greater, maximum, mul, type Operand, pow, type Program, reshape, rsqrt, scatterMax, sin, slice, sort, sqrt, square, stopGradient, sub, sum, tanh, tensor, tensorType, type Var, vectorNorm } from '@tf/core';
import { hostValue } from '@tf/testkit';
import { describe, expect, test } from 'vitest';
import { mutants } from '../mutants.testing.ts';
import { createSubject } from '../subject.ts';
import { checkAdjoint, checkDifferences, checkSecondOrder, pointOf } from './derivatives.ts';

/** (1 + 0.45 tanh x)^(y − stop(y) + k): an exponent that is k here, and varies. */
function powerBeside(k: number): Program {
  const builder = new Builder();
  const [x, y] = [builder.input(tensorType('float64', [2])), builder.input(tensorType('float64', [2]))];
  const base = add(mul(tanh(x), 0.45), 1) as Operand;
  return builder.build([pow(base, add(sub(y, stopGradient(y)), k)) as never]);
}

const inputs = [hostValue('float64', [2], [0.5, -0.75]), hostValue('float64', [2], [1.5, 0.25])];

test.each([-1, 0, 1, 2])('powers beside %d have the second derivatives that differences give', (k) => {
  expect(checkSecondOrder(createSubject(), pointOf(powerBeside(k), inputs, 11))).toEqual({ kind: 'agrees' });
});

test('a slope that forgets an exponent of 0 is right to first order and found in the second', () => {
  const mutant = mutants.find(({ check }) => check === 'second order') as (typeof mutants)[number];
  const subject = createSubject(mutant.subject());
  const point = pointOf(powerBeside(0), inputs, 11);
  expect([checkDifferences(subject, point).kind, checkAdjoint(subject, point).kind]).toEqual(['agrees', 'agrees']);
  expect(checkSecondOrder(subject, point)).toMatchObject({ kind: 'disagrees', what: expect.stringMatching(/^the tangent of the gradient of output/) });
});

test('a program is compared though it reads integers of 64 bits', () => {
  const builder = new Builder();
  const [x, counts] = [builder.input(tensorType('float64', [2])), builder.input(tensorType('int64', [2]))];
  const point = pointOf(builder.build([mul(x, convert(counts, 'float64')) as Var]), [hostValue('float64', [2], [0.5, 2]), hostValue('int64', [2], [3, -1])], 11);
  expect(checkDifferences(createSubject(), point).kind).toBe('agrees');
});

describe('where a slope is infinite', () => {
  const outcome = (f: (x: Operand) => unknown, dtype: 'float64' | 'complex128', x: readonly number[], catalog?: Catalog): unknown => {
    const builder = new Builder();
    const program = builder.build([f(builder.input(tensorType(dtype, [])) as Operand) as never]);
    const result = checkDifferences(createSubject(catalog === undefined ? {} : { catalog }), pointOf(program, [hostValue(dtype, [], x)], 11));
    return result.kind === 'skipped' ? result.why : result.kind;
  };
  const o = (x: unknown): Operand => x as Operand;

  test('what rounding moves there is not compared', () => {
    expect(outcome((z) => asin(o(mul(z, o(div(1, z))))), 'complex128', [1.1, 0.2])).toBe('an infinite slope');
    expect(outcome((x) => asin(o(div(x, x))), 'float64', [0.3])).toMatch(/^(an infinite slope|agrees)$/);
  });

  test('what stands still there is compared: a root without its mask is found', () => {
    const still = (x: Operand): unknown => add(x, o(sqrt(o(mul(x, 0)))));
    expect(outcome(still, 'float64', [0.5])).toBe('agrees');
    const unmasked = buildCatalog([{ ...coreExtension, rules: { ...coreExtension.rules, sqrt: { kind: 'rule', linearize: (ctx, [dx]) => [div(o(dx), o(mul(o(ctx.output(0)), 2))) as Var] } } }]);
    expect(outcome(still, 'float64', [0.5], unmasked)).toBe('disagrees');
  });

  test('an infinite tangent is no agreement', () => {
    const infinite = buildCatalog([{ ...coreExtension, rules: { ...coreExtension.rules, sin: { kind: 'rule', linearize: (_ctx, [dx]) => [mul(o(dx), Infinity) as Var] } } }]);
    expect(outcome((x) => sin(x), 'float64', [0.5], infinite)).toBe('disagrees');
  });
});

describe('where both step lengths go too far', () => {
  const withSlope = (name: string, slope: (x: Operand, dx: Operand) => unknown): Catalog => buildCatalog([{ ...coreExtension, rules: { ...coreExtension.rules, [name]: { kind: 'rule', linearize: (ctx, [dx]) => [slope(ctx.input(0), dx as Operand) as Var] } } }]);
  const outcome = (f: (x: Operand) => unknown, x: readonly number[], catalog?: Catalog): string => {
    const builder = new Builder();
    const program = builder.build([f(builder.input(tensorType('float64', [x.length])) as Operand) as never]);
    return checkDifferences(createSubject(catalog === undefined ? {} : { catalog }), pointOf(program, [hostValue('float64', [x.length], x)], 11)).kind;
  };
  const norms = (x: Operand): unknown => vectorNorm(reshape(x, [2, 1]), { axes: 1 });
  const bell = (x: Operand): unknown => exp(mul(square(mul(x, 1e12)) as Operand, -1) as Operand);

  test('past a bend as near as 1e-40 the step that the tangent asks for decides', () => {
    expect(outcome(norms, [0.49, -1e-40])).toBe('agrees');
    expect(outcome(norms, [0.49, -1e-40], withSlope('euclideanNorm', (_x, dx) => sum(dx, { axes: 1 })))).toBe('disagrees');
  });

  test('and from one tail of a bell to the other', () => {
    expect(outcome(bell, [-7e-13, 2e-12])).toBe('agrees');
    expect(outcome(bell, [-7e-13, 2e-12], withSlope('exp', (x, dx) => mul(mul(exp(x), dx), 2)))).toBe('disagrees');
  });
});

describe('where rounding moves the differences further than their last bits', () => {
  const o = (x: unknown): Operand => x as Operand;
  const outcome = (f: (x: Operand) => unknown, dtype: 'float64' | 'complex128', x: readonly number[], direction: readonly number[], catalog?: Catalog): string => {
    const builder = new Builder();
    const program = builder.build([f(builder.input(tensorType(dtype, [])) as Operand) as never]);
    return checkDifferences(createSubject(catalog === undefined ? {} : { catalog }), { ...pointOf(program, [hostValue(dtype, [], x)], 11), direction: [hostValue(dtype, [], direction)] }).kind;
  };
  const twice = (name: string, f: (x: Operand) => unknown): Catalog => buildCatalog([{ ...coreExtension, rules: { ...coreExtension.rules, [name]: { kind: 'rule', linearize: (ctx, [dx]) => [mul(o(mul(o(f(ctx.input(0))), 2)), dx as Operand) as Var] } } }]);

  test('a small number added to 1 is known to few digits', () => {
    const nearOne = (x: Operand): unknown => acosh(o(add(o(mul(o(exp(x)), 0.45)), 1)));
    expect(outcome(nearOne, 'float64', [-20.614291973866703], [13.346925485853198])).toBe('agrees');
    expect(outcome(nearOne, 'float64', [-20.614291973866703], [13.346925485853198], twice('exp', exp))).toBe('disagrees');
  });

  test('and a small part of a large complex number', () => {
    const there = (z: Operand): unknown => sin(o(asin(z)));
    expect(outcome(there, 'complex128', [-32575539.47751143, -8.079033617848825], [21091352.47618501, 5.595685940120179])).not.toBe('disagrees');
    expect(outcome(there, 'complex128', [-32575539.47751143, -8.079033617848825], [21091352.47618501, 5.595685940120179], twice('sin', cos))).toBe('disagrees');
  });
});

describe('where a slope underflows and a direction is as large as the least numbers are small', () => {
  const adjoint = (catalog?: Catalog): string => {
    const builder = new Builder();
    const program = builder.build([rsqrt(builder.input(tensorType('complex128', [])) as Operand) as never]);
    const point = pointOf(program, [hostValue('complex128', [], [0.6858751248335465, 1e300])], 11);
    return checkAdjoint(createSubject(catalog === undefined ? {} : { catalog }), { ...point, direction: [hostValue('complex128', [], [0.6474598061759025, 6.926182269817219e299])] }).kind;
  };

  test('the adjoint holds as far as it can', () => {
    expect(adjoint()).toBe('agrees');
  });

  test('and one that is off by more than they are is found', () => {
    const wrong = buildCatalog([{ ...coreExtension, rules: { ...coreExtension.rules, rsqrt: { kind: 'rule', linear: { inputs: [0], how: 'together' }, linearize: (_ctx, [dx]) => [dx as Var], transpose: (_ctx, [ct]) => [mul(ct as Operand, 2) as Var] } } }]);
    expect(adjoint(wrong)).toBe('disagrees');
  });
});

describe('bends inside regions and running values', () => {
  /** At x the sum of f(x), and whether differences had something to say. */
  function outcome(f: (x: Operand) => unknown, x: readonly number[]): unknown {
    const builder = new Builder();
    const program = builder.build([f(builder.input(tensorType('float64', [x.length])) as Operand) as never]);
    const result = checkDifferences(createSubject(), pointOf(program, [hostValue('float64', [x.length], x)], 11));
    return result.kind === 'skipped' ? result.why : result.kind;
  }
  const o = (x: unknown): Operand => x as Operand;
  const cases: { readonly [name: string]: (x: Operand) => Operand } = {
    'a maximum in a loop': (x) => o(fori(2, (_i, c: Operand) => o(maximum(c, flip(x))), x)),
    'a modulus in a loop in a branch': (x) => o(cond(greater(o(sum(x)), -99), (y: Operand) => o(fori(2, (_i, c: Operand) => o(add(c, abs(sub(x, 1)))), y)), (y: Operand) => y, x)),
    'a running maximum': (x) => cummax(x) as Operand,
    'a running sum of exponentials, with steps far beyond 1': (x) => mul(o(cumLogSumExp(o(mul(x, 1e5)))), 1e-5) as Operand,
    'a sort': (x) => sort(x) as Operand,
    'the larger of what goes to one place': (x) => o(scatterMax(slice(x, [0], [1]), tensor([0, 0], { dtype: 'int32' }), slice(x, [1], [3]))),
  };

  test.each(Object.keys(cases))('%s is compared where nothing meets the bend, whatever is equal elsewhere, and skipped where something does', (name) => {
    const f = cases[name] as (x: Operand) => Operand;
    // The last two are used by nothing that bends: they are equal and zero.
    const beside = (x: Operand): Operand => o(add(f(o(slice(x, [0], [3]))), o(sum(slice(x, [3], [5])))));
    expect(outcome(beside, [0.5, 2, 3, 0, 0])).toBe('agrees');
    expect(outcome(beside, [1, 1, 1, 0, 0])).toBe('a kink nearby');
  });
});
