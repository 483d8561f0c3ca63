import { describe, expect, it } from 'vitest';
import type { Operation, Params, Program, Var } from '../contract.ts';
import { TfError } from '../errors.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { checkpoint } from '../primitives/control/checkpoint.ts';
import { cond } from '../primitives/control/cond.ts';
import { greater } from '../primitives/compare.ts';
import { exp } from '../primitives/functions.ts';
import { sum } from '../primitives/reduce.ts';
import { Builder } from '../program/builder.ts';
import { applyOperation } from '../program/dispatch.ts';
import { printProgram } from '../program/print.ts';
import { full, tensor } from '../tensor/create.ts';
import { tensorType, type TensorType } from '../types/tensor-type.ts';
import { compileProgram } from './compile.ts';
import { lower } from './lower.ts';
import { createTarget } from './target.ts';

const f64 = tensorType('float64', [3]);
const family = 'acme.signal.v1';

function operation(name: string, lowering: Operation['lower'], further: Partial<Operation> = {}): Operation {
  return { id: `${family}.${name}`, family, name, infer: ([x]) => [x as TensorType], traits: {}, ...(lowering === undefined ? {} : { lower: lowering }), ...further };
}

const apply = (of: Operation, x: Var, params: Params = {}): Var => applyOperation(of, [x], params)[0] as Var;
const square = operation('square', ([x]) => [mul(x as Var, x as Var) as Var]);

function programOf(f: (x: Var) => Var): Program {
  const builder = new Builder();
  return builder.build([f(builder.input(f64, 'x'))]);
}

function failure(run: () => unknown): TfError {
  try {
    run();
  } catch (error) {
    return error as TfError;
  }
  throw new Error('nothing was thrown');
}

describe('lower', () => {
  it('replaces an operation by what it computes, and what that computes, and calls inside', () => {
    const fourth = operation('fourth', ([x]) => [checkpoint((y: Var) => apply(square, apply(square, y)))(x as Var)]);
    const lowered = lower(programOf((x) => apply(fourth, exp(x) as Var)));
    expect(lowered.instructions.map((instruction) => instruction.operation.name)).toEqual(['exp', 'mul', 'mul']);
  });

  it('tells two versions of an operation apart: neither is taken for the other', () => {
    const shifted = (version: string, by: number): Operation => operation('shifted', ([x]) => [add(x as Var, by) as Var], { version });
    const lowered = lower(programOf((x) => mul(apply(shifted('1.0.0', 5), x), apply(shifted('2.0.0', 7), x)) as Var));
    expect(printProgram(lowered)).toMatch(/5[^]*7/);
    expect(compileProgram(programOf((x) => mul(apply(operation('plain', undefined, { version: '1.0.0', lower: ([y]) => [exp(y as Var)] }), x), apply(operation('plain', undefined, { version: '2.0.0', lower: ([y]) => [add(y as Var, 1) as Var] }), x)) as Var), { check: true }).steps).toHaveLength(1);
  });

  it('leaves an operation whose kernel the engine has', () => {
    const called = operation('square', square.lower, { traits: { call: (_params, [x]) => ({ symbol: `${family}.square.${(x as TensorType).dtype}`, integers: [] }) } });
    const program = programOf((x) => apply(called, x));
    expect(lower(program, createTarget(new Set([`${family}.square.float64`])))).toBe(program);
    expect(lower(program, createTarget(new Set([`${family}.square.float32`]))).instructions[0]?.operation.name).toBe('mul');
  });

  it('leaves what the target says it carries out', () => {
    const program = programOf((x) => apply(operation('square', square.lower), x));
    expect(lower(program, { ...createTarget(), carries: ({ operation }) => operation.name === 'square' })).toBe(program);
    expect(lower(program, { ...createTarget(), carries: () => false }).instructions[0]?.operation.name).toBe('mul');
  });

  it('reaches into branches, and asks once for operation, parameters and types', () => {
    let asked = 0;
    const counted = operation('counted', ([x], params) => {
      asked++;
      return [mul(x as Var, params['by'] as number) as Var];
    });
    const branches = (x: Var): Var => cond(greater(sum(x), 0) as Var<'bool'>, (y: Var) => apply(counted, y, { by: 2 }), (y: Var) => apply(counted, y, { by: 3 }), x);
    const plan = compileProgram(programOf((x) => branches(apply(counted, apply(counted, x, { by: 2 }), { by: 2 }))), { check: true });
    expect(plan.steps.map(({ kind }) => kind)).toContain('branch');
    expect(asked).toBe(2);
  });

  it('refuses a lowering without end, by its path', () => {
    const a: Operation = operation('a', ([x]) => [apply(b, x as Var)]);
    const b: Operation = operation('b', ([x]) => [apply(a, x as Var)]);
    const error = failure(() => lower(programOf((x) => apply(a, x))));
    expect([error.name, error.fields.role, error.fields.op]).toEqual(['ExtensionError', 'lower', a.id]);
    expect(error.message).toContain('acme.signal.v1.a{}(f64[3]) → acme.signal.v1.b{}(f64[3]) → acme.signal.v1.a{}(f64[3])');
    const growing: Operation = operation('growing', ([x], params) => [apply(growing, x as Var, { n: (params['n'] as number) + 1 })]);
    expect(failure(() => lower(programOf((x) => apply(growing, x, { n: 0 })))).message).toMatch(/growing: its lowering goes on after 64 operations/);
  });

  it('refuses a lowering of another type, and one with a large constant', () => {
    const wrong = operation('wrong', () => [full([2], 1) as never]);
    expect(failure(() => lower(programOf((x) => apply(wrong, x)))).message).toMatch(/wrong: its lowering gave f64\[2\] for output 0, which is f64\[3\]/);
    const heavy = operation('heavy', ([x]) => [add(x as Var, sum(tensor(new Float64Array(65)))) as Var]);
    expect(failure(() => lower(programOf((x) => apply(heavy, x)))).message).toMatch(/heavy: its lowering holds a constant of more than 64 elements \(f64\[65\]\)/);
  });

  it('says which package an operation belongs to that nothing executes', () => {
    const bare = operation('bare', undefined, { package: 'acme-signal' });
    const error = failure(() => compileProgram(programOf((x) => apply(bare, x))));
    expect([error.name, error.fields]).toEqual(['UnregisteredFamilyError', { family, op: bare.id, role: 'module', package: 'acme-signal' }]);
    expect(error.message).toContain('acme-signal');
    expect(printProgram(programOf((x) => apply(bare, x)))).toContain(bare.id);
  });
});
