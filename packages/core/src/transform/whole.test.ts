import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Atom, Program, Var } from '../contract.ts';
import { add, mul, neg, sub } from '../primitives/arithmetic.ts';
import { less } from '../primitives/compare.ts';
import { matmul } from '../primitives/contraction.ts';
import { convert } from '../primitives/convert.ts';
import { div } from '../primitives/division.ts';
import { createCatalog } from '../primitives/extension.ts';
import { maximum, minimum } from '../primitives/extrema.ts';
import { abs } from '../primitives/magnitude.ts';
import { exp, log, sqrt, tanh } from '../primitives/functions.ts';
import { take } from '../primitives/indexing.ts';
import { pow } from '../primitives/power.ts';
import { reduceMax, reduceMin, sum } from '../primitives/reduce.ts';
import { select } from '../primitives/select.ts';
import { stopGradient } from '../primitives/stop-gradient.ts';
import { relu } from '../compositions/activations.ts';
import { Builder } from '../program/builder.ts';
import { checkProgram } from '../program/check.ts';
import { printProgram } from '../program/print.ts';
import { operationCounts, randomProgram, type StepName } from '../program/random-program.testing.ts';
import { symbolicDim } from '../types/dim.ts';
import { tensorType } from '../types/tensor-type.ts';
import { AdContext } from './context.ts';
import { evaluateProgram, type Value } from './evaluate.testing.ts';
import { brokenLaws, derivativeProgram, Numbers } from './laws.testing.ts';

const context = new AdContext({ catalog: createCatalog() });
const vector = (...data: readonly number[]): Value => ({ dtype: 'float64', shape: [data.length], data });
const scalarOf = (x: number): Value => ({ dtype: 'float64', shape: [], data: [x] });

function programOf(shapes: readonly (readonly number[])[], apply: (...operands: readonly Var[]) => unknown): Program {
  const builder = new Builder();
  return builder.build([apply(...shapes.map((shape) => builder.input(tensorType('float64', shape)))) as Atom]);
}

/** Cotangents of all operands for a cotangent of the one result (ones by default). */
function gradients(apply: (...operands: readonly Var[]) => unknown, point: readonly Value[], ct?: readonly number[]): readonly (readonly number[])[] {
  const program = programOf(point.map(({ shape }) => shape), apply);
  const [output] = evaluateProgram(program, point);
  const wrt = point.map((_, at) => at);
  const seed: Value = { ...output!, data: ct ?? output!.data.map(() => 1) };
  return evaluateProgram(derivativeProgram(context, program, wrt, 'pullback'), [...point, seed]).map(({ data }) => data.map((x) => x + 0));
}

describe('at ties', () => {
  it('maximum and minimum split ½ and ½', () => {
    for (const extremum of [maximum, minimum]) expect(gradients((x, y) => extremum(x!, y!), [vector(2, 2, 2), vector(2, 1, 3)])[0]![0]).toBe(0.5);
    expect(gradients((x, y) => maximum(x!, y!), [vector(2, 2, 1), vector(2, 1, 2)])).toEqual([[0.5, 1, 0], [0.5, 0, 1]]);
    expect(gradients((x) => maximum(x!, x!), [vector(2)])).toEqual([[1]]);
    expect(gradients((x) => maximum(x!, 0), [vector(-1, 0, 1)])).toEqual([[0, 0.5, 1]]);
  });

  it('reduceMax and reduceMin share evenly, along each row', () => {
    const x: Value = { dtype: 'float64', shape: [2, 3], data: [1, 3, 3, 2, 2, 2] };
    expect(gradients((v) => reduceMax(v!, { axes: 1 }), [x], [6, 3])).toEqual([[0, 3, 3, 1, 1, 1]]);
    expect(gradients((v) => reduceMin(v!, { axes: 1 }), [x], [6, 3])).toEqual([[6, 0, 0, 1, 1, 1]]);
    expect(gradients((v) => reduceMax(v!), [vector(7)])).toEqual([[1]]);
  });

  it('abs and relu have slope 0 at 0, pow the limit', () => {
    expect(gradients((x) => abs(x!), [vector(-2, 0, -0, 2)])).toEqual([[-1, 0, 0, 1]]);
    expect(gradients((x) => relu(x!), [vector(-2, 0, -0, 2)])).toEqual([[0, 0, 0, 1]]);
    expect(gradients((x, y) => pow(x!, y!), [vector(0, 0, 0, 0), vector(2, 1, 0, 3)])).toEqual([[0, 1, 0, 0], [0, 0, 0, 0]]);
  });

  it('obey the adjoint identity to second order', () => {
    const tie = vector(2, 2, 1, 1);
    for (const apply of [(x: Var, y: Var) => maximum(x, y), (x: Var, y: Var) => minimum(mul(x, x), y), (x: Var, y: Var) => add(reduceMax(x), reduceMin(y)), (x: Var, y: Var) => abs(sub(x, y))]) {
      expect(brokenLaws(context, programOf([[4], [4]], apply as never), [tie, vector(2, 1, 1, 1)], [0, 1], { order: 2, skipDifference: true })).toEqual([]);
    }
  });
});

