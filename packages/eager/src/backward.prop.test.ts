import { add, AdContext, type Argument, broadcastTo, Builder, compileProgram, createCatalog, type DeviceBuffer, div, exp, greater, type Kind, matmul, maximum, mul, neg, type Operand, reduceMax, type ReduceOptions, reshape, select, sub, sum, tanh, tensor, tensorType, transpose, valuesOf, type Var } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { EagerRuntime, type EagerTensor } from './index.ts';

const engine = await createEngine();
const context = new AdContext({ catalog: createCatalog() });

/** One step of a random function: which operation, on which of the values so far. */
type Step = readonly [kind: number, left: number, right: number, scalar: number];

const unary: readonly ((x: Operand) => Operand)[] = [
  (x) => exp(mul(x, 0.1) as Operand) as Operand, (x) => tanh(x) as Operand, (x) => neg(x) as Operand,
  (x) => sum(x, lastAxis(x)) as Operand, (x) => reduceMax(x, lastAxis(x)) as Operand,
  (x) => transpose(x) as Operand, (x) => reshape(reshape(x, [-1]) as Operand, x.type.shape) as Operand,
];
const binary: readonly ((x: Operand, y: Argument) => Operand)[] = [
  (x, y) => add(x, y) as Operand, (x, y) => sub(x, y) as Operand, (x, y) => mul(x, y) as Operand, (x, y) => maximum(x, y) as Operand,
  (x, y) => (typeof y === 'object' ? div(x, add(mul(y, y) as Operand, 1) as Operand) : div(x, y)) as Operand,
  (x, y) => select(greater(x, y) as Operand<Kind, 'bool'>, x, y) as Operand,
];

function lastAxis(x: Operand): ReduceOptions {
  return { axes: x.type.shape.length === 0 ? [] : -1, keepdims: true };
}

/** The function that `steps` describe: square matrices, rows and columns of size 3, and scalars. */
function evaluate(inputs: readonly Operand[], steps: readonly Step[]): Operand {
  const values = [...inputs];
  for (const [kind, left, right, scalar] of steps) {
    const x = values[left % values.length] as Operand;
    const y = values[right % values.length] as Operand;
    const at = kind % (unary.length + 2 * binary.length + 1);
    if (at < unary.length) values.push((unary[at] as (typeof unary)[number])(x));
    else if (at < unary.length + binary.length) values.push((binary[at - unary.length] as (typeof binary)[number])(x, y));
    else if (at < unary.length + 2 * binary.length) values.push((binary[at - unary.length - binary.length] as (typeof binary)[number])(x, scalar));
    else values.push(matmul(broadcastTo(x, [3, 3]) as Operand, broadcastTo(y, [3, 3]) as Operand) as Operand);
  }
  return sum(values.map((value) => sum(value) as Operand).reduce((left, right) => add(left, right) as Operand)) as Operand;
}

const shapes: readonly (readonly number[])[] = [[3, 3], [3], [3, 1], []];
const data = shapes.map((shape, at) => Float64Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, index) => Math.sin(1 + index + 10 * at)));

/** Gradients by the transform of the whole program, run as two plans. */
function byTransform(steps: readonly Step[]): readonly (readonly number[] | undefined)[] {
  const builder = new Builder();
  const inputs: readonly Var[] = shapes.map((shape) => builder.input(tensorType('float64', shape)));
  const program = builder.build([evaluate(inputs, steps) as Var]);
  const derivative = context.pullback({ program, wrt: [...shapes.keys()], live: [true] });
  const values = valuesOf(program);
  const buffers = shapes.map((shape, at) => engine.upload('float64', shape, data[at] as Float64Array));
  const residuals = engine.compile(compileProgram({ ...program, outputs: derivative.residuals.map((at) => values[at] as Var) })).run(buffers);
  const gradients = engine.compile(compileProgram(derivative.program)).run([...residuals, 1]);
  return derivative.results.map((at) => (at === undefined ? undefined : Array.from(engine.read(gradients[at] as DeviceBuffer) as Float64Array)));
}

function byBackward(runtime: EagerRuntime, steps: readonly Step[]): readonly (readonly number[] | undefined)[] {
  return runtime.session(engine, () => {
    const inputs = shapes.map((shape, at) => runtime.variable(tensor(data[at] as Float64Array, { shape })));
    const loss = evaluate(inputs, steps) as EagerTensor<'float64'>;
    loss.backward();
    return inputs.map(({ grad }) => (grad === undefined ? undefined : [grad.reshape([-1]).toArray()].flat() as number[]));
  });
}

test('backward through random functions has the bits of the transform of their program', () => {
  const runtime = new EagerRuntime({ context });
  const step = fc.tuple(fc.nat(20), fc.nat(99), fc.nat(99), fc.double({ min: 0.5, max: 2, noNaN: true }));
  fc.assert(fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
    expect(byBackward(runtime, steps)).toEqual(byTransform(steps));
  }), { numRuns: 100, seed: 1 });
  expect(runtime.stats().recomputed).toBe(0);
});
