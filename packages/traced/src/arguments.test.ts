import { isTfError } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { expect, test } from 'vitest';
import { compile, grad, gradOptional, hessian, hvp, input, jacobianForward, jacobianReverse, jit, jvp, linearTranspose, type TracedTensor, valueAndGrad, vjp, vjpMany } from './index.ts';

const engine = await createEngine();
const x = input('x');
const y = x.mul(x);
const f = (t: TracedTensor<'float64'>): TracedTensor<'float64'> => t.mul(t);
const any = (value: unknown): never => value as never;

type Wrong = { readonly [name: string]: readonly unknown[] };
const gradWrong: Wrong = { allowUnused: ['yes', 1], conjugate: [0, null], context: [{}, 5, engine] };
const functionWrong: Wrong = { argnums: ['0', null, [0, '1']], ...gradWrong };
const { allowUnused: _, ...pullbackWrong } = gradWrong;
const contextWrong: Wrong = { context: gradWrong['context'] as readonly unknown[] };

/** Every public function with options: the call, and wrong values for each option. */
const calls: readonly (readonly [call: string, run: (options: never) => unknown, options: Wrong, others?: object])[] = [
  ['jit', (options) => jit(f, options), { engine: [{}, 5, undefined], context: [{}], name: [5, ''], maximumEntries: [NaN, 'x', 0, 1.5] }, { engine }],
  ['compile', (options) => compile(y, options), { engine: [{}, 5, undefined], inputs: [x, 5] }, { engine }],
  ['input', (options) => input('z', options), { shape: [3, 'n'], context: [{}] }],
  ['grad', (options) => grad(y, x, options), gradWrong],
  ['grad', (options) => y.grad(x, options), gradWrong],
  ['gradOptional', (options) => gradOptional(y, x, options), gradWrong],
  ['gradOptional', (options) => y.gradOptional(x, options), gradWrong],
  ['vjp', (options) => vjp(y, x, 1, options), gradWrong],
  ['vjp', (options) => vjp(f, 3)[1](1, options), pullbackWrong],
  ['vjpMany', (options) => vjpMany(y, [x], 1, options), gradWrong],
  ['linearTranspose', (options) => linearTranspose((t) => t.mul(2), 3)(1, options), pullbackWrong],
  ['jvp', (options) => jvp(y, x, 1, options), contextWrong],
  ['jvp', (options) => y.jvp(x, 1, options), contextWrong],
  ['jvp', (options) => jvp(f, [3], [1], options), contextWrong],
  ['hvp', (options) => hvp(y, x, 1, options), gradWrong],
  ['hvp', (options) => hvp(f, [3], [1], options), gradWrong],
  ['jacobianForward', (options) => jacobianForward(y, x, options), gradWrong],
  ['jacobianReverse', (options) => jacobianReverse(y, x, options), gradWrong],
  ['hessian', (options) => hessian(y, x, options), gradWrong],
  // When the function is made, not only when it is called.
  ['grad', (options) => grad(f, options), functionWrong],
  ['gradOptional', (options) => gradOptional(f, options), functionWrong],
  ['valueAndGrad', (options) => valueAndGrad(f, options), { ...functionWrong, hasAux: ['yes'] }],
  ['jacobianForward', (options) => jacobianForward(f, options), functionWrong],
  ['jacobianReverse', (options) => jacobianReverse(f, options), functionWrong],
  ['hessian', (options) => hessian(f, options), functionWrong],
];

const misuse = calls.flatMap(([call, run, options, others = {}]) => {
  const [first] = Object.keys(options) as [string];
  const cases: readonly (readonly [text: string, given: unknown, says: RegExp])[] = [
    ...[null, 5, 'x', [], x].map((given) => [`${call}(${typeof given})`, given, new RegExp(`^${call}: options is .*; it takes an object with .*${first}`)] as const),
    [`${call}({ foo })`, { ...others, foo: 1 }, new RegExp(`^${call}: there is no option "foo"\\. It takes .*${first}`)],
    [`${call}({ ${first}z })`, { ...others, [`${first}z`]: 1 }, new RegExp(`^${call}: there is no option "${first}z"\\. Write ${first}\\.`)],
    ...Object.entries(options).flatMap(([name, values]) => values.map((value) => [`${call}({ ${name}: ${typeof value} })`, { ...others, [name]: value }, new RegExp(`^${call}: ${name} is `)] as const)),
  ];
  return cases.map(([text, given, says]) => [text, () => run(any(given)), says] as const);
});

test.each(misuse)('%s is refused by name', (_name, run, says) => {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  expect([isTfError(thrown, 'ArgumentError'), String((thrown as Error | undefined)?.message)]).toEqual([true, expect.stringMatching(says)]);
});

test('a misspelt option is answered with the one that was meant', () => {
  expect(() => grad(f, any({ argnum: 1 }))).toThrow(/^grad: there is no option "argnum"\. Write argnums\./);
  expect(() => grad(f, any({ hasAux: true }))).toThrow(/^grad: there is no option "hasAux"\. It takes argnums, /);
  expect(() => vjpMany(y, any(x), 1)).toThrow(/^vjpMany: xs is a tensor f64\[\]; it takes a list/);
});

test('options that are undefined are absent', () => {
  expect(grad(f, any({ argnums: undefined, context: undefined }))(3).type.key).toBe('f64[]');
});
