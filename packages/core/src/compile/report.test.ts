import { expect, it } from 'vitest';
import type { Atom, Plan, Var } from '../contract.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { matmul } from '../primitives/contraction.ts';
import { exp } from '../primitives/functions.ts';
import { indexAdd, take } from '../primitives/indexing.ts';
import { transpose } from '../primitives/movement.ts';
import { sum } from '../primitives/reduce.ts';
import { Builder } from '../program/builder.ts';
import { symbolicDim } from '../types/dim.ts';
import type { Shape } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { compileProgram } from './compile.ts';
import { planMemory, printPlan } from './report.ts';

function planOf(shape: Shape, f: (x: Var) => readonly unknown[]): Plan {
  const builder = new Builder();
  return compileProgram(builder.build(f(builder.input(tensorType('float64', shape))) as readonly Atom[]));
}

it('prints what each step reads and writes', () => {
  expect(printPlan(planOf([4, 4], (x) => [matmul(exp(x), x), sum(x), x]))).toBe(`plan of 4 steps
  0 loop [16]: input 0 → memory 0
  1 contract [4, 4, 4]: memory 0, input 0 → output 0
  2 sum over 1 axis [16]: input 0 → output 1
  3 copy [16]: input 0 → output 2`);
  expect(printPlan(planOf([4, 4], (x) => [indexAdd(mul(x, 2), [1], take(x, [0]))]))).toMatch(/gather \[4\]: input 0, a constant of 4 bytes → memory 0\n {2}2 scatter \[4\]: memory 0, a constant of 4 bytes → output 0/);
});

it('prints the loops of a tile step below it', () => {
  expect(printPlan(planOf([4, 3], (x) => [mul(exp(x), sum(exp(x), { axes: 1, keepdims: true }))]))).toBe(`plan of 1 step
  0 tile of 4 rows
    loop [12]: input 0 → output 0
    sum over 1 axis [4, 3]: output 0 → tile memory 0
    loop [4, 3]: output 0, tile memory 0 → output 0`);
});

it('memory is what the slots take for the sizes given; an unknown size is an error', () => {
  const n = symbolicDim('n');
  const plan = planOf([n, n], (x) => [matmul(exp(add(x, 1)), transpose(x))]);
  expect(planMemory(plan, new Map([['n', 10]]))).toEqual({ intermediateBytes: 1600, arenaBytes: 800 });
  expect(() => planMemory(plan)).toThrow(/n/);
});

it('memory of a slot that 300 000 values shared is that of the largest', () => {
  const plan = planOf([4], (x) => [exp(x)]);
  expect(planMemory({ ...plan, slots: [Array.from({ length: 300_000 }, (_, at) => at)] }).arenaBytes).toBe(299_999);
});
