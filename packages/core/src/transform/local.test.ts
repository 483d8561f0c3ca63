import { describe, expect, it } from 'vitest';
import type { Atom, DerivativeRule, Operation, Program, Rule, RuleContext, Var } from '../contract.ts';
import { isTfError } from '../errors.ts';
import * as scalar from '../loop/scalar.ts';
import { add, mul, neg } from '../primitives/arithmetic.ts';
import { convert } from '../primitives/convert.ts';
import { createCatalog } from '../primitives/extension.ts';
import { exp } from '../primitives/functions.ts';
import { transpose } from '../primitives/movement.ts';
import { sum } from '../primitives/reduce.ts';
import { concat } from '../primitives/slicing.ts';
import { Builder } from '../program/builder.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { tensorType } from '../types/tensor-type.ts';
import { AdContext } from './context.ts';
import type { Value } from './evaluate.testing.ts';
import { brokenLaws, derivativeProgram } from './laws.testing.ts';

const family = 'acme.test2';
interface Case {
  readonly program: Program;
  readonly context: AdContext;
  readonly point: readonly Value[];
}

/** A program of one operation of two operands, whose rule is under test. */
function caseOf(rule: Rule, element: (x: ScalarExpr, y: ScalarExpr) => readonly ScalarExpr[], given: { readonly infer?: Operation['infer']; readonly shape?: readonly number[] } = {}): Case {
  const operation: Operation = {
    id: `${family}.f`, family, name: 'f',
    infer: given.infer ?? (([x]) => [x as TensorType]),
    traits: { elementwise: () => element(scalar.argument('f64', 0), scalar.argument('f64', 1)) },
  };
  const catalog = createCatalog([{ contract: 1, family, package: '@acme/test', version: '1.0.0', operations: [operation], rules: { f: rule } }]);
  const builder = new Builder();
  const type = tensorType('float64', given.shape ?? [2]);
  const outputs = builder.emit(operation, [builder.input(type), builder.input(type)], {});
  const count = (given.shape ?? [2]).reduce((product, size) => product * size, 1);
  const point = [1, -2].map((sign): Value => ({ dtype: 'float64', shape: given.shape ?? [2], data: Array.from({ length: count }, (_, at) => sign * (0.7 + at / 4)) }));
  return { program: builder.build(outputs), context: new AdContext({ catalog }), point };
}

const laws = ({ program, context, point }: Case, order = 2): readonly string[] => [[0], [1], [0, 1]].flatMap((wrt) => brokenLaws(context, program, point, wrt, { order }));
const thrown = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (isTfError(error)) return `${error.name}: ${error.message}`;
    throw error;
  }
  return 'nothing';
};
const reverse = ({ program, context }: Case, wrt: readonly number[] = [0, 1]): string => thrown(() => derivativeProgram(context, program, wrt, 'pullback'));
const forward = ({ program, context }: Case, wrt: readonly number[] = [0, 1]): string => thrown(() => derivativeProgram(context, program, wrt, 'pushforward'));

const rule = (given: Omit<DerivativeRule, 'kind'>): Rule => ({ kind: 'rule', ...given });
const times = (...factors: readonly unknown[]): Var => factors.reduce((product, factor) => mul(product as Var, factor as Var)) as Var;
/** f(x, y) = x²·y: 2xy dx + x² dy. */
const squareTimes = (x: ScalarExpr, y: ScalarExpr): readonly ScalarExpr[] => [scalar.mul(scalar.mul(x, x), y)];
const dxShare = (ctx: RuleContext, dx: Var): Var => times(dx, 2, ctx.input(0), ctx.input(1));
const dyShare = (ctx: RuleContext, dy: Var): Var => times(dy, ctx.input(0), ctx.input(0));
const plus = (a: Var | undefined, b: Var | undefined): Var | undefined => (a === undefined ? b : b === undefined ? a : (add(a, b) as Var));
const linearize: DerivativeRule['linearize'] = (ctx, [dx, dy]) => [plus(dx && dxShare(ctx, dx), dy && dyShare(ctx, dy))];
const vjp: DerivativeRule['vjp'] = (ctx, [ct]) => [dxShare(ctx, ct!), dyShare(ctx, ct!)];
const residuals = { inputs: [0, 1] };

