import { describe, expect, it } from 'vitest';
import type { Var } from '../../contract.ts';
import { checkProgram } from '../../program/check.ts';
import { Builder } from '../../program/builder.ts';
import { printProgram } from '../../program/print.ts';
import { createCatalog } from '../extension.ts';
import { parseProgram } from '../../program/parse.ts';
import { compileProgram } from '../../compile/compile.ts';
import { planMemory } from '../../compile/report.ts';
import { AdContext } from '../../transform/context.ts';
import { derivativeProgram } from '../../transform/laws.testing.ts';
import { evaluateProgram, type Value } from '../../transform/evaluate.testing.ts';
import { tensor } from '../../tensor/create.ts';
import { symbolicDim } from '../../types/dim.ts';
import { tensorType } from '../../types/tensor-type.ts';
import { add, mul, sub } from '../arithmetic.ts';
import { greater, less } from '../compare.ts';
import { convert } from '../convert.ts';
import { take } from '../indexing.ts';
import { broadcastTo } from '../movement.ts';
import { sum } from '../reduce.ts';
import { sliceAdd } from '../slicing.ts';
import { sin } from '../special.ts';
import { cond, switchCase } from './cond.ts';
import { fori, scan } from './scan.ts';
import { whileLoop } from './while.ts';

const v = (x: unknown): Var => x as Var;
const numbers = (shape: readonly number[], ...data: readonly number[]): Value => ({ dtype: 'float64', shape, data });

function build(shapes: readonly (readonly number[])[], f: (...xs: readonly Var[]) => unknown): ReturnType<Builder['build']> {
  const builder = new Builder();
  const result = f(...shapes.map((shape) => builder.input(tensorType('float64', shape))));
  return builder.build((Array.isArray(result) ? result : [result]) as readonly Var[]);
}

describe('scan', () => {
  it('hands the carry on and stacks results, forwards and backwards', () => {
    const program = build([[], [3]], (c, xs) => [...scan((s: Var, x: Var) => [v(add(mul(s, 2), x)), s] as const, c!, xs!), ...scan((s: Var, x: Var) => [v(add(mul(s, 2), x)), s] as const, c!, xs!, { reverse: true })]);
    checkProgram(program);
    const [last, stack, lastBack, stackBack] = evaluateProgram(program, [numbers([], 1), numbers([3], 1, 2, 3)]);
    expect([last!.data, stack!.data, lastBack!.data, stackBack!.data]).toEqual([[19], [1, 3, 8], [25], [12, 5, 1]]);
  });

  it('prints, and reads back as the same text', () => {
    const text = printProgram(build([[2], [3, 2]], (c, xs) => scan((s: Var, x: Var) => [v(sin(v(mul(s, x)))), x] as const, c!, xs!)));
    expect(text).toContain('tf.core.scan');
    expect(printProgram(parseProgram(text, createCatalog()))).toBe(text);
  });

  it('has a program and a plan whose size does not depend on the count', () => {
    const of = (length: number): ReturnType<Builder['build']> => build([[4]], (c) => scan((s: Var) => [v(sin(s)), undefined] as const, c!, undefined, { length })[0]);
    const [few, many] = [of(10), of(10_000)];
    expect(many.instructions.length).toBe(few.instructions.length);
    expect(compileProgram(many).steps.length).toBe(compileProgram(few).steps.length);
    const gradient = derivativeProgram(new AdContext({ catalog: createCatalog() }), many, [0], 'pullback');
    expect(gradient.instructions.length).toBeLessThan(20);
  });

  it('takes a symbolic number of slices', () => {
    const builder = new Builder();
    const xs = builder.input(tensorType('float64', [symbolicDim('n')]));
    const program = builder.build([scan((s: Var, x: Var) => [v(add(s, x)), v(mul(s, x))] as const, 0, xs)].flat() as readonly Var[]);
    expect(program.outputs.map(({ type }) => type.key)).toEqual(['f64[]', 'f64[n]']);
    expect(evaluateProgram(program, [numbers([4], 1, 2, 3, 4)]).map(({ data }) => data)).toEqual([[10], [0, 2, 9, 24]].map((list, at) => (at === 1 ? [0, 2, 9, 24] : list)));
  });

  it('keeps what the derivative reads, not whole carries: a buffer updated in one place', () => {
    const length = 50;
    const program = build([[1000]], (x) => scan((buffer: Var) => [v(sliceAdd(buffer, [3], v(sin(v(take(buffer, [3])))))), undefined] as const, x!, undefined, { length })[0]);
    const gradient = derivativeProgram(new AdContext({ catalog: createCatalog() }), program, [0], 'pullback');
    const stacks = gradient.instructions.flatMap(({ outputs }) => outputs.filter(({ type }) => type.shape[0] === length).map(({ type }) => type.key));
    expect(stacks).toEqual(['f64[50, 1]']);
    const { arenaBytes } = planMemory(compileProgram(gradient));
    expect(arenaBytes).toBeLessThan(8 * (4 * 1000 + 100 * length));
  });

  it('a number to start with takes the dtype that comes back', () => {
    const builder = new Builder();
    const xs = builder.input(tensorType('float32', [3]));
    const [last] = scan((s: Var, x: Var) => [v(add(s, x)), undefined] as const, 0, xs);
    expect(v(last).type.key).toBe('f32[]');
  });

  it('says what is wrong', () => {
    const builder = new Builder();
    const x = builder.input(tensorType('float64', [3]));
    expect(() => scan((s: Var, y: Var) => [v(add(s, x)), y] as const, 0, x)).toThrow(/the carry goes in as f64\[\] and comes back as f64\[3\]\. Start with that shape, e\.g\. zeros\(\[3\]\)/);
    expect(() => scan((s: Var) => [v(convert(s, 'float32')), undefined] as const, x, undefined, { length: 2 })).toThrow(/comes back as f32/);
    expect(() => scan((s: Var) => s as never, x, undefined, { length: 2 })).toThrow(/must return \[carry, y\]/);
    expect(() => scan((s: Var) => [s, 3 as never] as const, x, undefined, { length: 2 })).toThrow(/is .*3.*, not a tensor/);
    expect(() => scan((s: Var) => [s, s] as const, x, undefined)).toThrow(/no slices and no length/);
    expect(() => scan((s: Var) => [s, s] as const, x, x, { length: 4 })).toThrow(/has 3 slices, length says 4/);
    expect(() => scan((s: Var) => [s, s] as const, x, v(sum(x)))).toThrow(/a scalar, and has no slices/);
    expect(() => scan((s: Var) => [s, s] as const, x, undefined, { length: 1.5 })).toThrow(/length/);
    expect(() => scan((s: Var) => [s, s] as const, x, undefined, { lenght: 2 } as never)).toThrow(/lenght/);
    expect(() => scan((s: Var) => [[s, s] as never, s] as const, x, undefined, { length: 2 })).toThrow(/nested otherwise/);
    expect(() => scan((async (s: Var) => s) as never, x, undefined, { length: 2 })).toThrow(/promise/);
  });
});

