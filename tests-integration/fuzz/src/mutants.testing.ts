import { add, type Atom, buildCatalog, Builder, type BufferView, type Catalog, complex, coreExtension, createCatalog, type DerivativeRule, type Engine, equal, type Extension, greater, type Instruction, invariant, log, loop, type LoopStep, mul, neg, type Operand, type Operation, pad, parseProgram, pow, type Pass, passes, type Plan, replayProgram, type Rule, type RuleContext, select, sin, type Step, sub, tensorType, transpose, type Var } from '@tf/core';
import { createEngineSync } from '@tf/engine-cpu-wasm';
import type { CheckName } from './checks/check.ts';
import { loose } from './generate/step.ts';
import type { SubjectOptions } from './subject.ts';

/** Something wrong, put in on purpose, that the fuzzer has to find. */
export interface Mutant {
  readonly name: string;
  /** The check that sees it. */
  readonly check: CheckName;
  readonly subject: () => SubjectOptions;
}

// ---------------------------------------------------------------- rules

/** Core's catalog with another rule for one operation. */
function withRule(name: string, change: (rule: DerivativeRule) => DerivativeRule): Catalog {
  const rule = coreExtension.rules[name] as Rule;
  invariant(rule.kind === 'rule', `${name} has no rule to change`);
  return buildCatalog([{ ...coreExtension, rules: { ...coreExtension.rules, [name]: change(rule) } }]);
}

type Share = (ctx: RuleContext, dx: Var) => Operand;

/** The tangent of an operation of one input. */
function tangent(share: Share): () => DerivativeRule {
  return () => ({ kind: 'rule', linearize: (ctx, [dx]) => [dx === undefined ? undefined : (share(ctx, dx) as unknown as Var)] });
}

/** The adjoint in the first input, from core's own. */
function adjoint(change: (ctx: RuleContext, share: Var, ct: Var) => Operand): (rule: DerivativeRule) => DerivativeRule {
  return (rule) => ({
    ...rule,
    transpose: (ctx, cotangents) => {
      const [first, ...rest] = rule.transpose?.(ctx, cotangents) ?? [];
      return [first === undefined ? undefined : (change(ctx, first, cotangents[0] as Var) as unknown as Var), ...rest];
    },
  });
}

/** The larger one wins, and ties give the whole tangent to both. */
const greedy: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, tangents) => {
    const share = (mine: 0 | 1): Operand | undefined => {
      const dx = tangents[mine];
      const [x, y] = [ctx.input(mine), ctx.input(1 - mine)];
      return dx === undefined ? undefined : loose(select)(greater(x, y), dx, loose(select)(equal(x, y), dx, 0));
    };
    const [left, right] = [share(0), share(1)];
    return [(left === undefined ? right : right === undefined ? left : loose(add)(left, right)) as unknown as Var];
  },
};

/** y·x^(y−1), and the number 0 where y = 0: right, but for what the slope changes by when y does. */
const flatAtZero: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [dx, dy]) => {
    const [x, y] = [ctx.input(0), ctx.input(1)];
    const left = dx === undefined ? undefined : loose(mul)(dx, loose(select)(equal(y, 0), 0, loose(mul)(y, loose(pow)(x, loose(sub)(y, 1)))));
    const right = dy === undefined ? undefined : loose(mul)(dy, loose(mul)(ctx.output(0), loose(log)(x)));
    return [(left === undefined ? right : right === undefined ? left : loose(add)(left, right)) as unknown as Var];
  },
};

const lengths = (x: { readonly type: Var['type'] }): readonly number[] => x.type.shape as readonly number[];

/** Exchanges two axes of one length, so that the shape stays. */
function exchanged(x: Var): Operand {
  const shape = lengths(x);
  const first = shape.findIndex((extent, axis) => extent > 1 && shape.indexOf(extent, axis + 1) > 0);
  if (first < 0) return x as Operand;
  const second = shape.indexOf(shape[first] as number, first + 1);
  return transpose(x as Operand, shape.map((_, axis) => (axis === first ? second : axis === second ? first : axis))) as Operand;
}

/** Moves everything on by one along the first axis; what falls off is lost. */
function shifted(x: Var): Operand {
  const shape = lengths(x);
  if (shape.length === 0 || (shape[0] as number) < 2) return x as Operand;
  const [low, high] = [shape.map((_, axis) => Number(axis === 0)), shape.map((_, axis) => (axis === 0 ? -1 : 0))];
  return pad(x as Operand, { low, high }) as Operand;
}

/** As `sum`, but one slice along each axis instead of all. */
const firstOperation: Operation = {
  id: 'fuzz.mutants.first', family: 'fuzz.mutants', name: 'first',
  infer: ([x], params) => [tensorType(x!.dtype, x!.shape.filter((_, axis) => !(params['axes'] as readonly number[]).includes(axis)))],
  traits: { layout: (params, input) => ({ kind: 'axes', axes: input.shape.flatMap((_, axis) => ((params['axes'] as readonly number[]).includes(axis) ? [] : [axis])) }) },
};
const mutantsExtension: Extension = { contract: 1, family: 'fuzz.mutants', package: '@fuzz/mutants', version: '1.0.0', operations: [firstOperation], rules: { first: { kind: 'none', reason: 'it is wrong anyway' } } };

