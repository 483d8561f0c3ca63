import { expect, it } from 'vitest';
import type { Operation, Rule, Var } from '../contract.ts';
import { isTfError } from '../errors.ts';
import { mul } from '../primitives/arithmetic.ts';
import { createCatalog } from '../primitives/extension.ts';
import { symbolicDim } from '../types/dim.ts';
import { tensorType, type TensorType } from '../types/tensor-type.ts';
import { Builder } from './builder.ts';
import { loweredProgram } from './lowering.ts';

const family = 'acme.slips.v1';
const id = `${family}.f`;

function operationOf(given: object = {}): Operation {
  return { id, family, name: 'f', arity: 2, infer: ([x]) => [x as TensorType], traits: {}, lower: ([x, y]) => [mul(x as Var, y as Var)], ...given } as Operation;
}

function thrown(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isTfError(error, 'ExtensionError')) return `${String(error.fields.op)} ${String(error.fields.key ?? error.fields.role)}: ${error.message}`;
    throw error;
  }
  return 'nothing';
}

const linearize: unknown = (_ctx: unknown, [dx]: readonly unknown[]) => [dx];
const vjp: unknown = (_ctx: unknown, [ct]: readonly unknown[]) => [ct, ct];

it.each([
  ['kind', { kind: 'rul', linearize }, "kind: 'rul'; it takes 'rule' or 'none'"],
  ['linearize', { kind: 'rule', linearize: 3 }, 'linearize: number 3; it takes a function'],
  ['batch', { kind: 'rule', linearize, batch: 'leeding' }, "batch: 'leeding'; it takes 'leading', 'loop'"],
  ['batch', { kind: 'none', reason: 'an index', batch: { kind: 'none' } }, 'batch: {"kind":"none"}'],
  ['linearise', { kind: 'rule', linearize, linearise: linearize }, 'the key linearise, which no rule'],
  ['residuals', { kind: 'rule', vjp, residuals: [{ input: 0 }] }, 'residuals: [{"input":0}]'],
  ['residuals', { kind: 'rule', vjp, residuals: { input: [0] } }, 'residuals: {"input":[0]}'],
  ['residuals.inputs', { kind: 'rule', vjp, residuals: { inputs: [7] } }, 'residuals.inputs: [7]; it takes positions of its 2 inputs'],
  ['reason', { kind: 'none' }, 'reason: undefined; it takes why'],
])('a rule with a wrong %s is refused', (key, rule, message) => {
  const error = thrown(() => createCatalog([{ contract: 1, family, package: '@acme/slips', version: '1.0.0', operations: [operationOf()], rules: { f: rule as unknown as Rule } }]));
  expect(error.startsWith(`${id} ${key}: @acme/slips@1.0.0: the rule of ${id}`)).toBe(true);
  expect(error).toContain(message);
});

it.each([
  ['no list', (x: Var) => x, 'its lowering gave a tensor f64[3]; it gives a list of 1 value'],
  ['a number', () => [3], 'its lowering gave number 3 for output 0'],
  ['too much', (x: Var) => [x, x], 'its lowering gave a list of 2'],
])('a lowering that gives %s is refused', (_what, lower, message) => {
  const builder = new Builder();
  const type = tensorType('float64', [3]);
  builder.build(builder.emit(operationOf({ lower: ([x]: readonly Var[]) => lower(x as Var) }), [builder.input(type), builder.input(type)], {}));
  const operation = operationOf({ lower: ([x]: readonly Var[]) => lower(x as Var) });
  const [x, y] = [builder.input(type), builder.input(type)];
  const outputs = builder.emit(operation, [x, y], {});
  expect(thrown(() => loweredProgram({ operation, params: {}, inputs: [x, y], outputs }))).toContain(message);
});

it.each([['a bare type', ([x]: readonly TensorType[]) => x], ['a shape', () => [[3]]], ['nothing', () => undefined]])('infer that gives %s is refused', (_what, infer) => {
  const builder = new Builder();
  const x = builder.input(tensorType('float64', [3]));
  expect(thrown(() => builder.emit(operationOf({ infer }), [x, x], {}))).toContain(`${id} infer: ${id}: its infer gave`);
});

it.each([
  ['undefined', { a: undefined }, 'parameter a is undefined'],
  ['a record', { a: 1, b: { c: 1 } }, 'parameter b is an Object'],
  ['a function', { a: () => 1 }, 'parameter a is a function'],
  ['a bigint', { a: 1n }, 'parameter a is'],
  ['a list with a hole', { a: [1, [undefined]] }, 'parameter a is an array'],
  ['a list as a whole', [1], 'parameters are an array'],
  ['nothing at all', null, 'parameters are null'],
])('a parameter that is %s is refused by name', (_what, params, message) => {
  const builder = new Builder();
  const x = builder.input(tensorType('float64', [3]));
  expect(thrown(() => builder.emit(operationOf({}), [x, x], params as never))).toContain(message);
});

it('parameters that are data are accepted', () => {
  const builder = new Builder();
  const x = builder.input(tensorType('float64', [3]));
  const region = new Builder().build([]);
  expect(builder.emit(operationOf({}), [x, x], { a: 1, b: 'x', c: false, d: null, e: symbolicDim('n'), f: [[1], ['x', null]], g: region, h: NaN })).toHaveLength(1);
});
