import { checkProgram, exp, isTfError, printProgram, tensor, valuesOf } from '@tf/core';
import { describe, expect, it } from 'vitest';
import { extractDependent } from './extract.ts';
import { extractProgram, input } from './index.ts';

describe('extraction', () => {
  it('orders instructions by creation, not by use, with the numbers of creation', () => {
    const x = input('x');
    const [first, second, third] = [exp(x), x.mul(3), x.add(1)];
    const { program } = extractProgram([third.mul(second).mul(first)]);
    expect(program.instructions.map(({ operation }) => operation.name)).toEqual(['exp', 'mul', 'add', 'mul', 'mul']);
    const numbers = program.instructions.map(({ number }) => number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(() => checkProgram(program)).not.toThrow();
  });

  it('says which traced value each position is', () => {
    const x = input('x');
    const y = x.mul(3).add(x);
    const { program, positionOf, positions, leaves } = extractProgram([y]);
    expect(valuesOf(program).length).toBe(positions.length);
    expect(positionOf(x)).toBe(0);
    expect(valuesOf(program)[positionOf(y)!]).toBe(program.outputs[0]);
    expect(leaves[0]).toBe(x);
  });

  it('keeps 0, ±1, 2, ½ and small tensors as literals, and binds everything else once', () => {
    const x = input('x', { shape: [100] });
    const large = tensor(new Float64Array(100));
    const y = x.mul(2).add(1).sub(0.5).mul(0.1).add(0.1).mul(0.2).add(large).mul(large).add(tensor(7));
    const { program } = extractProgram([y]);
    expect(program.bound.map(({ variable, value }) => (typeof value === 'number' ? value : variable.type.key))).toEqual([0.1, 0.2, 'f64[100]']);
    expect(printProgram(program)).toContain('7:f64[]');
  });

  it('takes inputs in the order given, and refuses a leaf that is not among them', () => {
    const [a, b] = [input('a'), input('b')];
    const sum = b.add(a);
    expect(extractProgram([sum]).program.inputs.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(extractProgram([sum], [b, a]).program.inputs.map(({ name }) => name)).toEqual(['b', 'a']);
    expect(() => extractProgram([sum], [b])).toThrow(/"a"/);
  });

  it('collects the constraints that types rest on', () => {
    const [a, b] = [input('a', { shape: ['n'] }), input('b', { shape: ['m'] })];
    const { program } = extractProgram([a.add(b).mul(2)]);
    expect(program.constraints.map(({ left, right }) => [left, right].map((dim) => (typeof dim === 'number' ? dim : dim.text)))).toEqual([['n', 'm']]);
  });

  it('for derivatives leaves out what does not depend on the variable', () => {
    const x = input('x');
    const before = exp(x);
    const h = before.mul(before);
    const y = h.mul(exp(x)).add(h);
    const { program, positions } = extractDependent([y], [h]);
    expect(program.instructions.map(({ operation }) => operation.name)).toEqual(['mul', 'add']);
    expect(positions.slice(0, 2)).toContain(h);
    expect(() => checkProgram(program)).not.toThrow();
  });

  it('gives variables with which nobody can compute', () => {
    const { program } = extractProgram([input('x').mul(3)]);
    let error: unknown;
    try {
      exp(program.inputs[0]!);
    } catch (caught) {
      error = caught;
    }
    expect(isTfError(error, 'ForeignValueError')).toBe(true);
  });
});