describe('fori', () => {
  it('counts with an int32 and keeps trees', () => {
    const program = build([[2]], (x) => {
      const { a, b } = fori([2, 5], (i, { a, b }: { a: Var; b: Var }) => ({ a: v(add(a, i)), b: v(mul(b, 2)) }), { a: x!, b: x! });
      return [a, b];
    });
    expect(evaluateProgram(program, [numbers([2], 1, 10)]).map(({ data }) => data)).toEqual([[10, 19], [8, 80]]);
  });

  it('captures large host tensors and values of the program around it', () => {
    const big = tensor(new Float64Array(100));
    const program = build([[100], []], (x, s) => fori(3, (_i, y: Var) => v(add(add(mul(y, s!), big), x!)), x!));
    checkProgram(program);
    expect(program.bound.length).toBe(1);
    expect(evaluateProgram(program, [numbers([100], ...new Array<number>(100).fill(1)), numbers([], 2), numbers([100], ...new Array<number>(100).fill(0))])[0]!.data[0]).toBe(15);
  });
});

describe('cond and switchCase', () => {
  it('run the branch that the predicate names; an index is brought into range', () => {
    const program = build([[]], (x) => [cond(greater(x!, 0) as never, (y: Var) => v(mul(y, 2)), (y: Var) => v(mul(y, y)), x!), switchCase(convert(x!, 'int32') as never, [(y: Var) => y, (y: Var) => v(add(y, 10)), (y: Var) => v(add(y, 100))], x!)]);
    const at = (x: number): readonly (readonly number[])[] => evaluateProgram(program, [numbers([], x)]).map(({ data }) => data);
    expect([at(3), at(-3), at(1), at(0)]).toEqual([[[6], [103]], [[9], [-3]], [[2], [11]], [[0], [0]]]);
  });

  it('refuse predicates that are none, and branches that differ', () => {
    const builder = new Builder();
    const x = builder.input(tensorType('float64', [3]));
    expect(() => cond(x, (y: Var) => y, (y: Var) => y, x)).toThrow(/predicate is f64\[3\]; it must be one bool/);
    expect(() => cond(greater(x, 0) as never, (y: Var) => y, (y: Var) => y, x)).toThrow(/select chooses element by element/);
    expect(() => cond(greater(sum(x), 0) as never, (y: Var) => y, (y: Var) => v(sum(y)), x)).toThrow(/onFalse gives f64\[\] as result 0, onTrue gives f64\[3\]/);
    expect(() => switchCase(x as never, [(y: Var) => y], x)).toThrow(/must be one int32/);
    expect(() => switchCase(0, [], x)).toThrow(/at least one function/);
    expect(() => switchCase(NaN, [(y: Var) => y], x)).toThrow(/not a whole number/);
    expect(() => whileLoop((s: Var) => less(sum(s), 9) as never, (s: Var) => v(sum(s)), x, { maxSteps: 3 })).toThrow(/whileLoop: the carry goes in as f64\[3\] and comes back as f64\[\]/);
  });

  it('a branch inside a branch, inside a scan', () => {
    const nested = (x: Var): Var => v(cond(greater(x, 0) as never, (a: Var) => v(cond(less(a, 10) as never, (b: Var) => v(mul(b, 3)), (b: Var) => v(sub(b, 5)), a)), (a: Var) => v(mul(a, -1)), x));
    const program = build([[]], (x) => fori(4, (_i, y: Var) => nested(y), x!));
    expect(evaluateProgram(program, [numbers([], -1)])[0]!.data).toEqual([27]);
  });
});

