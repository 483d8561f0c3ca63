import { type Operand, square, tensor, type TypedArray } from '@tf/core';
import { EagerRuntime, type EagerTensor } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { jit, type TracedTensor, valueAndGrad } from '@tf/traced';
import { describe, expect, it } from 'vitest';
import { adam, adamw, attach, clipByGlobalNorm, cosineDecay, exponentialDecay, globalNorm, momentum, type Optimizer, type OptimizerState, sgd, warmup } from './index.ts';

const engine = await createEngine();
type T = TracedTensor<'float64'>;
interface Weights<V> {
  readonly a: V;
  readonly b: readonly V[];
}
type Readable = { data(): Promise<TypedArray> };

const target = [0.5, -2, 3];
const loss = ({ a, b }: Weights<T>): T => square(a.sub(tensor(target))).sum().add(b[0]!.mul(b[0]!).mul(2)).add(b[0]!.mul(a.sum()));
const start: Weights<Operand> = { a: tensor([1, 1, 1]), b: [tensor(0.25)] };

/** The same loss by hand. */
function plain(w: readonly number[]): readonly number[] {
  const [x, y, z, s] = w as [number, number, number, number];
  return [2 * (x - target[0]!) + s, 2 * (y - target[1]!) + s, 2 * (z - target[2]!) + s, 4 * s + x + y + z];
}

/** What each method does, by its definition, on plain numbers. */
const byHand: Readonly<Record<string, (w: number[], memory: Record<string, number[]>, t: number) => number[]>> = {
  sgd: (w) => w.map((v, i) => v - 0.1 * (plain(w)[i]! + 0.5 * v)),
  momentum: (w, memory) => {
    const g = plain(w);
    memory['v'] = (memory['v'] ?? [0, 0, 0, 0]).map((v, i) => 0.8 * v + g[i]!);
    return w.map((v, i) => v - 0.02 * memory['v']![i]!);
  },
  nesterov: (w, memory) => {
    const g = plain(w);
    memory['v'] = (memory['v'] ?? [0, 0, 0, 0]).map((v, i) => 0.8 * v + g[i]!);
    return w.map((v, i) => v - 0.02 * (g[i]! + 0.8 * memory['v']![i]!));
  },
  adam: (w, memory, t) => adamByHand(w, memory, t, 0.3, 0),
  adamw: (w, memory, t) => adamByHand(w, memory, t, 0, 0.3),
};

function adamByHand(w: number[], memory: Record<string, number[]>, t: number, l2: number, decay: number): number[] {
  const g = plain(w).map((value, i) => value + l2 * w[i]!);
  memory['m'] = (memory['m'] ?? [0, 0, 0, 0]).map((m, i) => 0.8 * m + 0.2 * g[i]!);
  memory['s'] = (memory['s'] ?? [0, 0, 0, 0]).map((s, i) => 0.95 * s + 0.05 * g[i]! ** 2);
  return w.map((v, i) => v - 0.1 * (memory['m']![i]! / (1 - 0.8 ** t) / (Math.sqrt(memory['s']![i]! / (1 - 0.95 ** t)) + 1e-6) + decay * v));
}

const ours: Readonly<Record<string, Optimizer>> = {
  sgd: sgd({ learningRate: 0.1, weightDecay: 0.5 }),
  momentum: momentum({ learningRate: 0.02, momentum: 0.8 }),
  nesterov: momentum({ learningRate: 0.02, momentum: 0.8, nesterov: true }),
  adam: adam({ learningRate: 0.1, beta1: 0.8, beta2: 0.95, epsilon: 1e-6, weightDecay: 0.3 }),
  adamw: adamw({ learningRate: 0.1, beta1: 0.8, beta2: 0.95, epsilon: 1e-6, weightDecay: 0.3 }),
};

const flat = async (w: Weights<unknown>): Promise<number[]> => [...Array.from(await (w.a as Readable).data(), Number), ...Array.from(await (w.b[0] as Readable).data(), Number)];

/** Twelve steps, each one call of a compiled function. */
async function traced(optimizer: Optimizer): Promise<number[]> {
  const step = jit((w: Weights<T>, state: OptimizerState) => optimizer.update(w, valueAndGrad(loss)(w)[1], state), { engine });
  let [w, state]: [Weights<Operand>, OptimizerState] = [start, optimizer.init(start)];
  for (let i = 0; i < 12; i++) ({ parameters: w, state } = step(w as never, state) as never);
  return flat(w);
}

describe.each(Object.keys(ours))('%s', (name) => {
  it('is its definition, and the same compiled and eager', async () => {
    let w = [1, 1, 1, 0.25];
    const memory = {};
    for (let t = 1; t <= 12; t++) w = byHand[name]!(w, memory, t);
    const compiled = await traced(ours[name]!);
    compiled.forEach((value, i) => expect(value).toBeCloseTo(w[i]!, 12));

    const runtime = new EagerRuntime();
    const variables = { a: runtime.variable([1, 1, 1]), b: [runtime.variable(0.25)] };
    runtime.session(engine, () => {
      const optimizer = attach(runtime, ours[name]!, variables);
      for (let i = 0; i < 12; i++) runtime.scope(() => {
        (loss(variables as never) as unknown as EagerTensor<'float64'>).backward();
        optimizer.step();
      });
      expect(optimizer.state.count as unknown as { item(): number }).toHaveProperty('tracksGrad', false);
    });
    expect(await flat(variables)).toEqual(compiled);
  });
});