describe('a rule', () => {
  it('with linearize alone gives both directions', () => {
    expect(laws(caseOf(rule({ linearize }), squareTimes), 3)).toEqual([]);
  });

  it('with vjp alone gives both directions, to third order', () => {
    expect(laws(caseOf(rule({ vjp, residuals }), squareTimes), 3)).toEqual([]);
  });

  it('with both uses linearize forward and vjp in reverse', () => {
    const used: string[] = [];
    const both = caseOf(rule({ linearize: (ctx, tangents) => (used.push('linearize'), linearize(ctx, tangents)), vjp: (ctx, cotangents) => (used.push('vjp'), vjp(ctx, cotangents)), residuals }), squareTimes);
    forward(both);
    reverse(both);
    expect(used).toEqual(['linearize', 'vjp']);
    expect(laws(both)).toEqual([]);
  });

  it('linear in each of two operands is asked for one share at a time', () => {
    const asked: string[] = [];
    const bilinear = caseOf(rule({ linear: { inputs: [0, 1], how: 'each' }, transpose: (ctx, [ct]) => {
      asked.push(ctx.active.join());
      return ctx.active[0] ? [times(ct, ctx.input(1)), undefined] : [undefined, times(ct, ctx.input(0))];
    } }), (x, y) => [scalar.mul(x, y)]);
    expect(laws(bilinear)).toEqual([]);
    expect([...new Set(asked)].sort()).toEqual(['false,true', 'true,false']);
  });

  it('runs once for equal types and activity, however often its operation occurs', () => {
    let runs = 0;
    const { context, program } = caseOf(rule({ linearize: (ctx, tangents) => (runs++, linearize(ctx, tangents)) }), squareTimes);
    const builder = new Builder();
    const [x, y] = [builder.input(tensorType('float64', [2])), builder.input(tensorType('float64', [2]))];
    let z: Atom = x;
    for (let step = 0; step < 10; step++) z = builder.emit(program.instructions[0]!.operation, [z, y], {})[0] as Atom;
    derivativeProgram(context, builder.build([z]), [0], 'pullback');
    expect(runs).toBe(1);
  });

  it('keeps as residuals only what it reads and what that needs', () => {
    const { context, program } = caseOf(rule({ linearize: (ctx, [dx, dy]) => (ctx.output(0), [plus(dx && times(dx, exp(ctx.input(1))), dy && times(dy, ctx.input(0)))]) }), squareTimes);
    const [operation] = program.instructions.map((instruction) => instruction.operation) as [Operation];
    const types = [tensorType('float64', [2]), tensorType('float64', [2])];
    const local = (active: readonly boolean[]): readonly string[] => context.local('reverse', { operation, params: {}, inputTypes: types, outputTypes: [types[0]!], active, live: [true] }).inputs.map(({ kind, index }) => `${kind} ${index}`);
    expect(local([true, false])).toEqual(['tangent 0', 'input 1']);
    expect([...local([true, true])].sort()).toEqual(['input 0', 'input 1', 'tangent 0']);
  });
});

describe('an operation of several outputs', () => {
  const infer: Operation['infer'] = ([x]) => [x as TensorType, x as TensorType];
  const element = (x: ScalarExpr, y: ScalarExpr): readonly ScalarExpr[] => [scalar.add(x, y), scalar.mul(x, y)];
  const both: DerivativeRule['linearize'] = (ctx, [dx, dy]) => [plus(dx, dy), plus(dx && times(dx, ctx.input(1)), dy && times(dy, ctx.input(0)))];
  const pair = caseOf(rule({ linearize: both }), element, { infer });

  it('obeys the laws, whichever outputs have a cotangent', () => {
    expect(laws(pair)).toEqual([]);
    for (const at of [0, 1]) expect(laws({ ...pair, program: { ...pair.program, outputs: [pair.program.outputs[at]!] } })).toEqual([]);
  });

  it('gives its vjp zeros where an output has no cotangent', () => {
    const pulled: DerivativeRule['vjp'] = (ctx, [a, b]) => [plus(a, times(b, ctx.input(1))), plus(a, times(b, ctx.input(0)))];
    const byVjp = caseOf(rule({ vjp: pulled, residuals }), element, { infer });
    expect(laws(byVjp)).toEqual([]);
    expect(laws({ ...byVjp, program: { ...byVjp.program, outputs: [byVjp.program.outputs[1]!] } })).toEqual([]);
  });

  it('may leave the tangent of one out', () => {
    const half = caseOf(rule({ linearize: (_ctx, [dx, dy]) => [plus(dx, dy), undefined] }), (x, y) => [scalar.add(x, y), scalar.constant('f64', 3)], { infer });
    expect(laws(half)).toEqual([]);
  });
});

