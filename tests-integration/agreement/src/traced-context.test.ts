import { AdContext, createCatalog, exp, mul, type Operand, sum, tanh, tensor, type Extension, isTfError, type Kind } from '@tf/core';
import { EagerRuntime, type EagerTensor } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { evaluate, grad, hessian, hvp, jit, jvp, linearTranspose, type TracedTensor, vjpMany, input, compile } from '@tf/traced';
import { describe, expect, test } from 'vitest';

const engine = await createEngine();
type F64 = TracedTensor<'float64'>;

/** Written once for both front ends. */
function loss(x: Operand<Kind, 'float64'>): Operand<Kind, 'float64'> {
  return sum(mul(tanh(x), exp(mul(x, 0.5))) as Operand<Kind, 'float64'>) as Operand<Kind, 'float64'>;
}

const data = [0.3, -1.2, 0.7];
const direction = [1, -0.5, 2];

async function bits(x: { data(): Promise<ArrayBufferView> }): Promise<string> {
  const { buffer, byteOffset, byteLength } = await x.data();
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('hex');
}

describe('one AdContext serves an eager runtime and traced functions', () => {
  test('with one transform cache, which both fill, hit, and clear', async () => {
    const context = new AdContext({ catalog: createCatalog() });
    const runtime = new EagerRuntime({ context });
    const x = runtime.variable(data);
    const backward = (): void => runtime.session(engine, () => (loss(x) as unknown as EagerTensor<'float64'>).backward());
    backward();
    const eagerOnly = context.stats();
    expect(eagerOnly.misses).toBe(1);
    const traced = evaluate(grad(loss, { context })(tensor(data)), engine);
    expect(context.stats().entries).toBeGreaterThanOrEqual(1);
    evaluate(grad(loss, { context })(tensor(data)), engine);
    expect(context.stats().hits).toBeGreaterThan(eagerOnly.hits);
    expect(await bits(traced)).toBe(await bits(x.grad!));
    context.clear();
    expect(context.stats()).toMatchObject({ entries: 0, retainedBytes: 0, clears: 1 });
    x.clearGrad();
    backward();
    expect(await bits(x.grad!)).toBe(await bits(traced));
  });

  test('with equality deciding where all hashes are one, bounded to few entries, for both', async () => {
    const plain = new AdContext({ catalog: createCatalog() });
    const poor = new AdContext({ catalog: createCatalog(), hash: () => 7, maximumEntries: 2 });
    const results = await Promise.all([plain, poor].map(async (context) => {
      const runtime = new EagerRuntime({ context });
      const found: string[] = [];
      for (const power of [1, 2, 3, 1, 2, 3]) {
        const f = (x: Operand<Kind, 'float64'>): Operand<Kind, 'float64'> => sum(Array.from({ length: power }).reduce<Operand<Kind, 'float64'>>((y) => mul(y, x) as Operand<Kind, 'float64'>, x)) as Operand<Kind, 'float64'>;
        const x = runtime.variable(data);
        runtime.session(engine, () => (f(x) as unknown as EagerTensor<'float64'>).backward());
        const gradient = await bits(evaluate(grad(f, { context })(tensor(data)), engine));
        expect(gradient).toBe(await bits(x.grad!));
        found.push(gradient);
      }
      return found;
    }));
    expect(results[1]).toEqual(results[0]);
    expect(poor.stats().entries).toBeLessThanOrEqual(2);
    expect(poor.stats().evictions).toBeGreaterThan(0);
  });

  test('with the same rules: a family that it lacks is one error in both', () => {
    const context = new AdContext({ catalog: createCatalog() });
    const more = context.with({ contract: 1, family: 'acme.x', package: '@acme/x', version: '1.0.0', operations: [], rules: {} } satisfies Extension);
    const runtime = new EagerRuntime({ context: more });
    expect(runtime.context).toBe(more);
    let error: unknown;
    try {
      input('a', { context }).add(input('b', { context: more }));
    } catch (caught) {
      error = caught;
    }
    expect(isTfError(error, 'ContextMismatchError')).toBe(true);
  });
});

describe('traced and eager give the same bits', () => {
  const runtime = new EagerRuntime();
  const x = runtime.variable(data);

  test('of hvp, vjpMany and second derivatives', async () => {
    const eager = runtime.session(engine, () => {
      const y = loss(x) as unknown as EagerTensor<'float64'>;
      return { hvp: runtime.hvp(y, x, direction), many: runtime.vjpMany(y, [x, x], 2), tangent: runtime.jvp(y, x, direction) };
    });
    const traced = evaluate({ hvp: hvp(loss, [tensor(data)], [tensor(direction)])[0], tangent: jvp((v) => loss(v) as F64, [tensor(data)], [tensor(direction)])[1] }, engine);
    const leaf = input('x', { shape: [3] });
    const many = compile(vjpMany(loss(leaf) as F64, [leaf, leaf], 2), { engine })({ x: tensor(data) });
    expect(await bits(traced.hvp)).toBe(await bits(eager.hvp));
    expect(await bits(traced.tangent)).toBe(await bits(eager.tangent));
    for (const at of [0, 1] as const) expect(await bits(many[at])).toBe(await bits(eager.many[at]));
  });

  test('of gradients by values on the way, together with those of leaves', async () => {
    const eager = runtime.session(engine, () => {
      const h = exp(x);
      const y = sum(mul(mul(h, tanh(h)), x));
      return runtime.vjpMany(y, [x, h], 1);
    });
    const leaf = input('x', { shape: [3] });
    const h = exp(leaf);
    const traced = compile(vjpMany(sum(mul(mul(h, tanh(h)), leaf)), [leaf, h], 1), { engine })({ x: tensor(data) });
    for (const at of [0, 1] as const) expect(await bits(traced[at])).toBe(await bits(eager[at]));
  });

  test('of untracked eager tensors as arguments and constants of traced functions', async () => {
    const c = runtime.constant(direction);
    const f = (v: F64): F64 => sum(mul(mul(v, v), c)) as F64;
    const run = jit((v: F64) => [hessian(f)(v), linearTranspose((w: F64) => mul(w, c) as F64, v)(v)[0]] as const, { engine });
    const [matrix, back] = runtime.session(engine, () => run(c));
    expect((matrix.toArray() as number[][]).map((row) => row.map((value) => value + 0))).toEqual([[2, 0, 0], [0, -1, 0], [0, 0, 4]]);
    expect(back.toArray()).toEqual([1, 0.25, 4]);
  });
});