describe('whileLoop', () => {
  const doubled = (x: Var, options = {}): Var => v(whileLoop((s: Var) => less(sum(s), 100) as never, (s: Var) => v(mul(s, 2)), x, options));

  it('goes on as long as the condition holds, at most maxSteps times', () => {
    const program = build([[2]], (x) => [doubled(x!), doubled(x!, { maxSteps: 3 }), doubled(x!, { maxSteps: 30 })]);
    expect(evaluateProgram(program, [numbers([2], 1, 2)]).map(({ data }) => data)).toEqual([[64, 128], [8, 16], [64, 128]]);
    expect(evaluateProgram(program, [numbers([2], 60, 70)]).map(({ data }) => data)).toEqual([[60, 70], [60, 70], [60, 70]]);
  });

  it('has tangents always, and says how to get cotangents', () => {
    const context = new AdContext({ catalog: createCatalog() });
    const program = build([[2]], (x) => doubled(x!));
    const jvp = derivativeProgram(context, program, [0], 'pushforward');
    expect(evaluateProgram(jvp, [numbers([2], 1, 2), numbers([2], 1, 0)])[0]!.data).toEqual([64, 0]);
    expect(() => derivativeProgram(context, program, [0], 'pullback')).toThrow(/Give whileLoop a maxSteps/);
  });

  it('differentiates tangents again', () => {
    const context = new AdContext({ catalog: createCatalog() });
    const program = build([[]], (x) => whileLoop((s: Var) => less(s, 100) as never, (s: Var) => v(mul(s, s)), x!));
    const first = derivativeProgram(context, program, [0], 'pushforward');
    const second = derivativeProgram(context, first, [0], 'pushforward');
    // x = 3: 3, 9, 81, 6561 = x⁸.
    expect(evaluateProgram(first, [numbers([], 3), numbers([], 1)])[0]!.data).toEqual([8 * 3 ** 7]);
    expect(evaluateProgram(second, [numbers([], 3), numbers([], 1), numbers([], 1)])[0]!.data).toEqual([56 * 3 ** 6]);
  });

  it('refuses what is no condition', () => {
    const builder = new Builder();
    const x = builder.input(tensorType('float64', [3]));
    expect(() => whileLoop((s: Var) => s, (s: Var) => s, x)).toThrow(/the condition gives f64\[3\]; it must give one bool/);
    expect(() => whileLoop((s: Var) => less(sum(s), 1) as never, (s: Var) => v(broadcastTo(s, [2, 3])), x)).toThrow(/comes back as f64\[2, 3\]/);
  });
});

describe('batches', () => {
  const context = new AdContext({ catalog: createCatalog() });

  it.each([
    ['a while loop in which each element stops by itself', (x: Var) => whileLoop((s: Var) => less(s, 100) as never, (s: Var) => v(mul(s, 3)), x), [2, 50, 200], [162, 150, 200]],
    ['a cond by value', (x: Var) => cond(greater(x, 0) as never, (y: Var) => v(mul(y, 2)), (y: Var) => v(mul(y, y)), x), [2, -3, 0], [4, 9, 0]],
    ['a scan with a constant start', (x: Var) => scan((s: Var, y: Var) => [v(add(s, mul(y, x))), undefined] as const, 0, tensor([1, 2, 3]))[0], [1, 10, 100], [6, 60, 600]],
  ] as const)('%s', (_, f, at, expected) => {
    const { program, batched } = context.batch({ program: build([[]], (x) => f(x!)), batched: [true], size: 3 });
    checkProgram(program);
    expect(batched).toEqual([true]);
    expect(evaluateProgram(program, [numbers([3], ...at)])[0]!.data).toEqual([...expected]);
  });
});

it('a scan whose results depend on no operand compiles: nothing is left to narrow it to', () => {
  const program = build([[], [3]], (c, xs) => [scan((s: Var, x: Var) => [v(add(s, x)), v(broadcastTo(tensor(2) as never, []) as Var)] as const, c!, xs!)[1]]);
  expect(compileProgram(program).outputs.map(({ key }) => key)).toEqual(['f64[3]']);
});
