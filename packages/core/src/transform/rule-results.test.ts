import { describe, expect, it } from 'vitest';
import type { DerivativeRule, Operation, Rule, Traits, Var } from '../contract.ts';
import { isTfError, TfError } from '../errors.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { createCatalog } from '../primitives/extension.ts';
import { broadcastTo } from '../primitives/movement.ts';
import { sum } from '../primitives/reduce.ts';
import { Builder } from '../program/builder.ts';
import { full } from '../tensor/create.ts';
import { tensorType, type TensorType } from '../types/tensor-type.ts';
import { AdContext } from './context.ts';
import { derivativeProgram } from './laws.testing.ts';

const family = 'acme.results.v1';

/** The error of differentiating f(x, y) = x·y with this rule. */
function thrown(given: Omit<DerivativeRule, 'kind'>, direction: 'pullback' | 'pushforward', wrt: readonly number[] = [0, 1], traits: Traits = {}): string {
  const rule: Rule = { kind: 'rule', ...given };
  const operation: Operation = { id: `${family}.f`, family, name: 'f', infer: ([x]) => [x as TensorType], traits, package: '@acme/test', lower: ([x, y]) => [mul(x as Var, y as Var)] };
  const catalog = createCatalog([{ contract: 1, family, package: '@acme/test', version: '1.0.0', operations: [operation], rules: { f: rule } }]);
  const builder = new Builder();
  const type = tensorType('float64', [3]);
  const program = builder.build(builder.emit(operation, [builder.input(type), builder.input(type)], {}));
  try {
    derivativeProgram(new AdContext({ catalog }), program, wrt, direction);
  } catch (error) {
    if (isTfError(error)) return `${error.name} of ${String(error.fields.op)}, ${String(error.fields.role)}: ${error.message}`;
    throw error;
  }
  return 'nothing';
}

const wrong = (value: unknown): never => value as never;
const residuals = { inputs: [0, 1] };
const linear = { inputs: 'all', how: 'together' } as const;

describe('a rule that gives the wrong number of values', () => {
  it('is refused for a vjp: one cotangent per input', () => {
    expect(thrown({ residuals, vjp: (ctx, [ct]) => [mul(ct!, ctx.input(1)) as Var] }, 'pullback')).toBe(`ExtensionError of ${family}.f, vjp: ${family}.f: its vjp gave a list of 1. It gives 2 values, one per input; undefined where nothing flows.`);
    expect(thrown({ residuals, vjp: (_ctx, [ct]) => [ct, ct, ct] }, 'pullback')).toContain('its vjp gave a list of 3');
    expect(thrown({ residuals, vjp: (_ctx, [ct]) => [ct] }, 'pushforward')).toContain('its vjp gave a list of 1');
  });

  it('is refused for linearize: one tangent per output', () => {
    expect(thrown({ linearize: () => [] }, 'pullback')).toContain('its linearize gave a list of 0. It gives 1 value, one per output');
    expect(thrown({ linearize: (_ctx, [dx]) => [dx, dx] }, 'pushforward')).toContain('its linearize gave a list of 2');
  });

  it('is refused for a transpose, where it is called for itself and inside a derivative', () => {
    expect(thrown({ linear, transpose: (_ctx, [ct]) => [ct] }, 'pullback')).toContain('its transpose gave a list of 1');
    const inside: Omit<DerivativeRule, 'kind'> = { linear, linearize: (ctx, [dx, dy]) => [ctx.apply(ctx.operation, [dx ?? ctx.zeros(ctx.inputTypes[0]!), dy ?? ctx.zeros(ctx.inputTypes[1]!)], ctx.params)[0]], transpose: (_ctx, [ct]) => [ct, ct, ct] };
    expect(thrown({ ...inside, vjp: undefined } as never, 'pullback')).toContain('its transpose gave a list of 3');
  });
});

describe('a value that is not of the program that is built', () => {
  const foreign = (): Var => new Builder().input(tensorType('float64', [3]));
  const text = (part: string, place: string): string => `${family}.f: its ${part} gave a value f64[3] of another program for ${place}: one that it kept from another call, or took from outside. Make it of what this call is handed. This is a fault of @acme/test: please report it there.`;

  it('is refused wherever a rule gives it, by operation, part and package', () => {
    expect(thrown({ residuals, vjp: (_ctx, [ct]) => [ct, foreign()] }, 'pullback')).toBe(`ForeignValueError of ${family}.f, vjp: ${text('vjp', 'input 1')}`);
    expect(thrown({ linearize: () => [foreign()] }, 'pushforward')).toContain(text('linearize', 'output 0'));
    expect(thrown({ linear, transpose: (_ctx, [ct]) => [foreign(), ct] }, 'pullback')).toContain(text('transpose', 'input 0'));
    expect(thrown({ residuals, vjp: (_ctx, [ct]) => [ct, wrong(full([3], 0))] }, 'pullback')).toContain(text('vjp', 'input 1'));
  });

  it('is refused where a rule computes with it', () => {
    expect(thrown({ residuals, vjp: (_ctx, [ct]) => [mul(ct!, foreign()) as Var, ct] }, 'pullback')).toContain(`ForeignValueError of ${family}.f, vjp: ${family}.f: in its vjp, mul: `);
  });
});