describe('a branch that was not taken', () => {
  const positive = (x: Var): Var => less(0, x) as never;

  it('gets exactly 0, whatever the cotangent is', () => {
    for (const ct of [Infinity, -Infinity, NaN]) {
      const [dx, dy] = gradients((x, y) => select(positive(x!) as never, y!, neg(y!)), [vector(1, -1), vector(3, 3)], [ct, ct]) as [number[], number[]];
      expect([dx, dy]).toEqual([[0, 0], [ct, -ct]]);
      expect(gradients((x, y) => select(positive(x!) as never, x!, y!), [vector(1, -1), vector(3, 3)], [ct, ct])).toEqual([[ct, 0], [0, ct]]);
      expect(gradients((x, y) => maximum(x!, y!), [vector(1, 5), vector(2, 2)], [ct, ct])).toEqual([[0, ct], [ct, 0]]);
      expect(gradients((x) => reduceMax(x!), [vector(1, 2)], [ct])).toEqual([[0, ct]]);
      expect(gradients((x) => relu(x!), [vector(-1, 1)], [ct, ct])).toEqual([[0, ct]]);
      expect(gradients((x) => abs(x!), [vector(0, 1)], [ct, ct])).toEqual([[0, ct]]);
    }
  });

  it('adds 0 to the gradient though its own slope is infinite or not a number', () => {
    for (const [f, at] of [[sqrt, 0], [log, 0], [(x: Var) => div(1, x), 0], [(x: Var) => div(x, x), 0], [log, -1], [sqrt, -1]] as const) {
      expect(gradients((x) => select(positive(x!) as never, f(x!) as Var, x!), [vector(at, at)])).toEqual([[1, 1]]);
    }
  });

  it('has a tangent of exactly 0 as well', () => {
    const program = programOf([[2]], (x) => select(positive(x!) as never, sqrt(x!), x!));
    const jvp = derivativeProgram(context, program, [0], 'pushforward');
    expect(evaluateProgram(jvp, [vector(0, 4), vector(1, 1)])[0]!.data).toEqual([1, 0.25]);
  });
});

describe('stopGradient', () => {
  it('lets nothing through, in either direction', () => {
    expect(gradients((x) => mul(x!, stopGradient(x!)), [vector(3)])).toEqual([[3]]);
    const program = programOf([[1]], (x) => stopGradient(exp(x!)));
    expect(context.pullback({ program, wrt: [0], live: [true] }).results).toEqual([undefined]);
    expect(context.pushforward({ program, wrt: [0], live: [true] }).results).toEqual([undefined]);
  });
});

describe('what carries no tangent', () => {
  it('ends the path: integers, booleans and comparisons', () => {
    for (const apply of [(x: Var) => convert(less(x, 0), 'float64'), (x: Var) => convert(convert(x, 'int32'), 'float64'), (x: Var) => convert(convert(x, 'bool'), 'float64')]) {
      const program = programOf([[2]], apply as never);
      expect(context.pullback({ program, wrt: [0], live: [true] }).results).toEqual([undefined]);
      expect(context.pushforward({ program, wrt: [0], live: [true] }).results).toEqual([undefined]);
    }
  });

  it('is undefined for an operand on which nothing depends, and for outputs that nobody seeds', () => {
    const program = programOf([[2], [2]], (x) => exp(x!));
    expect(context.pullback({ program, wrt: [0, 1], live: [true] }).results).toEqual([0, undefined]);
    expect(context.pullback({ program, wrt: [0, 1], live: [false] }).results).toEqual([undefined, undefined]);
    expect(context.pushforward({ program, wrt: [1], live: [true] }).results).toEqual([undefined]);
  });

  it('does not disturb gather, whose indices are integers', () => {
    const builder = new Builder();
    const [x, at] = [builder.input(tensorType('float64', [3])), builder.input(tensorType('int32', [2]))];
    const program = builder.build([mul(take(x, at), 2)]);
    expect(brokenLaws(context, program, [vector(1, 2, 3), { dtype: 'int32', shape: [2], data: [2, 2] }], [0], { order: 2 })).toEqual([]);
  });
});