describe('what goes wrong', () => {
  const x = tensor([1, 2]);
  const optimizer = adam();
  const state = optimizer.init(x);
  it.each([
    ['another structure', () => optimizer.update({ w: x }, x, optimizer.init({ w: x })), /^adam: the gradients have not the structure of the parameters: w meet \./],
    ['another shape', () => optimizer.update(x, tensor([1, 2, 3]), state), /^adam: the gradient is f64\[3\], its parameter f64\[2\]/],
    ['a complex gradient', () => optimizer.update(x, tensor([1, 2], { dtype: 'complex128' }), state), /a real parameter has a real gradient/],
    ['no tensor', () => optimizer.update(x, 3, state), /^adam: the gradient is number 3; it takes a tensor/],
    ['another state', () => optimizer.update(x, x, sgd({ learningRate: 1 }).init(x)), /^adam: the state is not that of adam for 1 parameters/],
    ['nothing to train', () => optimizer.init([tensor([1], { dtype: 'int32' })]), /no floating or complex tensor/],
    ['a rate below 0', () => sgd({ learningRate: -1 }), /^sgd: learningRate is number -1/],
    ['a rate that is NaN', () => adam({ learningRate: NaN }), /^adam: learningRate/],
    ['a beta of 1', () => adam({ beta1: 1 }), /^adam: beta1/],
    ['an unknown option', () => adam({ learningrate: 1 } as never), /Write learningRate/],
    ['a constant to attach', () => attach(new EagerRuntime(), optimizer, [x]), /^attach: \[0\] is no variable/],
  ] as const)('%s is said', (_name, act, message) => {
    expect(act).toThrow(message);
  });

  it('parameters without a gradient stay, and so do integers', async () => {
    const parameters = { w: x, frozen: tensor([5]), steps: tensor([7], { dtype: 'int32' }) };
    const begun = optimizer.init(parameters);
    const { parameters: next, state: after } = optimizer.update(parameters, { w: x, frozen: undefined, steps: undefined }, begun);
    expect(next.frozen).toBe(parameters.frozen);
    expect(next.steps).toBe(parameters.steps);
    expect(after.slots['mean']![0]).toBe(begun.slots['mean']![0]);
    expect(begun.slots['mean']).toHaveLength(2);
  });
});

describe('of complex and single numbers', () => {
  it('adam turns a complex parameter by |gradient|', async () => {
    const z = tensor([{ re: 3, im: 4 }] as never) as Operand;
    const step = jit((w: TracedTensor<'complex128'>, state: OptimizerState) => adam({ learningRate: 0.5 }).update(w, w, state).parameters, { engine });
    const [re, im] = await (step(z as never, adam().init(z)) as unknown as Readable).data() as Float64Array;
    expect(re).toBeCloseTo(3 - 0.5 * 0.6, 6);
    expect(im).toBeCloseTo(4 - 0.5 * 0.8, 6);
  });

  it('keep float32', () => {
    const w = tensor([1, 2], { dtype: 'float32' });
    for (const optimizer of [adam({ learningRate: exponentialDecay({ start: 1, factor: 0.5, steps: 2 }) }), momentum({ learningRate: 0.5 })]) {
      const step = jit((x: TracedTensor<'float32'>, state: OptimizerState) => optimizer.update(x, x, state), { engine });
      const { parameters, state } = step(w, optimizer.init(w));
      expect(parameters.type.dtype).toBe('float32');
      expect(Object.values(state.slots).flat().every(({ type }) => type.dtype === 'float32')).toBe(true);
    }
  });
});

describe('schedules and clipping', () => {
  const at = async (rate: (count: never) => Operand, count: number): Promise<number> => Number((await (jit((k: T) => rate(k as never) as T, { engine })(count)).data())[0]);

  it('are what they say', async () => {
    const cosine = cosineDecay({ start: 1, end: 0.2, steps: 10 });
    expect(await at(cosine, 0)).toBeCloseTo(1, 14);
    expect(await at(cosine, 5)).toBeCloseTo(0.6, 14);
    expect(await at(cosine, 99)).toBeCloseTo(0.2, 14);
    expect(await at(exponentialDecay({ start: 2, factor: 0.25, steps: 4 }), 2)).toBeCloseTo(1, 14);
    expect(await at(warmup(4, cosine), 0)).toBeCloseTo(0.25, 14);
    expect(await at(warmup(4, 3), 9)).toBe(3);
    expect(() => warmup(0, 1)).toThrow(/warmup: steps/);
  });

  it('clips a tree by its norm', async () => {
    const clip = jit((g: Weights<T>, most: T) => ({ clipped: clipByGlobalNorm(g, 1), norm: globalNorm(g), most }), { engine });
    const { clipped, norm } = clip({ a: tensor([3, 0]), b: [tensor(4)] } as never, 1) as unknown as { clipped: Weights<Readable>; norm: Readable };
    expect((await norm.data())[0]).toBeCloseTo(5, 14);
    expect(await flat(clipped)).toEqual([3 / 5, 0, 4 / 5].map((value) => expect.closeTo(value, 14)));
    const small = clip({ a: tensor([0.3, 0]), b: [tensor(0.4)] } as never, 1) as unknown as { clipped: Weights<Readable> };
    expect(await flat(small.clipped)).toEqual([0.3, 0, 0.4]);
  });
});
