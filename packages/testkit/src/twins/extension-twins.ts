import { abs, add, type BatchRule, broadcastShapes, broadcastTo, conj, contractVersion, convert, coreExtension, cos, customJvp, customVjp, type DerivativeRule, type DType, type Extension, greater, type Kind, loop, mul, neg, type Operand, type Operation, reduceMax, reshape, type RuleContext, type ScalarExpr, select, sin, stopGradient, type TensorType, tensorType, type Traits, type Var } from '@tf/core';
import { brokenExtensionLaws, type ExtensionCase } from '../suites/extension-suite.ts';
import { type HostValue, hostValue } from '../values.ts';
import type { Twin } from './twin.ts';

type Element = (...args: readonly ScalarExpr[]) => ScalarExpr;

interface Sketch {
  readonly name: string;
  readonly inputs?: number;
  readonly traits: Traits;
  readonly rule: DerivativeRule;
}

/** An operation that keeps its operands' dtype, with its rule, as an extension of its own. */
function extensionOf({ name, inputs = 1, traits, rule }: Sketch): Extension & { readonly operations: readonly [Operation] } {
  const family = `twins.${name}.v1`;
  const infer: Operation['infer'] = (types, _params, sink) => [tensorType((types[types.length - inputs] as TensorType).dtype, broadcastShapes(name, types.map(({ shape }) => shape), sink))];
  const operation: Operation = { id: `${family}.${name}`, family, name, infer, traits };
  return { contract: contractVersion, family, package: `@twins/${name}`, version: '1.0.0', operations: [operation], rules: { [name]: rule } };
}

function elementwise(element: Element): Traits {
  return { elementwise: (_params, dtypes: readonly DType[]) => [element(...dtypes.map((dtype, at) => loop.argument(loop.scalarTypeOf(dtype), at)))] };
}

const points = hostValue('float64', [2, 3], [0.5, -1.25, 2, -0.75, 1.5, 0.25]);

interface Judged {
  readonly sketch: Sketch;
  readonly inputs?: readonly HostValue[];
  readonly branches?: boolean;
  readonly expected?: readonly HostValue[];
}

async function judge({ sketch, inputs = [points], branches = false, expected }: Judged): ReturnType<Twin['wrong']> {
  const extension = extensionOf(sketch);
  const given: ExtensionCase = { name: 'twin', operation: extension.operations[0], inputs, branches, ...(expected === undefined ? {} : { expected }) };
  return brokenExtensionLaws({ extension, cases: [given] });
}

/** A twin from a sketch with one part that is wrong or right. */
function twin<Part>(name: string, law: string, wrong: Part, right: Part, sketch: (part: Part) => Judged): Twin {
  return { name, law, wrong: () => judge(sketch(wrong)), right: () => judge(sketch(right)) };
}

const call = (name: string): Element => (x) => loop.call(name, (x as ScalarExpr).type, x as ScalarExpr);
const square: Element = (x) => loop.mul(x as ScalarExpr, x as ScalarExpr);
const x0 = (ctx: RuleContext): Operand => ctx.input(0) as Operand;
const times = (a: Operand | undefined, b: Operand | number): Var => mul(a as Operand, b) as unknown as Var;

type Share = (ctx: RuleContext, dx: Operand) => Operand;
const linearize = (share: Share): DerivativeRule => ({ kind: 'rule', linearize: (ctx, [dx]) => [share(ctx, dx as Operand) as unknown as Var] });

const countTwins: readonly Twin[] = [
  twin<number>('a vjp without a cotangent for the second operand', 'types', 1, 2,
    (count) => ({ inputs: [points, points], sketch: { name: 'product', inputs: 2, traits: elementwise((x, y) => loop.mul(x as ScalarExpr, y as ScalarExpr)), rule: { kind: 'rule', residuals: { inputs: [0, 1] }, vjp: (ctx, [ct]) => [times(ct, ctx.input(1) as Operand), times(ct, x0(ctx))].slice(0, count) } } })),
  twin<number>('a tangent for an output that there is not', 'types', 2, 1,
    (count) => ({ sketch: { name: 'double', traits: elementwise((x) => loop.add(x as ScalarExpr, x as ScalarExpr)), rule: { kind: 'rule', linearize: (_ctx, [dx]) => [times(dx, 2), times(dx, 2)].slice(0, count) } } })),
];

