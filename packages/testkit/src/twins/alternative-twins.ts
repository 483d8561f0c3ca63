import { contractVersion, type Extension, loop, mul, type Operand, type Operation, add, sin, cos, type Rule, type ScalarExpr, type TensorType, type Traits, type Var } from '@tf/core';
import { brokenExtensionLaws, type ExtensionSuiteOptions } from '../suites/extension-suite.ts';
import { hostValue } from '../values.ts';
import type { Twin } from './twin.ts';

const points = [hostValue('float64', [3], [0.5, -1.25, 2])];

interface Sketch {
  readonly name: string;
  readonly outputs: number;
  readonly traits: Traits;
  readonly rule: Rule;
  readonly lower?: Operation['lower'];
}

/** Operations of one operand whose outputs have its type; the case uses the first. */
function judge(name: string, sketches: (operation: (at: number) => Operation) => readonly Sketch[], further: Partial<ExtensionSuiteOptions> = {}): ReturnType<Twin['wrong']> {
  const family = `twins.${name}.v1`;
  const operations: Operation[] = [];
  const all = sketches((at) => operations[at] as Operation);
  for (const { name: own, outputs, traits, lower } of all) {
    operations.push({ id: `${family}.${own}`, family, name: own, infer: ([x]) => new Array<TensorType>(outputs).fill(x as TensorType), traits, ...(lower === undefined ? {} : { lower }) });
  }
  const extension: Extension = { contract: contractVersion, family, package: `@twins/${name}`, version: '1.0.0', operations, rules: Object.fromEntries(all.map((sketch) => [sketch.name, sketch.rule])) };
  return brokenExtensionLaws({ ...further, extension, cases: [{ name: 'twin', operation: operations[0] as Operation, inputs: points }] });
}

function lanes(...elements: readonly ((x: ScalarExpr) => ScalarExpr)[]): NonNullable<Traits['elementwise']> {
  return (_params, [dtype]) => elements.map((element) => element(loop.argument(loop.scalarTypeOf(dtype as never), 0)));
}

const call = (name: string) => (x: ScalarExpr): ScalarExpr => loop.call(name, x.type, x);
const double = (x: ScalarExpr): ScalarExpr => loop.add(x, x);
const times = (a: Operand | undefined, b: Operand): Var => mul(a as Operand, b) as unknown as Var;
const plus = (a: Operand, b: Operand): Var => add(a, b) as unknown as Var;

/** sin, and sin with cos beside it to differentiate by; `value` is what the larger form says that sin is. */
function sineAndSlope(value: string, covered: number): ReturnType<Twin['wrong']> {
  return judge('sine', (operation) => [
    { name: 'sine', outputs: 1, traits: { elementwise: lanes(call('sin')) }, rule: { kind: 'rule', residuals: { inputs: [0] }, vjp: (ctx, [ct]) => [times(ct, cos(ctx.input(0)) as Operand)], augment: ({ params }) => ({ operation: operation(1), params }) } },
    {
      name: 'sineAndSlope', outputs: 2,
      traits: { elementwise: lanes(call(value), call('cos')), covers: (params) => ({ operation: operation(0), params, outputs: [covered] }) },
      rule: { kind: 'rule', residuals: { inputs: [0], outputs: [1] }, vjp: (ctx, [ct, further]) => [plus(times(ct, ctx.output(1) as Operand), times(further, mul(sin(ctx.input(0)), -1) as Operand))] },
    },
  ]);
}

/** (2x, sin x), and sin x alone; `alone` is what is run for that. */
function doubleAndSine(alone: string): ReturnType<Twin['wrong']> {
  return judge('pair', (operation) => [
    {
      name: 'pair', outputs: 2,
      traits: { elementwise: lanes(double, call('sin')), prune: (params, [first]) => (first === true ? undefined : { operation: operation(1), params, inputs: [0], outputs: [undefined, 0] }) },
      rule: { kind: 'rule', residuals: { inputs: [0] }, vjp: (ctx, [ct, further]) => [plus(times(ct, ctx.zeros(ctx.inputTypes[0] as TensorType) as Operand), plus(plus(ct as Operand, ct as Operand), times(further, cos(ctx.input(0)) as Operand)))] },
    },
    { name: 'alone', outputs: 1, traits: { elementwise: lanes(call(alone)) }, rule: { kind: 'none', reason: 'nothing differentiates it' } },
  ]);
}

function loweredSine(lower: (x: Operand) => unknown): ReturnType<Twin['wrong']> {
  const reference: ExtensionSuiteOptions['operations'] = { 'twins.lowered.v1.sine': ({ inputs: [x] }) => [hostValue(x!.type.dtype, x!.type.shape as readonly number[], Array.from(x!.data as ArrayLike<number>, Math.sin))] };
  const rule: Rule = { kind: 'rule', residuals: { inputs: [0] }, vjp: (ctx, [ct]) => [times(ct, cos(ctx.input(0)) as Operand)] };
  return judge('lowered', () => [{ name: 'sine', outputs: 1, traits: {}, rule, lower: ([x]) => [lower(x as Operand) as Var] }], { operations: reference });
}

export const alternativeTwins: readonly Twin[] = [
  { name: 'an augmented form with another first output', law: 'augment', wrong: () => sineAndSlope('sinh', 0), right: () => sineAndSlope('sin', 0) },
  { name: 'a form that says it covers what it does not', law: 'augment', wrong: () => sineAndSlope('sin', 1), right: () => sineAndSlope('sin', 0) },
  { name: 'a pruned form that computes something else', law: 'prune', wrong: () => doubleAndSine('tanh'), right: () => doubleAndSine('sin') },
  { name: 'a lowering to another function', law: 'lower', wrong: () => loweredSine((x) => mul(x, 1)), right: () => loweredSine((x) => sin(x)) },
];