describe('a wrong rule breaks the law it offends, its twin none', () => {
  const flipped = (ctx: RuleContext, dx: Var): Var => neg(dxShare(ctx, dx)) as Var;
  const cases: readonly (readonly [string, Rule, readonly string[]])[] = [
    ['a flipped sign in linearize', rule({ linearize: (ctx, [dx, dy]) => [plus(dx && flipped(ctx, dx), dy && dyShare(ctx, dy))] }), ['J v = central difference']],
    ['a flipped sign in vjp beside a right linearize', rule({ linearize, vjp: (ctx, [ct]) => [flipped(ctx, ct!), dyShare(ctx, ct!)], residuals }), ['⟨ct, J v⟩ = ⟨Jᵀ ct, v⟩']],
    ['a flipped sign in vjp alone', rule({ vjp: (ctx, [ct]) => [flipped(ctx, ct!), dyShare(ctx, ct!)], residuals }), ['J v = central difference']],
    ['a forgotten factor', rule({ linearize: (ctx, [dx, dy]) => [plus(dx && times(dx, ctx.input(0), ctx.input(1)), dy && dyShare(ctx, dy))] }), ['J v = central difference']],
    ['an operand without a share', rule({ linearize: (ctx, [dx]) => [dx && dxShare(ctx, dx)] }), ['J v = central difference']],
    ['operands in the wrong order', rule({ vjp: (ctx, [ct]) => [dyShare(ctx, ct!), dxShare(ctx, ct!)], residuals }), ['J v = central difference']],
    ['a stated linearity that is none', rule({ linear: { inputs: [0, 1], how: 'each' }, transpose: (ctx, [ct]) => [ctx.active[0] ? dxShare(ctx, ct!) : undefined, ctx.active[1] ? dyShare(ctx, ct!) : undefined] }), ['⟨ct, J v⟩ = ⟨Jᵀ ct, v⟩', 'J is linear', 'J v = central difference']],
  ];
  it.each(cases)('%s', (_, wrong, expected) => {
    expect([...new Set(laws(caseOf(wrong, squareTimes), 1))]).toEqual(expected);
  });
});

