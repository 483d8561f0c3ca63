import { isTfError, matmul, mulDims, printProgram, reshape, symbolicDim, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { compile, input } from './index.ts';

const engine = await createEngine();

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('compile', () => {
  const x = input('x', { shape: ['n', 2] });
  const w = input('w', { shape: [2] });
  const y = matmul(x, w).sum();
  const run = compile({ y, gradient: y.grad(w) }, { engine });

  it('runs one plan for all sizes of symbolic extents', () => {
    const before = engine.stats();
    for (const rows of [1, 2, 5, 64]) {
      const data = Array.from({ length: rows }, (_, at) => [at, 1]);
      const found = run({ x: tensor(data), w: tensor([1, 10]) });
      const sum = (rows * (rows - 1)) / 2;
      expect(found.y.item()).toBe(sum + 10 * rows);
      expect(found.gradient.toArray()).toEqual([sum, rows]);
    }
    expect(engine.stats().modulesCompiled).toBe(before.modulesCompiled);
  });

  it('shows its program and plan', () => {
    expect(printProgram(run.program)).toContain('"x":f64[n, 2]');
    expect(run.plan.inputs.map((type) => type.key)).toEqual(['f64[n, 2]', 'f64[2]']);
  });

  it('takes typed arrays and numbers', () => {
    const a = input('a', { shape: ['n'] });
    const scale = input('scale');
    const scaled = compile(a.mul(scale), { engine });
    expect(scaled({ a: Float64Array.of(1, 2, 3), scale: 0.3 }).toArray()).toEqual([0.3, 0.6, 0.8999999999999999]);
  });

  it('takes data for inputs that nothing depends on when they are listed', () => {
    const [a, b] = [input('a'), input('b')];
    expect(compile(a.mul(2), { engine, inputs: [b, a] })({ a: 3, b: 4 }).item()).toBe(6);
    expect(isTfError(thrown(() => compile(a.mul(b), { engine, inputs: [a] })), 'ArgumentError')).toBe(true);
    expect(isTfError(thrown(() => compile(a.mul(b), { engine, inputs: [a, b, a.mul(2)] })), 'ArgumentError')).toBe(true);
  });

  it('names missing and unknown inputs', () => {
    const error = thrown(() => run({ x: tensor([[1, 2]]), v: 1 }));
    expect(isTfError(error, 'ArgumentError') && error.fields).toMatchObject({ missing: ['w'], unknown: ['v'] });
    expect((error as Error).message).toContain('The inputs are x, w');
  });

  it('refuses data of another shape, dtype or length, naming the input', () => {
    const good = { x: tensor([[1, 2]]), w: tensor([1, 2]) };
    const cases = [
      [{ ...good, w: tensor([1, 2, 3]) }, 'ShapeError', 'w'],
      [{ ...good, x: tensor([1, 2]) }, 'ShapeError', 'x'],
      [{ ...good, w: 3 }, 'ShapeError', 'w'],
      [{ ...good, w: tensor(Float32Array.of(1, 2)) }, 'DTypeError', 'w'],
      [{ ...good, w: Float32Array.of(1, 2) }, 'DTypeError', 'w'],
      [{ ...good, w: Float64Array.of(1, 2, 3) }, 'DataLengthError', 'w'],
      [{ ...good, w: 'two' as never }, 'ForeignValueError', 'w'],
      [{ ...good, w: input('other', { shape: [2] }) }, 'ForeignValueError', 'w'],
    ] as const;
    for (const [data, name, argument] of cases) {
      const error = thrown(() => run(data));
      expect(isTfError(error, name) ? '' : String(error)).toBe('');
      expect((error as Error).message).toContain(`input "${argument}"`);
    }
    expect(run(good).y.item()).toBe(5);
  });

  it('refuses sizes that break what symbols mean', () => {
    const a = input('a', { shape: ['n'] });
    const b = input('b', { shape: ['n'] });
    const same = compile(a.add(b), { engine });
    const error = thrown(() => same({ a: tensor([1, 2]), b: tensor([1, 2, 3]) }));
    expect(isTfError(error, 'ShapeError') && error.message).toContain('n is 2 in this call');
    const c = input('c', { shape: ['m'] });
    const mixed = compile(a.add(c), { engine });
    expect(mixed({ a: tensor([1, 2]), c: tensor([1, 2]) }).toArray()).toEqual([2, 4]);
    const broken = thrown(() => mixed({ a: tensor([1, 2]), c: tensor([1, 2, 3]) }));
    expect(isTfError(broken, 'ConstraintError') && broken.message).toContain('add');
  });

  it('finds the symbol of an extent that it decides, and refuses sizes for which there is none', () => {
    const x = input('x', { shape: [mulDims(2, symbolicDim('m'))] });
    const sums = compile(reshape(x, [-1, 2]).sum({ axes: 1 }), { engine });
    expect(sums({ x: tensor([1, 2, 3, 4]) }).toArray()).toEqual([3, 7]);
    expect(sums({ x: Float64Array.of(5, 6) }).toArray()).toEqual([11]);
    const odd = thrown(() => sums({ x: tensor([1, 2, 3]) }));
    expect(isTfError(odd, 'ShapeError') && odd.message).toBe('input "x": takes the shape [2*m], got [3]: no size makes 2*m that.');
  });

  it('refuses two inputs of one name, and inputs without sense', () => {
    expect(isTfError(thrown(() => compile(input('a').add(input('a')), { engine })), 'ArgumentError')).toBe(true);
    expect(isTfError(thrown(() => input('')), 'ArgumentError')).toBe(true);
    expect(isTfError(thrown(() => input('x', { dtype: 'float16' as never })), 'DTypeError')).toBe(true);
    expect(isTfError(thrown(() => input('x', { shape: [-1] })), 'ShapeError')).toBe(true);
    expect(isTfError(thrown(() => input('x', { shape: ['not a name'] })), 'ArgumentError')).toBe(true);
    expect(input('x', { shape: [symbolicDim('k'), 2] }).type.key).toBe('f64[k, 2]');
  });
});

it('prepare and runAsync', async () => {
  const x = input('x', { shape: [2] });
  const square = compile({ y: x.mul(x), name: 'square' }, { engine: await createEngine() });
  await square.prepare();
  expect(square({ x: tensor([1, 2]) }).y.toArray()).toEqual([1, 4]);
  expect(await (await square.runAsync({ x: tensor([3, 4]) })).y.data()).toEqual(Float64Array.of(9, 16));
  await expect(square.runAsync({})).rejects.toThrow(expect.objectContaining({ name: 'ArgumentError' }));
});