const derivativeTwins: readonly Twin[] = [
  twin<(slope: Operand) => Operand>('a flipped sign', 'derivative', (slope) => neg(slope) as Operand, (slope) => slope,
    (sign) => ({ sketch: { name: 'sine', traits: elementwise(call('sin')), rule: linearize((ctx, dx) => times(dx, sign(cos(x0(ctx)) as Operand))) } })),
  twin<number>('a wrong factor in a rule that has only a vjp', 'derivative', 1, 2,
    (factor) => ({ sketch: { name: 'square', traits: elementwise(square), rule: { kind: 'rule', residuals: { inputs: [0] }, vjp: (ctx, [ct]) => [times(ct, times(x0(ctx), factor))] } } })),
  twin<Share>('a derivative right once and constant afterwards', 'second-order', (ctx) => stopGradient(ctx.output(0) as Operand) as Operand, (ctx) => ctx.output(0) as Operand,
    (slope) => ({ sketch: { name: 'growth', traits: elementwise(call('exp')), rule: linearize((ctx, dx) => times(dx, slope(ctx, dx))) } })),
  twin<string>('a value that the case does not expect', 'value', 'cosh', 'exp',
    (name) => ({ inputs: [hostValue('float64', [1], [0.5])], expected: [hostValue('float64', [1], [Math.exp(0.5)])], sketch: { name: 'growth', traits: elementwise(call(name)), rule: linearize((ctx, dx) => times(dx, ctx.output(0) as Operand)) } })),
];

/** Complex multiplication; `other` is what the cotangent is multiplied with. */
function product(other: (x: Operand) => Operand): Judged {
  const traits: Traits = {
    elementwise: (_params, [dtype]) => {
      const lane = (input: number, at: 0 | 1): ScalarExpr => loop.argument(loop.scalarTypeOf(dtype as DType), input, at);
      const [ar, ai, br, bi] = [lane(0, 0), lane(0, 1), lane(1, 0), lane(1, 1)];
      return [loop.sub(loop.mul(ar, br), loop.mul(ai, bi)), loop.add(loop.mul(ar, bi), loop.mul(ai, br))];
    },
  };
  const share = (ctx: RuleContext, ct: Var | undefined, mine: 0 | 1): Var | undefined => (ctx.active[mine] === true ? times(ct as Operand, other(ctx.input(1 - mine) as Operand)) : undefined);
  const rule: DerivativeRule = { kind: 'rule', linear: { inputs: [0, 1], how: 'each' }, transpose: (ctx, [ct]) => [share(ctx, ct, 0), share(ctx, ct, 1)] };
  return { sketch: { name: 'product', inputs: 2, traits, rule }, inputs: [hostValue('complex128', [2], [1, 2, -0.5, 3]), hostValue('complex128', [2], [0.5, -1, 2, 1])] };
}

const adjointTwins: readonly Twin[] = [
  twin<(x: Operand) => Operand>('a missing conj in a complex mul', 'adjoint', (x) => x, (x) => conj(x) as Operand, product),
  twin<(ct: Operand) => Operand>('a nonlinear vjp', 'linear', (ct) => times(ct, abs(ct) as Operand), (ct) => ct,
    (seed) => ({ sketch: { name: 'square', traits: elementwise(square), rule: { kind: 'rule', residuals: { inputs: [0] }, vjp: (ctx, [ct]) => [times(seed(ct as Operand), times(x0(ctx), 2))] } } })),
  twin<DerivativeRule['residuals'] & object>('an undeclared residual', 'residuals', { inputs: [0] }, { outputs: [0] },
    (residuals) => ({ sketch: { name: 'growth', traits: elementwise(call('exp')), rule: { kind: 'rule', residuals, vjp: (ctx, [ct]) => [times(ct, ctx.output(0) as Operand)] } } })),
  twin<number>('a vjp that is not the transpose of linearize', 'vjp-agreement', 3, 2,
    (factor) => ({ sketch: { name: 'square', traits: elementwise(square), rule: { kind: 'rule', residuals: { inputs: [0] }, linearize: (ctx, [dx]) => [times(dx, times(x0(ctx), 2))], vjp: (ctx, [ct]) => [times(ct, times(x0(ctx), factor))] } } })),
];