describe('a derivative', () => {
  it('is a program of its own, with residuals by position', () => {
    const program = programOf([[2], [2]], (x, y) => sum(mul(exp(x!), y!)));
    const derivative = context.pullback({ program, wrt: [0, 1], live: [true] });
    checkProgram(derivative.program);
    expect(printProgram(derivative.program)).toBe(`program(%0:f64[2], %1:f64[2], %2:f64[]) {
  %3:f64[1] = tf.core.reshape(%2) {shape: [1]}
  %4:f64[2] = tf.core.broadcastTo(%3) {shape: [2]}
  %5:f64[2] = tf.core.multiplyOrZero(%4, %0)
  %6:f64[2] = tf.core.multiplyOrZero(%4, %1)
  %7:f64[2] = tf.core.multiplyOrZero(%5, %1)
  return %7, %6
}`);
    expect(derivative.residuals).toEqual([1, 2]);
    expect(derivative.results).toEqual([0, 1]);
  });

  it('adds cotangents of one value in descending order of its uses', () => {
    const program = programOf([[]], (x) => add(mul(x!, 2), add(mul(x!, 3), mul(x!, 5))));
    const { instructions } = context.pullback({ program, wrt: [0], live: [true] }).program;
    expect(instructions.map(({ operation, inputs }) => `${operation.name} ${inputs.map((input) => ('literal' in input ? String(input.data[0]) : 'v')).join()}`)).toEqual(['multiplyOrZero v,5', 'multiplyOrZero v,3', 'add v,v', 'multiplyOrZero v,2', 'add v,v']);
  });

  it('with respect to an intermediate value cuts the path there', () => {
    const program = programOf([[]], (x) => exp(mul(x!, 3)));
    const derivative = context.pullback({ program, wrt: [1], live: [true] });
    const [ct] = evaluateProgram(derivative.program, [...derivative.residuals.map(() => scalarOf(Math.exp(6))), scalarOf(1)]);
    expect(ct!.data[0]).toBe(Math.exp(6));
  });

  it('of a value used as output twice adds both cotangents', () => {
    const builder = new Builder();
    const x = builder.input(tensorType('float64', [1]));
    const y = mul(x, x);
    const derivative = derivativeProgram(context, builder.build([y, y, x]), [0], 'pullback');
    expect(evaluateProgram(derivative, [vector(3), vector(1), vector(10), vector(100)])[0]!.data).toEqual([6 + 60 + 100]);
  });

  it('of a symbolic program is right at every size', () => {
    const builder = new Builder();
    const [n, m] = [symbolicDim('n'), symbolicDim('m')];
    const [a, b, c] = [builder.input(tensorType('float64', [n, m])), builder.input(tensorType('float64', [m, 2])), builder.input(tensorType('float64', [2]))];
    const program = builder.build([sum(tanh(add(matmul(a, b), c)), { axes: 0 }), reduceMax(mul(a, a), { axes: [1], keepdims: true })]);
    for (const [rows, columns] of [[1, 1], [3, 2], [2, 5]] as const) {
      const numbers = new Numbers(rows);
      const point = [[rows, columns], [columns, 2], [2]].map((shape) => numbers.like({ dtype: 'float64', shape }));
      expect(brokenLaws(context, program, point, [0, 1, 2], { order: 2 }), `${rows} ${columns}`).toEqual([]);
    }
  });

  it('six times of x⁴ at 0 is 0, 0, 0, 24, 0, 0', () => {
    let program = programOf([[]], (x) => pow(x!, 4));
    const found: number[] = [];
    for (let order = 1; order <= 6; order++) {
      const derivative = derivativeProgram(context, program, [0], 'pullback');
      const inner = new Builder();
      const x = inner.input(tensorType('float64', []));
      // The seed becomes the constant 1.
      program = substitute(derivative, inner, x);
      found.push(evaluateProgram(program, [scalarOf(0)])[0]!.data[0]! + 0);
    }
    expect(found).toEqual([0, 0, 0, 24, 0, 0]);
  });
});

