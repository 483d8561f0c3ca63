/** Programs that together have every kind of step, and ways to spoil their plans. */
import { add, allSteps, broadcastTo, Builder, compileProgram, cond, cumsum, exp, fori, greater, indexAdd, less, matmul, mul, type Operand, type Plan, relu, sort, sub, sum, take, tensorType, transpose, type Var, whileLoop } from '@tf/core';

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

export function kindsOf(plans: readonly Plan[]): ReadonlySet<string> {
  return new Set(plans.flatMap(({ steps }) => allSteps(steps).map(({ kind }) => kind)));
}

/** Where numbers stand in what a plan says of memory. Counts of loops are left out: they end, but not soon. */
function numbersIn(plan: unknown, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
  if (typeof plan === 'number') return [path];
  if (typeof plan !== 'object' || plan === null || ArrayBuffer.isView(plan)) return [];
  return Object.entries(plan).filter(([key]) => key !== 'count' && key !== 'body' && key !== 'first' && key !== 'next').flatMap(([key, value]) => numbersIn(value, [...path, key]));
}

function withNumber(plan: unknown, [key, ...rest]: readonly (string | number)[], value: number): unknown {
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