describe('a rule that cannot be used is refused by name', () => {
  it('when its vjp reads what its residuals do not declare', () => {
    const given = caseOf(rule({ vjp, residuals: { inputs: [0] } }), squareTimes);
    expect(reverse(given)).toMatch(/^ExtensionError: acme\.test2\.f: its vjp reads input 1, which its residuals do not declare \(inputs: \[0\]\)/);
    const output = caseOf(rule({ vjp: (ctx, [ct]) => [times(ct, ctx.output(0)), undefined], residuals }), squareTimes);
    expect(reverse(output)).toMatch(/^ExtensionError: .*reads output 0/);
    expect(reverse(caseOf(rule({ vjp, residuals }), squareTimes))).toBe('nothing');
  });

  it.each([
    ['squares a tangent', (_ctx: RuleContext, dx: Var) => times(dx, dx), /tf\.core\.mul: no transpose: .*not linear/],
    ['takes a function of a tangent', (_ctx: RuleContext, dx: Var) => exp(dx) as Var, /tf\.core\.exp: no transpose: .*has no transpose/],
    ['divides by a tangent', (ctx: RuleContext, dx: Var) => times(ctx.input(0), exp(neg(dx))), /tf\.core\.exp: no transpose/],
  ])('when its linearize %s', (_, share, says) => {
    const given = caseOf(rule({ linearize: (ctx, [dx]) => [dx && share(ctx, dx)] }), squareTimes);
    expect(reverse(given, [0])).toMatch(new RegExp(`^UnsupportedRuleError: ${says.source}`));
  });

  it('when its vjp is not linear in the cotangent and forward asks for its transpose', () => {
    const given = caseOf(rule({ vjp: (ctx, [ct]) => [times(ct, ct, ctx.input(0)), undefined], residuals }), squareTimes);
    expect(forward(given, [0])).toMatch(/^UnsupportedRuleError: tf\.core\.mul: no transpose/);
  });

  const wrong: readonly (readonly [string, (ctx: RuleContext, x: Var) => unknown])[] = [
    ['another dtype', (_ctx, x) => convert(x, 'float32')],
    ['too few axes', (_ctx, x) => sum(x, { axes: 0 })],
    ['another size', (_ctx, x) => concat([x, x])],
    ['axes in another order', (_ctx, x) => transpose(x)],
  ];
  it.each(wrong)('when it gives a cotangent of %s', (_, share) => {
    const given = caseOf(rule({ vjp: (ctx, [ct]) => [share(ctx, ct!) as Var, undefined], residuals: {} }), squareTimes, { shape: [2, 3] });
    expect(reverse(given, [0])).toMatch(/^ExtensionError: acme\.test2\.f: its rule gave a cotangent/);
    const byTranspose = caseOf(rule({ linear: { inputs: [0, 1], how: 'together' }, transpose: (ctx, [ct]) => [share(ctx, ct!) as Var, undefined] }), squareTimes, { shape: [2, 3] });
    expect(reverse(byTranspose, [0])).toMatch(/^ExtensionError: acme\.test2\.f: its rule gave a cotangent/);
  });

  it.each(wrong.filter(([name]) => name !== 'too few axes'))('when it gives a tangent of %s', (_, share) => {
    const given = caseOf(rule({ linearize: (ctx, [dx]) => [dx && (share(ctx, dx) as Var)] }), squareTimes, { shape: [2, 3] });
    expect(forward(given, [0])).toMatch(/^ExtensionError: acme\.test2\.f: its rule gave a tangent/);
  });

  it('when it reads an operand or a result that does not exist', () => {
    expect(reverse(caseOf(rule({ linearize: (ctx, [dx]) => [dx && times(dx, ctx.input(2))] }), squareTimes), [0])).toMatch(/^UnsupportedRuleError: .*reads input 2/);
    expect(reverse(caseOf(rule({ linearize: (ctx, [dx]) => [dx && times(dx, ctx.output(1))] }), squareTimes), [0])).toMatch(/^UnsupportedRuleError: .*reads output 1/);
  });

  it('when it uses values of another builder', () => {
    const foreign = new Builder().input(tensorType('float64', [2]));
    expect(reverse(caseOf(rule({ linearize: (_ctx, [dx]) => [dx && times(dx, foreign)] }), squareTimes), [0])).toMatch(/^ForeignValueError/);
  });

  it('when there is none, with the reason that its author gave', () => {
    const given = caseOf({ kind: 'none', reason: 'the pivot choice is discontinuous' }, squareTimes);
    for (const [role, message] of [['vjp', reverse(given)], ['jvp', forward(given)]] as const) expect(message).toBe(`UnsupportedRuleError: acme.test2.f: no ${role}: the pivot choice is discontinuous.`);
  });

  it('when it is linear in other operands only', () => {
    const given = caseOf(rule({ linear: { inputs: [0], how: 'together' }, transpose: (_ctx, [ct]) => [ct, undefined] }), (x) => [x]);
    expect([reverse(given, [0]), forward(given, [0])]).toEqual(['nothing', 'nothing']);
    for (const message of [reverse(given, [1]), forward(given, [0, 1])]) expect(message).toMatch(/^UnsupportedRuleError: acme\.test2\.f: no (vjp|jvp): it is linear in some inputs only/);
  });
});

describe('an operation of an unregistered family', () => {
  it('is an UnregisteredFamilyError that names the family', () => {
    const { program } = caseOf(rule({ linearize }), squareTimes);
    expect(reverse({ program, context: new AdContext({ catalog: createCatalog() }), point: [] })).toMatch(/^UnregisteredFamilyError: acme\.test2\.f.*acme\.test2/);
  });
});

