import { coreExtension, exp, isTfError, mul, stopGradient, type Var } from '@tf/core';
import { expect, test } from 'vitest';
import { brokenExtensionLaws, checkGrads, createReferenceEngine, engineSuite, extensionSuite, hostValue, interpretProgram, programOf } from './index.ts';

const x = hostValue('float64', [2], [0.5, -1]);
const f = (a: Var | undefined): Var => exp(a!) as Var;
const program = programOf(f, [x.type]);
const runner = { describe: () => undefined, it: () => undefined };
const any = (value: unknown): never => value as never;

type Wrong = { readonly [name: string]: readonly unknown[] };
const suite: Wrong = { extension: [5, undefined], cases: [5, undefined], context: [{}], operations: [5] };
const right = { extension: coreExtension, cases: [] };

/** Every public function with options: the call, and wrong values for each option. */
const calls: readonly (readonly [call: string, run: (options: never) => unknown, options: Wrong, others?: object])[] = [
  ['checkGrads', (options) => checkGrads(f, [x], options), { name: [5, ''], context: [{}], wrt: [0, ['0']], seed: ['x', NaN], tolerance: [0, NaN, 'x'], order: [3], operations: [5] }],
  ['interpretProgram', (options) => interpretProgram(program, [x], options), { arithmetic: ['fast'], operations: [5] }],
  ['createReferenceEngine', (options) => createReferenceEngine(options), { dtypes: ['float32', ['float16']] }],
  ['engineSuite', (options) => engineSuite(runner, options), { name: [5, undefined], create: [5, undefined], cases: [5], context: [{}] }, { name: 'x', create: () => createReferenceEngine() }],
  ['extensionSuite', (options) => extensionSuite(runner, options), suite, right],
  ['brokenExtensionLaws', (options) => brokenExtensionLaws(options), suite, right],
];

const misuse = calls.flatMap(([call, run, options, others = {}]) => {
  const [first] = Object.keys(options) as [string];
  const cases: readonly (readonly [text: string, given: unknown, says: RegExp])[] = [
    ...[null, 5, []].map((given) => [`${call}(${typeof given})`, given, new RegExp(`^${call}: options is .*; it takes an object with .*${first}`)] as const),
    [`${call}({ foo })`, { ...others, foo: 1 }, new RegExp(`^${call}: there is no option "foo"\\. It takes ${first}`)],
    ...Object.entries(options).flatMap(([name, values]) => values.map((value) => [`${call}({ ${name}: ${typeof value} })`, { ...others, [name]: value }, new RegExp(`^${call}: ${name} is `)] as const)),
  ];
  return cases.map(([text, given, says]) => [text, () => run(any(given)), says] as const);
});

test.each<readonly [string, () => unknown, RegExp]>([
  ...misuse,
  ['checkGrads(5)', () => checkGrads(any(5), [x]), /^checkGrads: f is number 5; it takes a function\./],
  ['checkGrads(f, x)', () => checkGrads(f, any(x)), /^checkGrads: inputs is an Object; it takes a list of host values\./],
  ['checkGrads(f, [5])', () => checkGrads(f, any([5])), /^checkGrads: inputs\[0\] is number 5; it takes a host value\./],
  ['checkGrads(() => 1, [])', () => checkGrads(() => any(1), []), /^checkGrads: the function returned number 1; it must return a tensor/],
  ['checkGrads(() => [x, 1])', () => checkGrads(() => any([undefined]), [x]), /^checkGrads: the function returned undefined at 0; /],
  ['checkGrads, wrt beyond', () => checkGrads(f, [x], { wrt: [1] }), /^checkGrads: wrt names input 1, and there are 1\./],
  ['engineSuite({}, …)', () => engineSuite(any({}), { name: 'x', create: () => createReferenceEngine() }), /^engineSuite: runner is an Object; it takes a test runner/],
])('%s is refused', async (_name, run, says) => {
  let thrown: unknown;
  try {
    await run();
  } catch (error) {
    thrown = error;
  }
  expect([isTfError(thrown, 'ArgumentError'), String((thrown as Error | undefined)?.message)]).toEqual([true, expect.stringMatching(says)]);
});

test('single precision is refused with what to do, unless it is not differentiated by', () => {
  const single = hostValue('float32', [2], [0.5, -1]);
  expect(() => checkGrads(f, [single])).toThrow(expect.objectContaining({ name: 'DTypeError', message: expect.stringMatching(/inputs\[0\] is f32\[2\], .*Give it as float64/) }));
  expect(checkGrads((a, b) => mul(a!, b!) as Var, [x, single], { wrt: [0] })).toHaveLength(5);
});

test('what is stopped passes as an input that is not differentiated by', () => {
  expect(() => checkGrads((a) => mul(a!, stopGradient(exp(a!))) as Var, [x])).toThrow('"derivative"');
  const stopped = hostValue('float64', [2], [Math.exp(0.5), Math.exp(-1)]);
  expect(checkGrads((a, b) => mul(a!, b!) as Var, [x, stopped], { wrt: [0] })).toHaveLength(5);
});
