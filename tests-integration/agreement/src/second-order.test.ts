import { add, AdContext, createCatalog, mul, type Operand, sum } from '@tf/core';
import { EagerRuntime, type EagerTensor } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createReferenceEngine } from '@tf/testkit';
import { evaluate, grad, jvp } from '@tf/traced';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bits, bitsOf, dataFor, type Readable } from './bits.ts';
import { anySteps, randomFunction, shapes } from './random-function.ts';

const engine = await createEngine();
const context = new AdContext({ catalog: createCatalog() });
const argnums = shapes.map((_, at) => at);

type Function = (...inputs: readonly Operand[]) => Operand;
type Lists = readonly Readable[];

/** The traced transforms on functions of lists, without the types that follow a user's tree. */
const gradOf = grad as unknown as (f: Function, options: object) => (...inputs: readonly Operand[]) => readonly Operand[];
const jvpOf = jvp as unknown as (f: (...inputs: readonly Operand[]) => unknown, primals: readonly Operand[], tangents: readonly Operand[]) => readonly [unknown, unknown];

function dot(left: readonly Operand[], right: readonly Operand[]): Operand {
  return left.map((x, at) => sum(mul(x, right[at] as Operand)) as Operand).reduce((a, b) => add(a, b) as Operand);
}

/** What both modes compute, by name. */
interface Mode {
  gradients(): Lists;
  tangent(): Lists;
  /** jvp of grad, grad of jvp, grad of grad. */
  forwardOverReverse(): Lists;
  reverseOverForward(): Lists;
  reverseOverReverse(): Lists;
}

const names = ['gradients', 'tangent', 'forwardOverReverse', 'reverseOverForward', 'reverseOverReverse'] as const;

function traced(f: Function, data: readonly Operand[], v: readonly Operand[]): Mode {
  const gradient = gradOf(f, { argnums, context });
  const allOf = (g: Function): readonly Operand[] => gradOf(g, { argnums, context, allowUnused: true })(...data);
  const run = (tree: unknown): Lists => evaluate(tree, engine) as unknown as Lists;
  return {
    gradients: () => run(gradient(...data)),
    tangent: () => run([jvpOf(f, data, v)[1]]),
    forwardOverReverse: () => run(jvpOf((...inputs) => gradient(...inputs), data, v)[1]),
    reverseOverForward: () => run(allOf((...inputs) => jvpOf(f, inputs, v)[1] as Operand)),
    reverseOverReverse: () => run(allOf((...inputs) => dot(gradient(...inputs), v))),
  };
}

function eager(runtime: EagerRuntime, f: Function, data: readonly Operand[], directions: readonly Operand[]): Mode {
  const inputs = data.map((x) => runtime.variable(x));
  const v = directions.map((x) => runtime.constant(x));
  const y = f(...inputs);
  const gradients = (): readonly EagerTensor[] => runtime.vjpMany(y, inputs, 1) as readonly EagerTensor[];
  return {
    gradients,
    tangent: () => [runtime.jvpMany(y, inputs, v)],
    forwardOverReverse: () => gradients().map((g) => runtime.jvpMany(g, inputs, v)),
    reverseOverForward: () => runtime.vjpMany(runtime.jvpMany(y, inputs, v), inputs, 1, { allowUnused: true }) as Lists,
    reverseOverReverse: () => runtime.vjpMany(dot(gradients(), v), inputs, 1, { allowUnused: true }) as Lists,
  };
}

async function allBits(mode: Mode): Promise<Readonly<Record<string, readonly Bits[]>>> {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await Promise.all(mode[name]().map(bitsOf))] as const)));
}

describe.each(['float64', 'float32'] as const)('%s', (dtype) => {
  test('first and second derivatives of random functions have the same bits in both modes', { timeout: 240_000 }, async () => {
    const runtime = new EagerRuntime({ context });
    const session = runtime.open(engine);
    await fc.assert(fc.asyncProperty(anySteps(8), fc.nat(1000), async (steps, seed) => {
      const f = randomFunction(steps);
      const [data, v] = [dataFor(seed, dtype), dataFor(seed + 500, dtype)];
      expect(await allBits(eager(runtime, f, data, v))).toEqual(await allBits(traced(f, data, v)));
    }), { numRuns: 60, seed: 21 });
    session.dispose();
    expect(runtime.stats().recomputed).toBe(0);
  });
});

test('backward and grad on the reference engine give the bits of this one', { timeout: 240_000 }, async () => {
  const runtime = new EagerRuntime({ context });
  const reference = createReferenceEngine();
  await fc.assert(fc.asyncProperty(anySteps(8), fc.nat(1000), async (steps, seed) => {
    const inputs = dataFor(seed, 'float64').map((x) => runtime.variable(x));
    const loss = runtime.session(engine, () => randomFunction(steps)(...inputs));
    runtime.session(engine, () => runtime.backward(loss));
    const here = await Promise.all(inputs.map(({ grad: g }) => bitsOf(g as Readable)));
    runtime.clearGrads();
    runtime.session(engine, () => runtime.backward(loss, { engine: reference }));
    expect(await Promise.all(inputs.map(({ grad: g }) => bitsOf(g as Readable)))).toEqual(here);
    const functional = runtime.session(engine, () => runtime.vjpMany(loss, inputs, 1, { engine: reference }) as Lists);
    expect(await Promise.all(functional.map(bitsOf))).toEqual(here);
  }), { numRuns: 40, seed: 22 });
});