const formTwins: readonly Twin[] = [
  twin<BatchRule | undefined>('a batch axis that meets an axis of another operand', 'batch', 'leading', undefined, broadcastProduct),
  twin<BatchRule | undefined>('a result that is said to be alike for all elements of a batch', 'batch', (ctx) => [ctx.alike(ctx.apply(ctx.operation, [reduceMax(ctx.whole(0), { axes: 0 }) as Var, ctx.atom(1)], ctx.params)[0] as Var)], undefined, broadcastProduct),
  twin<readonly number[]>('a tangent of the wrong shape', 'types', [3, 2], [2, 3],
    (shape) => ({ sketch: { name: 'triple', traits: elementwise((x) => loop.mul(x as ScalarExpr, loop.constant((x as ScalarExpr).type, 3))), rule: linearize((_ctx, dx) => reshape(times(dx, 3), shape) as Operand) } })),
  twin<readonly number[]>('a cotangent that is larger than the value', 'types', [2, 2, 3], [2, 3],
    (shape) => ({ sketch: { name: 'triple', traits: elementwise((x) => loop.mul(x as ScalarExpr, loop.constant((x as ScalarExpr).type, 3))), rule: { kind: 'rule', residuals: {}, vjp: (_ctx, [ct]) => [broadcastTo(times(ct, 3), shape) as Var] } } })),
  twin<DType | undefined>('a tangent of another dtype', 'types', 'float32', undefined,
    (dtype) => ({ sketch: { name: 'sine', traits: elementwise(call('sin')), rule: linearize((ctx, dx) => { const found = times(dx, cos(x0(ctx)) as Operand) as Operand; return convert(found, dtype ?? found.type.dtype) as Operand; }) } })),
  twin<(calls: number) => boolean>('a rule that emits other instructions the second time', 'determinism', (calls) => calls % 2 === 0, () => true, changing),
  twin<(taken: Operand, dx: Operand) => Operand>('a mask by multiplication, which leaks NaN', 'masks', (taken, dx) => times(dx, convert(taken, dx.type.dtype) as Operand), (taken, dx) => select(taken as Operand<Kind, 'bool'>, dx, 0) as Operand,
    (mask) => ({ branches: true, sketch: { name: 'positive', traits: elementwise((x) => loop.max(x as ScalarExpr, loop.constant((x as ScalarExpr).type, 0))), rule: { kind: 'rule', residuals: { inputs: [0] }, vjp: (ctx, [ct]) => [mask(greater(x0(ctx), 0) as Operand, ct as Operand) as Var] } } })),
];

function sum(a: Var | undefined, b: Var | undefined): Var | undefined {
  return a === undefined ? b : b === undefined ? a : (add(a, b) as Var);
}

/** A product whose operands broadcast; the batch axis of the shorter one must not meet the other's own axes. */
function broadcastProduct(batch: BatchRule | undefined): Judged {
  const rule: DerivativeRule = { kind: 'rule', linearize: (ctx, [dx, dy]) => [sum(dx === undefined ? undefined : times(dx, ctx.input(1) as Operand), dy === undefined ? undefined : times(dy, ctx.input(0) as Operand))], ...(batch === undefined ? {} : { batch }) };
  return { sketch: { name: 'product', inputs: 2, traits: elementwise((x, y) => loop.mul(x as ScalarExpr, y as ScalarExpr)), rule }, inputs: [hostValue('float64', [3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]), hostValue('float64', [3], [0.5, -1.25, 2])] };
}

/** dx·2x written in one of two ways, by how often the rule was asked. */
function changing(doubled: (calls: number) => boolean): Judged {
  let calls = 0;
  const rule = linearize((ctx, dx) => (doubled(calls++) ? times(dx, times(x0(ctx), 2)) : times(times(dx, 2), x0(ctx))));
  return { sketch: { name: 'square', traits: elementwise(square), rule } };
}

/** A function with a derivative of its own, judged like any other use of core's operations. */
function inlineTwin<Part>(name: string, wrong: Part, right: Part, own: (part: Part) => (x: Var) => Var): Twin {
  const judged = (part: Part): ReturnType<Twin['wrong']> => brokenExtensionLaws({ extension: coreExtension, cases: [{ name: 'twin', f: (x) => own(part)(x as Var), inputs: [points] }] });
  return { name, law: 'derivative', wrong: () => judged(wrong), right: () => judged(right) };
}

const inlineTwins: readonly Twin[] = [
  inlineTwin<number>('a customVjp with a wrong factor', 2, 3, (factor) => customVjp((x: Var) => times(times(x, x), x), { vjp: ({ inputs: [x] }, ct) => [times(ct, times(times(x, x), factor))] })),
  inlineTwin<boolean>('a customVjp that gives nothing where something flows', false, true, (flows) => {
    const product = customVjp((x: Var, y: Var) => times(x, y), { vjp: ({ inputs: [x, y] }, ct) => [times(ct, y), flows ? times(ct, x) : undefined] });
    return (x) => product(x, cos(x as Operand) as Var);
  }),
  inlineTwin<number>('a customJvp with a wrong sign', -1, 1, (sign) => customJvp((x: Var) => sin(x as Operand) as Var, { jvp: ({ inputs: [x] }, [dx]) => times(dx, times(cos(x as Operand) as Operand, sign)) })),
];

export const extensionTwins: readonly Twin[] = [...derivativeTwins, ...countTwins, ...adjointTwins, ...formTwins, ...inlineTwins];