/** Cotangents of broadcast operands are cut down where they ought to be summed; extents of 0 are summed all the same. */
function withoutBroadcastSum(): Catalog {
  const basis = createCatalog().basis;
  return buildCatalog([{ ...coreExtension, basis: { ...basis, sum: firstOperation } }, mutantsExtension]);
}

const ruleMutants: readonly Mutant[] = [
  { name: 'the derivative of cos has the wrong sign', check: 'differences', subject: () => ({ catalog: withRule('cos', tangent((ctx, dx) => loose(mul)(dx, sin(ctx.input(0))))) }) },
  { name: 'the pullback of sub exchanges its operands', check: 'adjoint', subject: () => ({ catalog: withRule('sub', (rule) => ({ ...rule, transpose: (ctx, [ct]) => [ctx.active[0] === true ? (neg(ct as Var) as Var) : undefined, ctx.active[1] === true ? ct : undefined] })) }) },
  { name: 'the adjoint of a complex product does not conjugate', check: 'adjoint', subject: () => ({ catalog: withRule('mul', (rule) => ({ ...rule, transpose: (ctx, [ct]) => [ctx.active[0] === true ? (mul(ct as Var, ctx.input(1)) as Var) : undefined, ctx.active[1] === true ? (mul(ct as Var, ctx.input(0)) as Var) : undefined] })) }) },
  { name: 'the adjoint of imag is that of real', check: 'adjoint', subject: () => ({ catalog: withRule('imag', (rule) => ({ ...rule, transpose: (_ctx, [ct]) => [complex(ct as Var, 0) as Var] })) }) },
  { name: 'ties of maximum without the factor ½', check: 'differences', subject: () => ({ catalog: withRule('maximum', () => greedy) }) },
  { name: 'the adjoint of dot exchanges two axes', check: 'adjoint', subject: () => ({ catalog: withRule('dot', adjoint((_ctx, share) => exchanged(share))) }) },
  { name: 'cotangents of broadcast operands are not summed', check: 'adjoint', subject: () => ({ catalog: withoutBroadcastSum() }) },
  { name: 'the adjoint of slice starts one element late', check: 'adjoint', subject: () => ({ catalog: withRule('slice', adjoint((_ctx, share) => shifted(share))) }) },
  { name: 'the adjoint of pad is off by one', check: 'adjoint', subject: () => ({ catalog: withRule('pad', adjoint((_ctx, share) => shifted(share))) }) },
  { name: 'the derivative of divideOrZero by its divisor is twice too large', check: 'differences', subject: () => ({ catalog: withRule('divideOrZero', (rule) => ({ ...rule, linearize: (ctx, [dx, dy]) => rule.linearize?.(ctx, [dx, dy === undefined ? undefined : (loose(mul)(dy, 2) as unknown as Var)]) ?? [] })) }) },
  { name: 'the gradient of reduceMax goes to every tied entry whole', check: 'differences', subject: () => ({ catalog: withRule('reduceMax', (rule) => ({ ...rule, linearize: (ctx, [dx]) => [tiedTangent(ctx, dx as Var)] })) }) },
  { name: 'the slope of pow does not depend on an exponent that is 0', check: 'second order', subject: () => ({ catalog: withRule('pow', () => flatAtZero) }) },
  { name: 'eager rounds the derivative of tanh differently', check: 'fronts', subject: () => ({ eagerCatalog: withRule('tanh', tangent((ctx, dx) => loose(mul)(dx, mul(sub(1, ctx.output(0)) as Var, add(1, ctx.output(0)) as Var)))) }) },
];

/** Σ over the winning entries without dividing by their number. */
function tiedTangent(ctx: RuleContext, dx: Var): Var {
  const axes = ctx.params['axes'] as readonly number[];
  const kept = lengths({ type: ctx.inputTypes[0]! }).map((extent, axis) => (axes.includes(axis) ? 1 : extent));
  const reshape = createCatalog().operation('tf.core.reshape') as Operation;
  const sum = createCatalog().operation('tf.core.sum') as Operation;
  const spread = ctx.apply(reshape, [ctx.output(0)], { shape: kept })[0] as Var;
  return ctx.apply(sum, [loose(select)(equal(ctx.input(0), spread), dx, 0) as unknown as Var], ctx.params)[0] as Var;
}

// ---------------------------------------------------------------- passes

