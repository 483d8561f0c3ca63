import { describe, expect, it } from 'vitest';
import type { Atom } from '../contract.ts';
import { isTfError } from '../errors.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { expPrimitive } from '../primitives/functions.ts';
import { symbolicDim } from '../types/dim.ts';
import { tensorType } from '../types/tensor-type.ts';
import { Builder } from './builder.ts';
import { scalarLiteral } from './literal.ts';
import { printProgram } from './print.ts';

const type = tensorType('float64', [2]);
const nameOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (isTfError(error)) return error.name;
    throw error;
  }
  return 'nothing';
};

describe('a builder', () => {
  it('refuses values of another builder in emit and in build', () => {
    const [mine, other] = [new Builder(), new Builder()];
    const foreign = other.input(type);
    expect(nameOf(() => mine.emit(expPrimitive.operation, [foreign], {}))).toBe('ForeignValueError');
    expect(nameOf(() => mine.build([foreign]))).toBe('ForeignValueError');
    expect(nameOf(() => mine.build([scalarLiteral('float64', 1)]))).toBe('nothing');
  });

  it('adds nothing when inference refuses', () => {
    const builder = new Builder();
    const x = builder.input(type);
    expect(nameOf(() => add(x, builder.input(tensorType('float64', [3]))))).toBe('ShapeError');
    expect(builder.build([x]).instructions).toEqual([]);
  });

  it('may go on after a program was built, which does not change', () => {
    const builder = new Builder();
    const x = builder.input(type, 'x');
    const first = builder.build([mul(x, x)]);
    const text = printProgram(first);
    const second = builder.build([mul(x, 3)]);
    expect(printProgram(first)).toBe(text);
    expect([first.instructions.length, second.instructions.length]).toEqual([1, 2]);
    expect(() => (first.instructions as unknown[]).push(1)).toThrow(TypeError);
  });

  it('numbers instructions in the order of creation, across builders', () => {
    const [a, b] = [new Builder(), new Builder()];
    const [x, y] = [a.input(type), b.input(type)];
    add(x, 1);
    add(y, 1);
    add(x, 1);
    const numbers = (builder: Builder): number[] => builder.build([]).instructions.map(({ number }) => number);
    const [[first, third], [second]] = [numbers(a), numbers(b)] as [[number, number], [number]];
    expect(first < second && second < third).toBe(true);
  });

  it('makes literals of weak numbers in the dtype of what they meet', () => {
    const builder = new Builder();
    const text = (out: Atom): string => printProgram(builder.build([out])).split('\n').at(-3) as string;
    expect(text(add(builder.input(tensorType('float32', [])), 0.1))).toContain('0.10000000149011612:f32[]');
    expect(text(add(builder.input(tensorType('int64', [])), 3))).toContain('3:i64[]');
    expect(text(mul(builder.input(tensorType('complex64', [])), 2))).toContain('[2, 0]:c64[]');
  });

  it('records what symbolic extents must satisfy', () => {
    const builder = new Builder();
    const [n, m] = [symbolicDim('n'), symbolicDim('m')];
    const sum = add(builder.input(tensorType('float64', [n])), builder.input(tensorType('float64', [m])));
    expect(builder.build([sum]).constraints).toEqual([{ left: n, right: m, reason: 'add: broadcast axis 0' }]);
  });
});
