import { concat, type HostTensor, matmul, type Operand, square, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { grad, jit, jvp, type TracedTensor, valueAndGrad, vjp } from '@tf/traced';
import { createRandom } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import { conjugateGradient, leastSquares, minimize, type MinimizeStep } from './index.ts';

const engine = await createEngine();
type T = TracedTensor<'float64'>;

describe('minimize', () => {
  const rosenbrock = (x: T): T => {
    const [head, tail] = [x.slice([0], [9]), x.slice([1], [10])];
    return square(tail.sub(square(head))).mul(100).add(square(head.sub(1))).sum();
  };

  it('finds the minimum of Rosenbrock\'s function of ten variables', async () => {
    const steps: MinimizeStep<unknown>[] = [];
    const result = await minimize(jit(valueAndGrad(rosenbrock), { engine }), tensor(Float64Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? -1.2 : 1))) as never, { gradientTolerance: 1e-9, onStep: (step) => void steps.push(step) });
    expect(result.converged).toBe(true);
    (result.parameters as unknown as { toArray(): number[] }).toArray().forEach((value) => expect(value).toBeCloseTo(1, 7));
    expect(result.evaluations).toBeLessThan(150);
    expect(steps).toHaveLength(result.iteration);
    const [first, last] = [steps[0]!, steps.at(-1)!].map(({ parameters }) => (parameters as unknown as { toArray(): number[] }).toArray());
    expect(last).toEqual((result.parameters as unknown as { toArray(): number[] }).toArray());
    expect(first).not.toEqual(last);
    for (let at = 1; at < steps.length; at++) expect(steps[at]!.value).toBeLessThanOrEqual(steps[at - 1]!.value);
  });

  it('takes trees, complex numbers and walls', async () => {
    const f = jit(valueAndGrad(({ z, x }: { readonly z: TracedTensor<'complex128'>; readonly x: T }) => square(z.sub(tensor({ re: 1, im: -2 } as never)).abs()).sum().add(x.sub(x.log()).sum())), { engine });
    const { parameters, reason } = await minimize(f as never, { z: tensor({ re: 0, im: 0 } as never), x: tensor([3, 0.01]) });
    expect(reason).toBe('gradient');
    const { z, x } = parameters as unknown as { z: { toArray(): { re: number; im: number } }; x: { toArray(): number[] } };
    expect(z.toArray().re).toBeCloseTo(1, 5);
    expect(z.toArray().im).toBeCloseTo(-2, 5);
    for (const value of x.toArray()) expect(value).toBeCloseTo(1, 5);
  });

  it('waits for what is done after a step, such as drawing, and lets that end the search too', async () => {
    let busy = false;
    const later = (answer: boolean) => async (): Promise<boolean> => {
      busy = true;
      await new Promise((resolve) => setTimeout(resolve, 1));
      busy = false;
      return answer;
    };
    const f = jit(valueAndGrad(rosenbrock), { engine });
    const watched = ((x: HostTensor<'float64'>) => {
      expect(busy).toBe(false);
      return f(x);
    }) as never;
    const start = tensor(new Float64Array(10));
    expect((await minimize(watched, start, { maxIterations: 3, onStep: later(false) })).reason).toBe('iterations');
    expect((await minimize(watched, start, { onStep: later(true) })).reason).toBe('stopped');
  });

  it('does work in proportion to the number of unknowns: 150 000 take no time that anybody waits for', async () => {
    const weights = tensor(Float64Array.from({ length: 150_000 }, (_, i) => 1 + (i % 7)));
    const f = jit(valueAndGrad((x: T) => square(x.sub(1)).mul(weights).sum()), { engine });
    const { parameters, converged } = await minimize(f as never, tensor(new Float64Array(150_000)));
    expect(converged).toBe(true);
    expect((await (parameters as unknown as { data(): Promise<Float64Array> }).data())[149_999]).toBeCloseTo(1, 6);
  }, 30_000);

  it('says why it ended', async () => {
    const f = jit(valueAndGrad(rosenbrock), { engine }) as never;
    const start = tensor(new Float64Array(10));
    expect((await minimize(f, start, { maxIterations: 2 })).reason).toBe('iterations');
    expect((await minimize(f, start, { onStep: () => true })).reason).toBe('stopped');
    const wrong = ((x: Operand) => [tensor(0), x]) as never;
    expect((await minimize(wrong, tensor([1, 2]))).reason).toBe('no descent');
    await expect(minimize((() => 3) as never, start)).rejects.toThrow(/^minimize: f gives no pair of value and gradient/);
    await expect(minimize((() => [tensor(NaN), start]) as never, start)).rejects.toThrow(/^minimize: the value at the start is NaN/);
    await expect(minimize(f, tensor([1], { dtype: 'int32' }))).rejects.toThrow(/^minimize: start is i32\[1\]/);
    await expect(minimize((() => [tensor(1), tensor([1])]) as never, start)).rejects.toThrow(/^minimize: the gradient has 1 numbers, where 10 are expected/);
  });
});

