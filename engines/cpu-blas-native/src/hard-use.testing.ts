/** Programs that together have every kind of step, and ways to spoil their plans. */
import { add, allSteps, broadcastTo, Builder, type CallOperand, compileProgram, cond, cumsum, type Dim, exp, fori, greater, type HostModule, indexAdd, less, matmul, mul, mulDims, type Operand, type Plan, relu, sort, type Step, sub, sum, symbolicDim, take, tensorType, transpose, type Var, whileLoop } from '@tf/core';

export interface Sample {
  readonly plan: Plan;
  readonly inputs: readonly { readonly data: Float64Array | Int32Array; readonly shape: readonly number[] }[];
}

const numbers = (count: number): Float64Array => Float64Array.from({ length: count }, (_, i) => Math.sin(i));

function sample(build: (x: Var, y: Var, index: Var<'int32'>) => readonly Operand[]): Sample {
  const builder = new Builder();
  const x = builder.input(tensorType('float64', [6, 5]), 'x');
  const y = builder.input(tensorType('float64', [5, 7]), 'y');
  const index = builder.input(tensorType('int32', [3]), 'index');
  return {
    plan: compileProgram(builder.build(build(x, y, index) as readonly Var[])),
    inputs: [{ data: numbers(30), shape: [6, 5] }, { data: numbers(35), shape: [5, 7] }, { data: Int32Array.of(0, 4, -1), shape: [3] }],
  };
}

export function samples(): readonly Sample[] {
  return [
    sample((x, y) => [add(exp(matmul(x, y)), 1)]),
    sample((x) => [sum(mul(x, 2), { axes: 1 }), sum(x)]),
    sample((x) => [cumsum(x, 1), sort(x, 0)]),
    sample((x, y, index) => [take(x, index, 0), indexAdd(y, index, take(y, index, 0), 0)]),
    sample((x, y) => [mul(broadcastTo(sum(y, { axes: 0 }), [6, 7]), 2), relu(transpose(x, [1, 0]))]),
    sample((x) => [fori(3, (_, carry: Operand) => add(carry, mul(x, 2)), x as Operand)]),
    sample((x) => [whileLoop((carry: Operand) => less(sum(carry), 100), (carry: Operand) => add(mul(carry, carry), 1), x as Operand)]),
    sample((x, y) => [cond(greater(sum(x), 0), (a: Operand) => sub(a, 1), (a: Operand) => exp(a), matmul(x, y) as Operand)]),
  ];
}

/** What {@link stepsAlone} calls: the negative of its input, which it puts into its workspace first. */
export const negating: HostModule = {
  engine: 'host', contract: 1, family: 'test.negating', package: '@test/negating', version: '1.0.0',
  kernels: {
    'test.negating.v1.negate': {
      run: ({ inputs: [from], outputs: [to], workspace }) => {
        const kept = new Float64Array(workspace!.buffer, workspace!.byteOffset, from!.length);
        kept.set(from as Float64Array);
        (to as Float64Array).set(kept.map((value) => -value));
      },
    },
  },
};

/** Steps that no program above has, each in a plan of its own, with room behind what it touches: an offset may be wrong and yet within its buffer. */
export function stepsAlone(): readonly Sample[] {
  const at = (buffer: number): { readonly buffer: number; readonly offset: number } => ({ buffer, offset: 0 });
  const operand = (buffer: number, dtype: 'float64' | 'bool', elements: number): CallOperand => ({ ...at(buffer), dtype, elements });
  const steps: readonly Step[] = [
    { kind: 'copy', dtype: 'float64', elements: 3, from: at(0), to: at(1) },
    { kind: 'repeat', counter: 'i', count: 3, steps: [{ kind: 'copy', dtype: 'float64', elements: 1, from: { buffer: 0, offset: symbolicDim('i') }, to: { buffer: 1, offset: symbolicDim('i') } }] },
    { kind: 'iota', dtype: 'float64', elements: 3, out: at(1) },
    { kind: 'size', value: 7, to: at(2) },
    { kind: 'call', symbol: 'test.negating.v1.negate', integers: [], inputs: [operand(0, 'float64', 3)], outputs: [operand(1, 'float64', 3)], workspace: operand(3, 'bool', 32) },
  ];
  const type = tensorType('float64', [4]);
  return steps.map((step): Sample => ({
    plan: {
      contract: 1, inputs: [type], outputs: [type], slots: [[8], [64]], constraints: [], intermediateBytes: 0, donations: [], steps: [step],
      buffers: [
        { dtype: 'float64', elements: 4, place: { kind: 'input', index: 0 } }, { dtype: 'float64', elements: 4, place: { kind: 'output', index: 0 } },
        { dtype: 'int32', elements: 2, place: { kind: 'arena', slot: 0 } }, { dtype: 'bool', elements: 64, place: { kind: 'arena', slot: 1 } },
      ],
    },
    inputs: [{ data: numbers(4), shape: [4] }],
  }));
}

export function kindsOf(plans: readonly Plan[]): ReadonlySet<string> {
  return new Set(plans.flatMap(({ steps }) => allSteps(steps).map(({ kind }) => kind)));
}

/** Where numbers stand in what a plan says of memory. Counts of loops are left out: they end, but not soon. */
function numbersIn(plan: unknown, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
  if (typeof plan === 'number') return [path];
  if (typeof plan !== 'object' || plan === null || ArrayBuffer.isView(plan)) return [];
  return Object.entries(plan).filter(([key]) => key !== 'count' && key !== 'body' && key !== 'first' && key !== 'next').flatMap(([key, value]) => numbersIn(value, [...path, key]));
}

function withNumber(plan: unknown, [key, ...rest]: readonly (string | number)[], value: Dim): unknown {
  if (key === undefined) return value;
  const copy: Record<string | number, unknown> = Array.isArray(plan) ? ([...(plan as unknown[])] as unknown as Record<number, unknown>) : { ...(plan as object) };
  copy[key] = withNumber(copy[key], rest, value);
  return copy;
}

/** The plan with another number somewhere, by pseudo-random choices. */
export function spoiled(plan: Plan, seed: number): Plan {
  let state = (seed * 2654435761) >>> 0;
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const paths = [...numbersIn(plan.steps, ['steps']), ...numbersIn(plan.buffers, ['buffers']), ...numbersIn(plan.slots, ['slots'])];
  let result: unknown = plan;
  for (let times = 1 + next(2); times > 0; times--) {
    const path = paths[next(paths.length)]!;
    const before = path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], plan) as number;
    result = withNumber(result, path, [0, 1, -1, 2, before + 1, before - 1, 2 * before, -before, 100, -1000, 2 ** 33, 1e15, 0.5, NaN][next(14)]!);
  }
  return result as Plan;
}

/** The plan twice for each offset and stride of its steps, numbers and what counters decide: half an element more, and less. */
export function halved(plan: Plan): readonly Plan[] {
  const paths = numbersIn(plan.steps, ['steps']).map((path) => path.slice(0, path.includes('terms') ? path.indexOf('terms') : undefined));
  const places = paths.filter((path) => path.at(-1) === 'offset' || path.at(-2) === 'strides' || path.at(-1) === 'rowStride');
  return places.flatMap((path) => [0.5, -0.5].map((half) => {
    const dim = path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], plan) as Dim;
    return withNumber(plan, path, typeof dim === 'number' ? dim + half : mulDims(dim, 1 + half)) as Plan;
  }));
}
