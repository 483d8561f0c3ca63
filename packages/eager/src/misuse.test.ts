import { inspect } from 'node:util';
import { add, isTfError, mul, sum, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, test } from 'vitest';
import { backward, EagerRuntime, grad } from './index.ts';

const engine = await createEngine();
const runtime = new EagerRuntime({ name: 'mine' });
const any = (value: unknown): never => value as never;

async function thrown(run: () => unknown): Promise<Error> {
  try {
    await run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

const x = runtime.variable([1, 2]);
const loss = runtime.session(engine, () => sum(mul(x, x)));
const theirs = new EagerRuntime({ name: 'theirs' }).variable([1, 2]);

/** A call, the error's name, and what its message says. */
const misuse: readonly (readonly [call: string, run: () => unknown, name: string, says: RegExp])[] = [
  ['session()', () => (runtime.session as () => unknown)(), 'ArgumentError', /^session: engine is undefined; it takes an engine\. .*createEngine.*runtime\.session\(engine, callback\)/],
  ['session(null, f)', () => runtime.session(any(null), () => 1), 'ArgumentError', /^session: engine is null;/],
  ['session({}, f)', () => runtime.session(any({}), () => 1), 'ArgumentError', /^session: engine is an Object;/],
  ['session(engine, 5)', () => runtime.session(engine, any(5)), 'ArgumentError', /^session: callback is number 5; it takes a function\. .*session\(engine/],
  ['sessionAsync()', () => (runtime.sessionAsync as () => unknown)(), 'ArgumentError', /^sessionAsync: engine/],
  ['sessionAsync({}, f)', () => runtime.sessionAsync(any({}), async () => 1), 'ArgumentError', /^sessionAsync: engine/],
  ['sessionAsync(engine, 5)', () => runtime.sessionAsync(engine, any(5)), 'ArgumentError', /^sessionAsync: callback .*async/],
  ['open()', () => (runtime.open as () => unknown)(), 'ArgumentError', /^open: engine .*runtime\.open\(engine\)/],
  ['open({})', () => runtime.open(any({})), 'ArgumentError', /^open: engine/],
  ['noGrad(5)', () => runtime.noGrad(any(5)), 'ArgumentError', /^noGrad: callback/],
  ['captureTrace()', () => (runtime.captureTrace as () => unknown)(), 'ArgumentError', /^captureTrace: callback/],
  ['scope(null)', () => runtime.scope(any(null)), 'ArgumentError', /^scope: callback/],
  ['backward({ inputs: [3] })', () => loss.backward({ inputs: any([3]) }), 'ArgumentError', /^backward: inputs\[0\] is number 3; it takes an eager tensor/],
  ['backward({ inputs: [host] })', () => loss.backward({ inputs: any([tensor([1])]) }), 'ArgumentError', /^backward: inputs\[0\] .*f64\[1\]/],
  ['backward({ inputs: x })', () => loss.backward({ inputs: any(x) }), 'ArgumentError', /^backward: inputs is a tensor f64\[2\]; it takes a list of tensors/],
  ['backward(null)', () => loss.backward(any(null)), 'ArgumentError', /^backward: options is null; it takes an object with cotangent, inputs, engine/],
  ['backward(5)', () => loss.backward(any(5)), 'ArgumentError', /^backward: options .* number 5/],
  ['backward({ engine: {} })', () => loss.backward({ engine: any({}) }), 'ArgumentError', /^backward: engine/],
  ['runtime.backward(loss, null)', () => runtime.backward(any(loss), any(null)), 'ArgumentError', /^backward: options/],
  ['backward(loss, undefined, null)', () => backward(any(loss), undefined, any(null)), 'ArgumentError', /^backward: options/],
  ['grad(loss, x, undefined, null)', () => grad(any(loss), any(x), undefined, any(null)), 'ArgumentError', /^grad: options/],
  ['runtime.grad(…, { engine: {} })', () => runtime.grad(any(loss), any(x), { engine: any({}) }), 'ArgumentError', /^grad: engine/],
  ['runtime.jvp(…, { engine: 1 })', () => runtime.jvp(any(loss), any(x), [1, 1], { engine: any(1) }), 'ArgumentError', /^jvp: engine/],
  ['assign of another runtime', () => x.assign(theirs), 'ContextMismatchError', /^assign: value, a tensor f64\[2\] of theirs, met tensors of mine/],
  ['grad by another runtime', () => runtime.grad(any(loss), any(theirs)), 'ContextMismatchError', /^grad: x, a tensor/],
  ['vjpMany(y, [x, host])', () => runtime.vjpMany(loss, [x, tensor([1])], 1), 'InactiveGradError', /^vjpMany: inputs\[1\], a value f64\[1\], is no eager tensor.*runtime\.variable/],
  ['vjpMany(y, [x, h]) of no scalar', () => runtime.session(engine, () => runtime.vjpMany(mul(x, 2), [x], any(undefined))), 'NonScalarGradError', /^vjpMany: needs a real scalar, got f64\[2\].*runtime\.vjpMany\(y, inputs, cotangent\)\.$/],
  ['grad of no scalar', () => runtime.session(engine, () => runtime.grad(any(mul(x, 2)), x)), 'NonScalarGradError', /^grad: .*runtime\.vjp\(y, x, cotangent\)\.$/],
  ['backward of no scalar', () => runtime.session(engine, () => mul(x, 2).backward()), 'NonScalarGradError', /^backward: .*y\.backward\(\{ cotangent \}\)\.$/],
  ['vjpMany(y, x, 1)', () => runtime.vjpMany(loss, any(x), 1), 'ArgumentError', /^vjpMany: inputs is a tensor f64\[2\]; it takes a list of tensors\. Write \[x\], or call vjp for one/],
  ['vjpMany(y, [[1]], 1)', () => runtime.vjpMany(loss, any([[1]]), 1), 'ArgumentError', /^vjpMany: x is an array; it takes a tensor/],
  ['jvpMany(y, x, [1])', () => runtime.jvpMany(loss, any(x), [1]), 'ArgumentError', /^jvpMany: inputs is a tensor f64\[2\]; it takes a list/],
  ['jvpMany(y, [x], 1)', () => runtime.jvpMany(loss, [x], any(1)), 'ArgumentError', /^jvpMany: tangents is number 1; it takes a list/],
  ['grad(y, [x, x])', () => runtime.grad(loss, any([x, x])), 'ArgumentError', /^grad: x is an array; it takes a tensor\. For several tensors: vjpMany/],
  ['add of two runtimes', () => runtime.session(engine, () => add(x, theirs)), 'ContextMismatchError', /^add: argument 1: A tensor f64\[2\] of theirs met tensors of mine/],
  ['matmul of two runtimes', () => runtime.session(engine, () => x.matmul(theirs)), 'ContextMismatchError', /^matmul: argument 1: /],
  ['+t', () => Number(x), 'ArgumentError', /used as a number.*x\.item\(\).*x\.toArray\(\)/],
  ['t < 1', () => any(x) < 1, 'ArgumentError', /used as a number.*x\.lt/],
];

test.each(misuse)('%s', async (_, run, name, says) => {
  const error = await thrown(() => run());
  expect([isTfError(error), error.name, error.message]).toEqual([true, name, expect.stringMatching(says)]);
  expect(() => runtime.session(engine, () => 1)).not.toThrow();
});

test('a tensor that was disposed is named where it is read, and where it is an operand', () => {
  const y = runtime.constant([1, 2]);
  y.dispose();
  expect(() => y.toArray()).toThrow(/^toArray: a tensor f64\[2\] has been disposed\. Use it before/);
  expect(() => runtime.session(engine, () => add(x, y))).toThrow(/^add: operand 1, a tensor f64\[2\], has been disposed\. Use it before/);
});

test('a tensor that a scope freed is named', () => {
  let kept: { toArray(): unknown } | undefined;
  runtime.session(engine, () => runtime.scope(() => void (kept = add(x, 1))));
  expect(() => kept?.toArray()).toThrow(/^toArray: a tensor f64\[2\] was freed when the scope.* ended\./);
});

describe('a disposed engine', () => {
  test('takes neither constants nor variables along that were never computed', async () => {
    const [first, second] = [await createEngine(), await createEngine()];
    const own = new EagerRuntime();
    const [v, c] = [own.variable([1, 2]), own.constant([10, 20])];
    own.session(first, () => add(v, c));
    first.dispose();
    expect([v.toArray(), String(c)]).toEqual([[1, 2], String(tensor([10, 20]))]);
    expect(own.session(second, () => add(v, c).toArray())).toEqual([11, 22]);
  });

  test('is named when a value was lost with it', async () => {
    const [first, second] = [await createEngine(), await createEngine()];
    const own = new EagerRuntime();
    const v = own.variable([1, 2]);
    const y = own.session(first, () => add(v, 1));
    own.session(first, () => v.assign(mul(v, 2)));
    first.dispose();
    for (const run of [() => own.session(second, () => add(3, v)), () => y.toArray(), () => y.item()]) {
      const error = await thrown(run);
      expect([error.name, error.message]).toEqual(['DisposedError', expect.stringMatching(/a tensor f64\[2\]: its value was lost with the engine cpu-wasm, which has been disposed/)]);
    }
    expect((await thrown(() => own.session(second, () => add(3, v)))).message).toMatch(/^add: operand 1, /);
    expect(String(y)).toBe('f64[2], lost with its engine');
    v.assign([5, 6]);
    expect(own.session(second, () => add(v, 1).toArray())).toEqual([6, 7]);
  });
});

describe('where JavaScript converts', () => {
  test('a tensor prints as its values', () => {
    expect(inspect(x)).toBe(x.toString());
    expect(inspect({ x })).toContain(x.toString());
    expect(`${any(x)}`).toBe(x.toString());
  });

  test('a scalar is its number', () => {
    const scalar = runtime.constant(2.5);
    expect([Number(scalar), any(scalar) < 3, `${any(scalar)}`]).toEqual([2.5, true, scalar.toString()]);
  });

  test('JSON has dtype, shape and data', () => {
    expect(JSON.parse(JSON.stringify({ x }))).toEqual({ x: { dtype: 'float64', shape: [2], data: [1, 2] } });
  });
});