it('what a rule throws is said in the name of the operation and its package', () => {
  const broken = (): never => {
    throw new RangeError('no room');
  };
  const text = (part: string): string => `ExtensionError of ${family}.f, ${part}: ${family}.f: its ${part} failed: RangeError: no room. This is a fault of @acme/test: please report it there.`;
  expect(thrown({ residuals, vjp: broken }, 'pullback')).toBe(text('vjp'));
  expect(thrown({ linearize: broken }, 'pushforward')).toBe(text('linearize'));
  expect(thrown({ linear, transpose: broken }, 'pullback')).toBe(text('transpose'));
  expect(thrown({ linearize: (_ctx, [dx]) => [dx], augment: broken }, 'pullback')).toBe(text('augment'));
  // An error that says what it is passes.
  expect(thrown({ linearize: () => { throw new TfError('LinalgError', 'the spectrum is degenerate', { op: 'f' }); } }, 'pullback')).toBe('LinalgError of f, undefined: the spectrum is degenerate');
});

it('an augment that names no operation is refused', () => {
  const from = (augment: unknown): string => thrown({ linearize: (_ctx, [dx]) => [dx], augment: () => augment as never }, 'pullback');
  expect(from({ params: {} })).toContain('its augment names as operation undefined. It gives { operation, params, … }, or undefined.');
  expect(from('f')).toContain('its augment gave string f.');
});

it('a rule that gives no list, or what is no value, is refused', () => {
  expect(thrown({ linearize: (_ctx, [dx]) => wrong(dx) }, 'pullback')).toContain('its linearize gave a tensor f64[3]. It gives a list of 1 value');
  expect(thrown({ linearize: () => wrong(3) }, 'pushforward')).toContain('its linearize gave number 3.');
  expect(thrown({ linearize: () => wrong(undefined) }, 'pushforward')).toContain('its linearize gave undefined.');
  expect(thrown({ residuals, vjp: () => wrong([3, null]) }, 'pullback')).toContain('its vjp gave number 3 for input 0. It gives a Var');
  expect(thrown({ residuals, vjp: (_ctx, [ct]) => wrong([ct, null]) }, 'pullback')).toContain('its vjp gave null for input 1');
});

it('a tangent that is smaller than every operand is not repeated', () => {
  const smaller = (dx: Var): Var => sum(dx, { axes: 0, keepdims: true }) as Var;
  expect(thrown({ linearize: (_ctx, [dx, dy]) => [smaller(add(dx as Var, dy as Var) as Var)] }, 'pushforward')).toContain('its rule gave a tangent of shape [1] for a value f64[3]');
  expect(thrown({ linearize: (_ctx, [dx]) => [smaller(dx as Var)] }, 'pullback', [0])).toContain('its rule gave a tangent of shape [1]');
});

describe('a cotangent that is larger than its operand', () => {
  const repeated = (ct: Var, shape: readonly number[]): Var => broadcastTo(ct, shape) as Var;

  it('is not summed where the operation repeats nothing', () => {
    const text = 'its rule gave a cotangent of shape [2, 3] for a value f64[3]. Sum it over the axes along which the operation repeats the value';
    expect(thrown({ residuals, vjp: (_ctx, [ct]) => [repeated(ct as Var, [2, 3]), ct] }, 'pullback')).toContain(text);
    expect(thrown({ residuals, vjp: (_ctx, [ct]) => [repeated(ct as Var, [2, 3]), ct] }, 'pushforward')).toContain(text);
    expect(thrown({ linear, transpose: (_ctx, [ct]) => [ct, repeated(ct as Var, [2, 3])] }, 'pullback')).toContain(text);
    const inside: Omit<DerivativeRule, 'kind'> = { linear, linearize: (ctx, [dx, dy]) => [ctx.apply(ctx.operation, [dx as Var, dy as Var], ctx.params)[0]], transpose: (_ctx, [ct]) => [repeated(ct as Var, [2, 3]), ct] };
    expect(thrown(inside, 'pullback')).toContain(text);
  });

  it('nor where it broadcasts, but not to that shape', () => {
    expect(thrown({ residuals, vjp: (_ctx, [ct]) => [repeated(ct as Var, [2, 3]), ct] }, 'pullback', [0, 1], { broadcasts: true })).toContain('its rule gave a cotangent of shape [2, 3] for a value f64[3].');
  });

  it('is summed where the operation broadcasts to its shape', () => {
    const outer = family.replace('results', 'outer');
    const gradient = (traits: Traits): readonly string[] => {
      const operation: Operation = { id: `${outer}.f`, family: outer, name: 'f', infer: ([, y]) => [y as TensorType], traits, lower: ([x, y]) => [add(x as Var, y as Var) as Var] };
      const catalog = createCatalog([{ contract: 1, family: outer, package: '@acme/test', version: '1.0.0', operations: [operation], rules: { f: { kind: 'rule', residuals: {}, vjp: (_ctx, [ct]) => [ct, ct] } } }]);
      const builder = new Builder();
      const program = builder.build(builder.emit(operation, [builder.input(tensorType('float64', [3])), builder.input(tensorType('float64', [2, 3]))], {}));
      return derivativeProgram(new AdContext({ catalog }), program, [0, 1], 'pullback').outputs.map(({ type }) => type.key);
    };
    expect(gradient({ broadcasts: true })).toEqual(['f64[3]', 'f64[2, 3]']);
    expect(() => gradient({})).toThrow('or, if it broadcasts its inputs, give it the trait `broadcasts: true`');
  });
});
