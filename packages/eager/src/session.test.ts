import { add, bitwiseAnd, mul, sum, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, test } from 'vitest';
import { EagerRuntime } from './index.ts';

const engine = await createEngine();
const other = await createEngine();

function errorOf(run: () => unknown): { name: string; message: string; fields: Record<string, unknown> } {
  try {
    run();
  } catch (error) {
    return error as never;
  }
  throw new Error('nothing was thrown');
}

describe('sessions', () => {
  test('an operation outside any session names the ways into one', () => {
    const runtime = new EagerRuntime();
    const x = runtime.variable([1, 2, 3]);
    const error = errorOf(() => add(x, 1));
    expect(error.name).toBe('NoSessionError');
    expect(error.message).toMatch(/session\(engine.*sessionAsync.*open\(engine\)/s);
    expect(error.fields['op']).toBe('add');
    expect(errorOf(() => runtime.session(engine, () => sum(x)).backward()).name).toBe('NoSessionError');
  });

  test('variables and constants can be made, read and printed outside a session', () => {
    const runtime = new EagerRuntime();
    expect(runtime.variable([1, 2, 3]).toArray()).toEqual([1, 2, 3]);
    expect(runtime.constant(4).item()).toBe(4);
    expect(String(runtime.constant([1, 2]))).toContain('1, 2');
  });

  test('gives back what the callback returns and leaves when it throws', () => {
    const runtime = new EagerRuntime();
    const x = runtime.variable([1, 2, 3]);
    expect(() => runtime.session(engine, () => { throw new Error('mine'); })).toThrow('mine');
    expect(errorOf(() => add(x, 1)).name).toBe('NoSessionError');
    expect(runtime.session(engine, () => add(x, 1)).toArray()).toEqual([2, 3, 4]);
  });

  test('nests on one engine and refuses another', () => {
    const runtime = new EagerRuntime();
    const x = runtime.variable([1, 2, 3]);
    runtime.session(engine, () => {
      runtime.session(engine, () => add(x, 1));
      expect(errorOf(() => runtime.session(other, () => add(x, 1))).name).toBe('SessionBusyError');
      expect(add(x, 1).toArray()).toEqual([2, 3, 4]);
    });
    expect(runtime.session(other, () => add(x, 1)).toArray()).toEqual([2, 3, 4]);
  });

  test('an asynchronous callback is refused by name and leaves the runtime usable', async () => {
    const runtime = new EagerRuntime();
    const x = runtime.variable([1, 2, 3]);
    const inSession = errorOf(() => runtime.session(engine, async () => add(x, 1)));
    expect(inSession.name).toBe('AsyncCallbackError');
    expect(inSession.message).toContain('sessionAsync');
    runtime.session(engine, () => {
      expect(errorOf(() => runtime.noGrad(async () => add(x, 1))).name).toBe('AsyncCallbackError');
      expect(add(x, 1).tracksGrad).toBe(true);
    });
    await Promise.resolve();
    expect(errorOf(() => add(x, 1)).name).toBe('NoSessionError');
  });

  test('a lease holds until it is disposed, twice is harmless, and the order does not matter', () => {
    const runtime = new EagerRuntime();
    const x = runtime.variable([1, 2, 3]);
    {
      using session = runtime.open(engine);
      expect(session.engine).toBe(engine);
      expect(add(x, 1).toArray()).toEqual([2, 3, 4]);
    }
    expect(errorOf(() => add(x, 1)).name).toBe('NoSessionError');
    const first = runtime.open(engine);
    const second = runtime.open(engine);
    first.dispose();
    first.dispose();
    expect(add(x, 1).toArray()).toEqual([2, 3, 4]);
    second.dispose();
    expect(errorOf(() => add(x, 1)).name).toBe('NoSessionError');
  });

  test('an asynchronous session is exclusive until it settles', async () => {
    const runtime = new EagerRuntime();
    const x = runtime.variable([1, 2, 3]);
    const running = runtime.sessionAsync(engine, async () => {
      const y = add(x, 1);
      await Promise.resolve();
      return add(y, 1).data();
    });
    expect(errorOf(() => runtime.session(other, () => 1)).name).toBe('SessionBusyError');
    await expect(runtime.sessionAsync(engine, async () => 1)).rejects.toMatchObject({ name: 'SessionBusyError' });
    expect(Array.from((await running) as Float64Array)).toEqual([3, 4, 5]);
    await expect(runtime.sessionAsync(engine, async () => { throw new Error('mine'); })).rejects.toThrow('mine');
    expect(errorOf(() => add(x, 1)).name).toBe('NoSessionError');
  });

  test('noGrad records nothing, also around a session', () => {
    const runtime = new EagerRuntime();
    const x = runtime.variable([1, 2, 3]);
    runtime.session(engine, () => {
      expect(runtime.noGrad(() => mul(x, x)).tracksGrad).toBe(false);
      expect(mul(x, x).tracksGrad).toBe(true);
      expect(() => runtime.noGrad(() => { throw new Error('mine'); })).toThrow('mine');
      expect(mul(x, x).tracksGrad).toBe(true);
    });
    expect(runtime.noGrad(() => runtime.session(engine, () => mul(x, x))).tracksGrad).toBe(false);
  });

  test('a disposed engine is refused', async () => {
    const gone = await createEngine();
    gone.dispose();
    const error = errorOf(() => new EagerRuntime().session(gone, () => 1));
    expect(error.name).toBe('DisposedError');
  });
});

describe('bad input leaves the runtime usable', () => {
  const runtime = new EagerRuntime({ name: 'mine' });
  const x = runtime.variable([[1, 2, 3], [4, 5, 6]]);
  const cases: readonly [string, () => unknown, string][] = [
    ['shapes that do not broadcast', () => add(x, runtime.constant([1, 2])), 'ShapeError'],
    ['inner sizes that differ', () => x.matmul(x), 'ShapeError'],
    ['an axis out of range', () => sum(x, { axes: 2 }), 'AxisError'],
    ['an axis named twice', () => sum(x, { axes: [0, -2] }), 'AxisError'],
    ['a dtype the operation does not take', () => bitwiseAnd(x, x), 'DTypeError'],
    ['a length that does not fit', () => runtime.variable(tensor([1, 2, 3]).reshape([2, 2])), 'ShapeError'],
    ['an argument that is no tensor', () => add(x, [1, 2] as never), 'ArgumentError'],
  ];
  test.each(cases)('%s', (_name, run, name) => {
    runtime.session(engine, () => {
      expect(errorOf(run).name).toBe(name);
      expect(sum(x).item()).toBe(21);
    });
    expect(runtime.session(engine, () => sum(x).item())).toBe(21);
  });

  test('tensors of two runtimes do not mix', () => {
    const yours = new EagerRuntime({ name: 'yours' });
    const y = yours.constant([[1, 2, 3], [4, 5, 6]]);
    runtime.session(engine, () => {
      const error = errorOf(() => add(x, y));
      expect(error.name).toBe('ContextMismatchError');
      expect(error.fields).toMatchObject({ lhs: 'mine', rhs: 'yours' });
      expect(errorOf(() => x.assign(y)).name).toBe('ContextMismatchError');
      expect(errorOf(() => runtime.constant(y)).name).toBe('ContextMismatchError');
      expect(sum(x).item()).toBe(21);
    });
  });
});
