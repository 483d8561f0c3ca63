import { add, isTfError, listenerKey, tensor, zeros } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { expect, it, test } from 'vitest';
import { compile, evaluate, grad, gradOptional, hvp, input, jit, jvp, linearize, trace, type TracedTensor, valueAndGrad } from './index.ts';

const engine = await createEngine();
const any = (value: unknown): never => value as never;
type Loose = (...args: readonly unknown[]) => unknown;
const loose = (f: unknown): Loose => f as Loose;

async function thrown(run: () => unknown): Promise<Error> {
  try {
    await run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

const t = input('t');
const square = (x: TracedTensor<'float64'>): TracedTensor<'float64'> => x.mul(x);
class EagerRuntime {}
class OtherTensor {}

/** A traced tensor as another copy of the package makes it. */
const foreign: unknown = Object.assign(new OtherTensor(), { type: t.type, [listenerKey]: { ...t.listener } });

const misuse: readonly (readonly [call: string, run: () => unknown, name: string, says: RegExp])[] = [
  ['evaluate(t)', () => loose(evaluate)(t), 'ArgumentError', /^evaluate: engine is undefined; it takes an engine\. .*evaluate\(tree, engine\)/],
  ['evaluate(t, {})', () => loose(evaluate)(t, {}), 'ArgumentError', /^evaluate: engine is an Object/],
  ['evaluate(t, runtime)', () => loose(evaluate)(t, new EagerRuntime()), 'ArgumentError', /^evaluate: engine is an EagerRuntime; .*createEngine/],
  ['jit(f)', () => loose(jit)(square), 'ArgumentError', /^jit: options is undefined; it takes an object with engine, .*: jit\(f, \{ engine \}\)/],
  ['jit(f, { engine: {} })', () => jit(square, { engine: any({}) }), 'ArgumentError', /^jit: engine/],
  ['jit(5, { engine })', () => loose(jit)(5, { engine }), 'ArgumentError', /^jit: f is number 5; it takes a function\. Write jit\(/],
  ['compile()', () => loose(compile)(), 'ArgumentError', /^compile: options/],
  ['compile(t, {})', () => compile(t, any({})), 'ArgumentError', /^compile: engine is undefined/],
  ['compile(3, { engine })', () => compile(3, { engine }), 'ArgumentError', /^compile: tree is number 3; it takes a traced tensor.*input/],
  ['trace()', () => loose(trace)(), 'ArgumentError', /^trace: f is undefined; it takes a function/],
  ['grad(5)', () => loose(grad)(5), 'ArgumentError', /^grad: .* got number 5/],
  ['grad(f, 5)', () => loose(grad)(square, 5), 'ArgumentError', /^grad: options .* number 5/],
  ['gradOptional(f, null)', () => loose(gradOptional)(square, null), 'ArgumentError', /^gradOptional: options .* null/],
  ["grad(f, { argnums: '0' })", () => grad(square, { argnums: any('0') }), 'ArgumentError', /^grad: argnums is string 0; it takes a number or a list of numbers/],
  ['grad(x => null)', () => loose(grad(() => any(null)))(3), 'ArgumentError', /^grad: the function must return .* got null\./],
  ['grad(f)([1, 2])', () => loose(grad(square))([1, 2]), 'ArgumentError', /^grad: argument 0 is an array of numbers.*tensor\(\[/],
  ['jit(f)([1, 2])', () => loose(jit(square, { engine }))([1, 2]), 'ArgumentError', /^jit\(square\): argument 0 is an array of numbers/],
  ['jvp(f, x, v)', () => loose(jvp)(square, 3, 1), 'ArgumentError', /^jvp: primals is number 3; it takes a list .*Write jvp\(f, \[x\], \[v\]\)/],
  ['jvp(f, [x], v)', () => loose(jvp)(square, [3], 1), 'ArgumentError', /^jvp: tangents is number 1; it takes a list/],
  ['jvp(f)', () => loose(jvp)(square), 'ArgumentError', /^jvp: primals is undefined/],
  ['hvp(f, x, v)', () => loose(hvp)(square, 3, 1), 'ArgumentError', /^hvp: primals is number 3; it takes a list/],
  ['linearize(5)', () => loose(linearize)(5), 'ArgumentError', /^linearize: f is number 5; it takes a function/],
  ['valueAndGrad(5)', () => loose(valueAndGrad)(5), 'ArgumentError', /^valueAndGrad: f is number 5; it takes a function/],
  ['valueAndGrad(f, { hasAux: true }) without a pair', () => loose(valueAndGrad(any(square), { hasAux: true }))(3), 'ArgumentError', /^valueAndGrad: the function must return \[scalar, auxiliary value\] .* got a tensor f64\[\]/],
  ['t.data()', () => t.data(), 'TracerLeakError', /used as data\(\)/],
  ['evaluate of another copy', () => evaluate(any(foreign), engine), 'ForeignValueError', /^evaluate: .*another copy of @tf\/traced.*npm ls/],
  ['grad by another copy', () => grad(square(t), any(foreign)), 'ForeignValueError', /^grad: .*another copy/],
];

test.each(misuse)('%s', async (_, run, name, says) => {
  const error = await thrown(run);
  expect([isTfError(error), error.name, error.message]).toEqual([true, name, expect.stringMatching(says)]);
});

it('computes host tensors that nobody has run', () => {
  expect((evaluate(add(tensor([1]), 1), engine) as { toArray(): unknown }).toArray()).toEqual([2]);
  expect((evaluate(zeros([3]), engine) as { toArray(): unknown }).toArray()).toEqual([0, 0, 0]);
});

it('passes on what a function of scalars throws', async () => {
  expect((await thrown(() => loose(grad(() => { throw new RangeError('mine'); }))([1, 2]))).message).toBe('mine');
  expect(evaluate(grad((p: readonly [TracedTensor<'float64'>, TracedTensor<'float64'>]) => p[0].mul(p[1]))([2, 5]), engine).map((x) => x.item())).toEqual([5, 2]);
});

it('says whether another engine or only another instance has a value, and when its engine is gone', async () => {
  const other = await createEngine();
  const value = jit(square, { engine: other })(3);
  const twice = jit((x: TracedTensor<'float64'>) => x.mul(2), { engine });
  expect((await thrown(() => twice(value))).message).toContain('another instance of the engine cpu-wasm');
  other.dispose();
  const error = await thrown(() => twice(value));
  expect([error.name, error.message]).toEqual(['DisposedError', expect.stringContaining('lost with the engine cpu-wasm, which has been disposed')]);
});
