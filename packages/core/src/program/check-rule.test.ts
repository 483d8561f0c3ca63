import { describe, expect, it } from 'vitest';
import type { Operation, Rule, Var } from '../contract.ts';
import { isTfError } from '../errors.ts';
import { mul } from '../primitives/arithmetic.ts';
import { createCatalog } from '../primitives/extension.ts';
import { symbolicDim } from '../types/dim.ts';
import { tensorType, type TensorType } from '../types/tensor-type.ts';
import { compileProgram } from '../compile/compile.ts';
import { tensor } from '../tensor/create.ts';
import type { Operand } from '../types/operand.ts';
import { Builder } from './builder.ts';
import { applyOperation } from './dispatch.ts';
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
    if (isTfError(error, 'ExtensionError') || isTfError(error, 'ForeignValueError')) return `${String(error.fields.op)} ${String(error.fields.key ?? error.fields.role)}: ${error.message}`;
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

it('infer that gives nothing at all, or throws, is refused by operation and package', () => {
  const builder = new Builder();
  const x = builder.input(tensorType('float64', [3]));
  const failing = (infer: () => unknown): string => thrown(() => builder.emit(operationOf({ infer, package: '@acme/slips' }), [x, x], {}));
  expect(failing(() => [])).toBe(`${id} infer: ${id}: its infer gave an empty list. It gives a list of types, one per output: [tensorType(dtype, shape)].`);
  expect(failing(() => (undefined as unknown as TensorType).shape)).toMatch(/^acme\.slips\.v1\.f infer: acme\.slips\.v1\.f: its infer failed: TypeError: .*This is a fault of @acme\/slips: please report it there\.$/);
});

describe('functions of an operation that fail', () => {
  const type = tensorType('float64', [3]);
  const broken = (): never => {
    throw new RangeError('no room');
  };
  const planned = (given: Partial<Operation>): string => {
    const builder = new Builder();
    const operation = operationOf({ package: '@acme/slips', ...given });
    return thrown(() => compileProgram(builder.build(builder.emit(operation, [builder.input(type), builder.input(type)], {})), { kernels: new Set([`${id}.kernel`]) }));
  };

  it.each<readonly [string, Partial<Operation>]>([
    ['its lowering', { lower: broken }],
    ['its call', { traits: { call: broken } }],
    ['its prune', { traits: { prune: broken } }],
    ['its covers', { traits: { covers: broken } }],
    ['its elementwise', { traits: { elementwise: broken }, lower: undefined as never }],
    ['one of its traits', { traits: { layout: broken }, lower: undefined as never }],
    ['one of its traits', { traits: { contraction: broken }, lower: undefined as never }],
    ['one of its traits', { traits: { sort: broken }, lower: undefined as never }],
  ])('%s: the error names operation and package', (part, given) => {
    expect(planned(given)).toContain(`${id}: ${part} failed: RangeError: no room. This is a fault of @acme/slips: please report it there.`);
  });

  it.each<readonly [Partial<Operation>, string]>([
    [{ traits: { call: () => 'kernel' as never } }, 'its call gave string kernel. It gives { symbol, integers }'],
    [{ traits: { call: () => ({ symbol: `${id}.kernel` }) as never } }, 'its call gave an Object. It gives { symbol, integers }'],
    [{ traits: { prune: () => ({ params: {} }) as never } }, 'its prune names as operation undefined'],
    [{ traits: { covers: () => [{ operation: operationOf() }] as never } }, `its covers gives ${id} the parameters undefined`],
    [{ traits: { elementwise: () => [] }, lower: undefined as never }, 'its elementwise gave a list of 0. It gives a list of 1 expression, one per lane of the output'],
    [{ lower: () => [new Builder().input(type)] }, 'its lowering gave a value f64[3] of another program for output 0'],
  ])('%#: what they give is looked at', (given, message) => {
    expect(planned(given)).toContain(message);
  });

  it('and so on host tensors, whose elements no engine computes', () => {
    const operation = operationOf({ package: '@acme/slips', arity: 1, traits: { elementwise: broken } });
    expect(thrown(() => String(applyOperation(operation, [tensor([1, 2])], {})[0]))).toContain(`${id}: its elementwise failed: RangeError: no room.`);
  });
});

describe('applyOperation', () => {
  const refused = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      if (isTfError(error, 'ArgumentError')) return error.message;
      throw error;
    }
    return 'nothing';
  };
  const x = tensor([1, 2, 3]) as Operand;

  it.each<readonly [string, unknown, string]>([
    ['undefined', undefined, 'applyOperation: operation is undefined; it takes an operation: { id, family, name, infer, traits }. Does the module that defines it export it under this name'],
    ['a function', () => operationOf(), 'operation is a function; it takes an operation'],
    ['an operation without traits', { ...operationOf(), traits: undefined }, 'operation is an Object; it takes an operation'],
    ['the id alone', id, `operation is string ${id}; it takes an operation`],
  ])('refuses %s', (_what, operation, message) => {
    expect(refused(() => applyOperation(operation as Operation, [x], {}))).toContain(message);
  });

  it('refuses operands that are no list, or no tensors', () => {
    expect(refused(() => applyOperation(operationOf(), x as never, {}))).toContain(`the operands of ${id} is a tensor f64[3]; it takes a list of tensors: [x]`);
    expect(refused(() => applyOperation(operationOf(), undefined as never, {}))).toContain(`the operands of ${id} is undefined`);
    expect(refused(() => applyOperation(operationOf(), [x, undefined as never], {}))).toContain(`${id}: argument 1 is undefined, not a tensor`);
  });
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