/** A derivative program of one scalar with its seed set to 1. */
function substitute(derivative: Program, builder: Builder, x: Var): Program {
  const values = new Map<Atom, Atom>([[derivative.inputs[0]!, x], [derivative.inputs[1]!, builder.literal(tensorType('float64', []), Float64Array.of(1))]]);
  for (const instruction of derivative.instructions) {
    const outputs = builder.replay(instruction, instruction.inputs.map((input) => values.get(input) ?? input));
    instruction.outputs.forEach((output, at) => values.set(output, outputs[at]!));
  }
  return builder.build(derivative.outputs.map((output) => values.get(output) ?? output));
}

describe('random smooth programs', () => {
  const smooth: readonly StepName[] = ['add', 'sub', 'mul', 'addConstant', 'neg', 'tanh', 'sin', 'cos', 'sigmoid', 'erf', 'flatten', 'unsqueeze', 'broadcast', 'broadcastLike', 'rotate', 'slice', 'pad', 'concat', 'take', 'takeAlongAxis', 'scatterAdd', 'sum', 'prod', 'matmul', 'dot', 'identity', 'select'];

  it('obey the laws to second order, with respect to all inputs', () => {
    const seen: Program[] = [];
    fc.assert(fc.property(randomProgram({ dtypes: ['float64'], steps: smooth, maximumSteps: 8 }), fc.nat({ max: 1000 }), (program, seed) => {
      const usable = program.outputs.every((output) => !('literal' in output)) && isTame(program, seed);
      fc.pre(usable);
      seen.push(program);
      const numbers = new Numbers(seed);
      const point = program.inputs.map(({ type }) => numbers.like({ dtype: 'float64', shape: type.shape as readonly number[] }));
      expect(brokenLaws(context, program, point, point.map((_, at) => at), { order: 2, difference: 1e-6 })).toEqual([]);
    }), { numRuns: 150, seed: 1 });
    const counts = operationCounts(seen);
    expect([...counts.keys()].length).toBeGreaterThan(15);
  });

  /** Differences say something only where values and constants are of moderate size. */
  function isTame(program: Program, seed: number): boolean {
    const numbers = new Numbers(seed);
    const all = { ...program, outputs: program.instructions.flatMap(({ outputs }) => outputs) };
    const point = program.inputs.map(({ type }) => numbers.like({ dtype: 'float64', shape: type.shape as readonly number[] }));
    return evaluateProgram(all, point).every(({ data }) => data.length < 200 && data.every((x) => Math.abs(x) < 30));
  }
});

describe('a chain of 100 000 instructions', () => {
  const chain = (length: number): Program => programOf([[]], (x) => {
    let y = x!;
    for (let step = 0; step < length; step++) y = step % 2 === 0 ? (mul(y, x!) as Var) : (tanh(y) as Var);
    return y;
  });
  const seconds = (run: () => unknown): number => {
    const start = performance.now();
    run();
    return (performance.now() - start) / 1000;
  };

  it.each(['pullback', 'pushforward'] as const)('has a %s of linear size, made without using the stack, in linear time', (mode) => {
    const [short, long] = [chain(25_000), chain(100_000)];
    const fresh = (): AdContext => new AdContext({ catalog: createCatalog() });
    fresh()[mode]({ program: chain(2_000), wrt: [0], live: [true] });
    const quick = Math.min(...[1, 2].map(() => seconds(() => fresh()[mode]({ program: short, wrt: [0], live: [true] }))));
    let size = 0;
    const slow = seconds(() => (size = fresh()[mode]({ program: long, wrt: [0], live: [true] }).program.instructions.length));
    expect(size).toBeLessThan(7 * 100_000);
    expect(slow).toBeLessThan(4 * 5 * quick);
  }, 60_000);
});