describe('leastSquares', () => {
  const options = { engine };
  const problemOf = (residual: (x: T) => T): never => ({
    residual: jit(residual, options),
    push: jit((x: T, v: T) => jvp(residual, [x], [v])[1], options),
    pull: jit((x: T, w: T) => vjp(residual, x)[1](w)[0], options),
  }) as never;

  it('fits the parameters of a curve without noise to the last digits', async () => {
    const times = tensor(Float64Array.from({ length: 30 }, (_, i) => i / 10));
    const model = (p: T): T => times.mul(p.slice([1], [2])).neg().exp().mul(p.slice([0], [1])).add(p.slice([2], [3])) as unknown as T;
    const data = tensor(Float64Array.from({ length: 30 }, (_, i) => 2.5 * Math.exp(-1.3 * (i / 10)) + 0.5));
    const { parameters, converged, cost } = await leastSquares(problemOf((p) => model(p).sub(data)), tensor([1, 0.5, 0]));
    expect(converged).toBe(true);
    expect(cost).toBeLessThan(1e-20);
    (parameters as unknown as { toArray(): number[] }).toArray().forEach((value, at) => expect(value).toBeCloseTo([2.5, 1.3, 0.5][at]!, 9));
  });

  it('solves Powell\'s singular function, whose J is singular at the solution', async () => {
    const part = (x: T, at: number): T => x.slice([at], [at + 1]);
    const residual = (x: T): T => concat([part(x, 0).add(part(x, 1).mul(10)), part(x, 2).sub(part(x, 3)).mul(Math.sqrt(5)), square(part(x, 1).sub(part(x, 2).mul(2))), square(part(x, 0).sub(part(x, 3))).mul(Math.sqrt(10))]) as T;
    const { cost } = await leastSquares(problemOf(residual), tensor([3, -1, 0, 1]), { maxIterations: 200 });
    expect(cost).toBeLessThan(1e-11);
  });

  it('waits for what is done after a step, and lets that end the search', async () => {
    const ended = await leastSquares(problemOf((p) => p.mul(p).sub(tensor([1, 4]))), tensor([3, 3]), { onStep: async () => true });
    expect([ended.reason, ended.iteration]).toEqual(['stopped', 1]);
  });

  it('refuses what it cannot use', async () => {
    await expect(leastSquares({ residual: (x: Operand) => x } as never, tensor([1]))).rejects.toThrow(/^leastSquares: push is undefined/);
    await expect(leastSquares(problemOf((x) => x.log()), tensor([-1]))).rejects.toThrow(/the residual at the start is not finite/);
  });
});

describe('conjugateGradient', () => {
  const n = 20;
  const random = createRandom(3);
  const rows = Array.from({ length: n }, () => Array.from({ length: n }, () => random() - 0.5));
  const a = rows.map((_, i) => rows.map((_row, j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, i === j ? 0.5 : 0)));
  const b = Array.from({ length: n }, () => random());

  it('solves, counts and knows when it is done', () => {
    const solve = jit((m: T, v: T) => conjugateGradient((x) => matmul(m, x), v) as unknown as { readonly x: T; readonly residual: T; readonly iterations: TracedTensor<'int32'>; readonly converged: TracedTensor<'bool'> }, { engine });
    const { x, iterations, converged, residual } = solve(tensor(a), tensor(b));
    const found = x.toArray() as readonly number[];
    a.forEach((row, i) => expect(row.reduce((sum, value, j) => sum + value * found[j]!, 0)).toBeCloseTo(b[i]!, 8));
    expect(converged.item()).toBe(true);
    expect(iterations.item()).toBeLessThanOrEqual(2 * n);
    expect(residual.item()).toBeLessThan(1e-8);
  });

  it('stops at an A that is not positive definite, and at nothing to do', () => {
    const solve = jit((m: T, v: T) => conjugateGradient((x) => matmul(m, x), v) as unknown as { readonly x: T; readonly converged: TracedTensor<'bool'> }, { engine });
    expect(solve(tensor([[-1, 0], [0, -1]]), tensor([1, 1])).converged.item()).toBe(false);
    const zero = solve(tensor(a), tensor(new Float64Array(n)));
    expect(zero.converged.item()).toBe(true);
    expect(zero.x.toArray()).toEqual(new Array(n).fill(0));
  });

  it('a good preconditioner saves products, and the gradient runs through', () => {
    const diagonal = tensor(Float64Array.from({ length: n }, (_, i) => 10 ** (i / 4)));
    const count = (options: object): number => (jit((d: T, v: T) => conjugateGradient((x) => d.mul(x as T), v, options).iterations as TracedTensor<'int32'>, { engine })(diagonal, tensor(b))).item();
    expect(count({ preconditioner: (x: T) => x.div(diagonal) })).toBe(1);
    expect(count({})).toBeGreaterThan(15);
    const slope = jit(grad((d: T) => (conjugateGradient((x) => d.mul(x as T), tensor([1, 2]), { maxIterations: 5 }).x as T).sum()), { engine })(tensor([2, 5]));
    expect((slope.toArray() as readonly number[]).map((value) => Math.round(value * 1e9) / 1e9)).toEqual([-0.25, -0.08]);
  });
});
