import { describe, expect, it } from 'vitest';
import { softmax } from '../compositions/normalisation.ts';
import type { Atom, Var } from '../contract.ts';
import { add, mul, sub } from '../primitives/arithmetic.ts';
import { convert } from '../primitives/convert.ts';
import { exp } from '../primitives/functions.ts';
import { transpose } from '../primitives/movement.ts';
import { sum } from '../primitives/reduce.ts';
import { concat } from '../primitives/slicing.ts';
import { Builder } from '../program/builder.ts';
import { symbolicDim } from '../types/dim.ts';
import type { Shape } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { compileProgram } from './compile.ts';

/** How many buffers lie in each result. */
function inResults(shape: Shape, f: (x: Var) => readonly unknown[]): readonly number[] {
  const builder = new Builder();
  const plan = compileProgram(builder.build(f(builder.input(tensorType('float64', shape))) as readonly Atom[]), { check: true });
  return plan.outputs.map((_, index) => plan.buffers.filter(({ place }) => place.kind === 'output' && place.index === index).length);
}

const total = (x: Var): Var => sum(x, { axes: 1, keepdims: true }) as Var;

describe('intermediates in results', () => {
  it('what the last loop of a tile overwrites element by element lies there, whatever the sizes', () => {
    for (const rows of [6, symbolicDim('n')]) {
      expect(inResults([rows, 4], (x) => [softmax(x)])).toEqual([2]);
      expect(inResults([rows, 4], (x) => [mul(exp(x), total(exp(x) as Var))])).toEqual([2]);
    }
  });

  it('one for each result', () => {
    const f = (x: Var): readonly unknown[] => {
      const [a, b] = [exp(x) as Var, exp(mul(x, 2)) as Var];
      const both = add(total(a), total(b));
      return [mul(a, both), mul(b, both), mul(sub(a, b), both)];
    };
    expect(inResults([6, 4], f)).toEqual([2, 2, 2]);
  });

  it('not where the result has another dtype, order or size', () => {
    expect(inResults([4, 4], (x) => [convert(mul(exp(x), total(exp(x) as Var)), 'float32')])).toEqual([1]);
    expect(inResults([4, 4], (x) => [transpose(mul(exp(x), total(exp(x) as Var)) as Var)])).toEqual([1]);
    expect(inResults([4, 4], (x) => [concat([mul(exp(x), total(exp(x) as Var)) as Var, x], 1)])).toEqual([1]);
  });

  it('not where it is read once more after the result is written', () => {
    const f = (x: Var): readonly unknown[] => {
      const e = exp(x) as Var;
      const y = mul(e, total(e)) as Var;
      return [y, mul(e, total(y))];
    };
    const counts = inResults([6, 4], f);
    expect(counts[0]).toBe(1);
  });
});
