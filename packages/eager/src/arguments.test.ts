import { isTfError } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { expect, test } from 'vitest';
import { backward, EagerRuntime, type EagerTensor, grad } from './index.ts';

const engine = await createEngine();
const runtime = new EagerRuntime();
const x = runtime.variable([1, 2]);
const y = runtime.session(engine, () => x.mul(x).sum()) as EagerTensor<'float64'>;
const any = (value: unknown): never => value as never;

/** Every public function with options: the call, and a wrong value for each option. */
const calls: readonly (readonly [call: string, run: (options: never) => unknown, options: { readonly [name: string]: readonly unknown[] }])[] = [
  ['EagerRuntime', (options) => new EagerRuntime(options), { context: [{}, 5, runtime], name: [5, ''], maximumOperations: [NaN, 'x', 0, 1.5, Infinity], maximumDerivatives: [NaN, '9', -1], derivativeHash: [5] }],
  ['scope', (options) => runtime.scope(() => 1, options), { name: [5] }],
  ['variable', (options) => runtime.variable([1], options), { requiresGrad: ['no', 1, null] }],
  ['backward', (options) => y.backward(options), { inputs: [x, 5, [], [5]], engine: [{}, null, 'cpu-wasm'] }],
  ['backward', (options) => runtime.backward(y, options), { inputs: [[3]], engine: [{}] }],
  ['backward', (options) => backward([y], undefined, options), { inputs: [[]], engine: [{}] }],
  ['grad', (options) => runtime.grad(y, x, options), { allowUnused: ['yes'], conjugate: [1], engine: [{}] }],
  ['grad', (options) => grad(y, x, undefined, options), { allowUnused: [0], conjugate: ['x'], engine: [5] }],
  ['gradOptional', (options) => runtime.gradOptional(y, x, options), { allowUnused: [0], conjugate: ['x'], engine: [5] }],
  ['vjp', (options) => runtime.vjp(y, x, 1, options), { allowUnused: [0], conjugate: ['x'], engine: [5] }],
  ['vjpMany', (options) => runtime.vjpMany(y, [x], 1, options), { allowUnused: [0], conjugate: ['x'], engine: [5] }],
  ['jvp', (options) => runtime.jvp(y, x, [1, 1], options), { engine: [5] }],
  ['jvpMany', (options) => runtime.jvpMany(y, [x], [[1, 1]], options), { engine: [5] }],
  ['hvp', (options) => runtime.hvp(y, x, [1, 1], options), { allowUnused: [0], conjugate: ['x'], engine: [5] }],
];

const misuse = calls.flatMap(([call, run, options]) => {
  const [first] = Object.keys(options) as [string];
  const cases: readonly (readonly [text: string, given: unknown, says: RegExp])[] = [
    ...[null, 5, 'x', [], x].map((given) => [`${call}(${typeof given})`, given, new RegExp(`^${call}: options is .*; it takes an object with .*${first}`)] as const),
    [`${call}({ foo })`, { foo: 1 }, new RegExp(`^${call}: there is no option "foo"\\. It takes .*${first}`)],
    [`${call}({ ${first}z })`, { [`${first}z`]: 1 }, new RegExp(`^${call}: there is no option "${first}z"\\. Write ${first}\\.`)],
    ...Object.entries(options).flatMap(([name, values]) => values.map((value) => [`${call}({ ${name}: ${typeof value} })`, { [name]: value }, new RegExp(`^${call}: ${name}(\\[0\\])? is `)] as const)),
  ];
  return cases.map(([text, given, says]) => [text, () => run(any(given)), says] as const);
});

test.each(misuse)('%s is refused by name', (_, run, says) => {
  let thrown: unknown;
  try {
    runtime.session(engine, run);
  } catch (error) {
    thrown = error;
  }
  expect([isTfError(thrown, 'ArgumentError'), String((thrown as Error | undefined)?.message)]).toEqual([true, expect.stringMatching(says)]);
});

test('a misspelt option changes nothing', () => {
  runtime.clearGrads();
  expect(() => runtime.session(engine, () => y.backward(any({ input: [x] })))).toThrow(/^backward: there is no option "input"\. Write inputs\./);
  expect(() => runtime.variable([1], any({ requires: false }))).toThrow(/Write requiresGrad\./);
  expect(x.grad).toBeUndefined();
});

test('a derivative of nothing, or by nothing, is refused', () => {
  const says = (run: () => unknown): RegExp | string => {
    try {
      run();
      return '';
    } catch (error) {
      return `${(error as Error).name} ${(error as Error).message}`;
    }
  };
  expect(says(() => y.backward({ inputs: [] }))).toMatch(/^ArgumentError backward: inputs is an empty list, so no gradient is asked for\. List variables, or leave inputs out/);
  expect(says(() => grad([], x))).toMatch(/^ArgumentError grad: outputs is an empty list, so there is nothing to differentiate/);
  expect(says(() => backward([]))).toMatch(/^ArgumentError backward: outputs is an empty list/);
  expect(says(() => x.setRequiresGrad(any('no')))).toMatch(/^ArgumentError setRequiresGrad: requires is string no; it takes true or false/);
});

test('options that are undefined are absent', () => {
  const own = new EagerRuntime(any({ context: undefined, maximumOperations: undefined }));
  expect(own.variable([1], any({ requiresGrad: undefined })).tracksGrad).toBe(true);
});