/** Instructions of one operation on the same operands are one, whatever their parameters are. */
const carelessDedupe: Pass = {
  name: 'careless dedupe',
  run: (program) => {
    const stands = new Map<unknown, Var>();
    const first = new Map<string, Var>();
    const numbers = new Map<unknown, number>();
    const number = (atom: unknown): number => numbers.get(atom) ?? (numbers.set(atom, numbers.size), numbers.size - 1);
    const instructions = program.instructions.flatMap((instruction) => {
      const inputs = instruction.inputs.map((input) => stands.get(input) ?? input);
      const [output] = instruction.outputs as readonly [Var];
      const key = `${instruction.operation.id} ${inputs.map(number).join()} ${output.type.key}`;
      const seen = first.get(key);
      if (seen !== undefined) stands.set(output, seen);
      else first.set(key, output);
      return seen === undefined ? [{ ...instruction, inputs }] : [];
    });
    return { ...program, instructions, outputs: program.outputs.map((output) => stands.get(output) ?? output) };
  },
};

/** (a + b) + c becomes a + (b + c). */
const regroup: Pass = {
  name: 'regroup additions',
  run: (program) => {
    const builder = new Builder();
    const env = new Map<Var, Atom>(program.inputs.map((input) => [input, builder.input(input.type, input.name)]));
    const sums = new Map<Atom, Instruction['inputs']>();
    const outputs = replayProgram<Atom>(program, env, (atom) => atom, (instruction, inputs) => {
      const { operation } = instruction;
      const terms = operation.name === 'add' ? [...(sums.get(inputs[0] as Atom) ?? []), inputs[1] as Atom] : [];
      const same = terms.every(({ type }) => type.key === instruction.outputs[0]?.type.key);
      const [a, b, c] = terms;
      const results = a !== undefined && b !== undefined && c !== undefined && same ? builder.emit(operation, [a, builder.emit(operation, [b, c], {})[0] as Atom], {}) : builder.replay(instruction, inputs);
      if (operation.name === 'add') sums.set(results[0] as Atom, inputs);
      return results;
    });
    return builder.build(outputs);
  },
};

const passMutants: readonly Mutant[] = [
  { name: 'dedupe ignores parameters', check: 'passes', subject: () => ({ passes: [...passes, carelessDedupe] }) },
  { name: 'a pass regroups additions', check: 'passes', subject: () => ({ passes: [regroup, ...passes] }) },
  { name: 'a parser that loses the sign of zero', check: 'text', subject: () => ({ parse: (text, catalog) => parseProgram(text.replaceAll('-0:', '0:'), catalog) }) },
];

// ---------------------------------------------------------------- engines

/** An engine that carries out other plans than it is given. */
function planning(change: (plan: Plan) => Plan): Engine {
  const inner = createEngineSync();
  return new Proxy(inner, { get: (target, key) => (key === 'compile' ? (plan: Plan) => target.compile(change(plan)) : bound(target, key)) });
}

function bound(target: Engine, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key, target);
  return typeof value === 'function' ? (value as (...args: never[]) => unknown).bind(target) : value;
}

/** Indices below 0 read row 0: every gather goes through a copy of its indices that is at least 0. */
function clampIndices(plan: Plan): Plan {
  const buffers = [...plan.buffers];
  const slots = [...plan.slots];
  const steps = plan.steps.flatMap((step): readonly Step[] => {
    if (step.kind !== 'gather') return [step];
    const source = buffers[step.indices.buffer]!;
    buffers.push({ ...source, place: { kind: 'arena', slot: slots.push([4 * Math.max(1, source.elements as number)]) - 1 } });
    const view = (buffer: number): BufferView => ({ buffer, offset: 0, strides: [1] });
    const access = { dtype: 'int32', inner: 'contiguous' } as const;
    const body = [loop.max(loop.argument('i32', 0), loop.constant('i32', 0))];
    return [
      { kind: 'loop', kernel: { rank: 1, reads: [access], writes: [access], body }, extents: [source.elements], reads: [view(step.indices.buffer)], writes: [view(buffers.length - 1)] },
      { ...step, indices: { ...step.indices, buffer: buffers.length - 1 } },
    ];
  });
  return { ...plan, buffers, slots, steps };
}

/** Other code in the kernels. */
function changeBodies(change: (body: Parameters<typeof loop.rewriteNodes>[0]) => ReturnType<typeof loop.rewriteNodes>): (plan: Plan) => Plan {
  const changed = (step: LoopStep): LoopStep => ({ ...step, kernel: { ...step.kernel, body: change(step.kernel.body) } });
  return (plan) => ({ ...plan, steps: plan.steps.map((step) => (step.kind === 'loop' ? changed(step) : step.kind === 'tile' ? { ...step, steps: step.steps.map(changed) } : step)) });
}

const dropsNaN = changeBodies((body) => loop.rewriteNodes(body, (node) => {
  if (node.op !== 'max') return node;
  const [a, b] = loop.operandsOf(node) as readonly [typeof node, typeof node];
  return loop.select(loop.gt(a, b), a, b);
}));

const engineMutants: readonly Mutant[] = [
  { name: 'gather ignores negative indices', check: 'reference', subject: () => ({ engine: planning(clampIndices) }) },
  { name: 'maximum drops NaN and the sign of zero', check: 'reference', subject: () => ({ engine: planning(dropsNaN) }) },
];

export const mutants: readonly Mutant[] = [...ruleMutants, ...passMutants, ...engineMutants];
