import * as core from '@tf/core';
import { AdContext, applyOperation, compileProgram, createCatalog, type DType, type Operand, type Program, TfError, type Var } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createCoreCases, createRandom, type ExtensionCase, type HostValue, hostValue, interpretProgram, programOf, randomValues, reportPresence, vjpProgram } from '@tf/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { isJaxHere, runOnXla, type XlaCase, type XlaResult } from './xla.testing.ts';

const isHere = reportPresence({ it }, { name: 'xla', isPresent: isJaxHere(), remedy: 'pnpm test:xla installs JAX for Python, which is slow on the first run' });
/** `pnpm test:xla`: every case of core and its derivative. */
const isWhole = process.env['TF_XLA_ALL'] === '1';
const patience = isWhole ? 3_600_000 : 600_000;

const operand = (x: unknown): Operand => x as Operand;
const variable = (x: unknown): Var => x as Var;
const context = new AdContext({ catalog: createCatalog() });

/** Whole numbers and truth values to the bit; others relative to the largest element, as XLA chooses how sums are formed. */
function expectClose(got: HostValue, wanted: HostValue, relative: Readonly<Partial<Record<DType, number>>> = { float32: 2e-5, complex64: 2e-5, float64: 1e-12, complex128: 1e-12 }): void {
  expect(got.type.key).toBe(wanted.type.key);
  const values = Array.from(wanted.data, Number);
  const scale = values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 1);
  const bound = (relative[wanted.type.dtype] ?? 0) * scale;
  Array.from(got.data, Number).forEach((value, at) => {
    const want = values[at] as number;
    if (!Object.is(value, want) && !(Math.abs(value - want) <= bound)) throw new Error(`element ${at} is ${value}, not ${want}`);
  });
}

function outputsOf(result: XlaResult | undefined): readonly HostValue[] {
  if (result === undefined || 'error' in result) throw new Error(result?.error ?? 'no result');
  return result.outputs;
}

/** Two layers and a cross-entropy, all in one dtype. */
function perceptron(dtype: 'float32' | 'float64'): XlaCase {
  const shapes = [[8, 5], [5, 6], [6], [6, 3], [8, 3]];
  const program = programOf((...[x, w, b, v, labels]) => {
    const hidden = core.tanh(operand(core.add(operand(core.matmul(operand(x), operand(w))), operand(b))));
    const scores = core.logSoftmax(operand(core.matmul(operand(hidden), operand(v))));
    return variable(core.neg(operand(core.mean(operand(core.mul(operand(scores), operand(labels)))))));
  }, shapes.map((shape) => core.tensorType(dtype, shape)));
  return { program, inputs: shapes.map((shape, at) => randomValues(dtype, shape, createRandom(at + 1))) };
}

function gradientOf({ program, inputs }: XlaCase, wrt: readonly number[]): XlaCase {
  const seeds = program.outputs.flatMap(({ type }, at) => (core.isInexact(type.dtype) ? [randomValues(type.dtype, type.shape as readonly number[], createRandom(at + 7))] : []));
  return { program: vjpProgram(context, program, wrt), inputs: [...inputs, ...seeds] };
}

describe.runIf(isHere)('through XLA, a perceptron', () => {
  const named = (['float64', 'float32'] as const).flatMap((dtype) => {
    const forward = perceptron(dtype);
    return [{ name: `forward in ${dtype}`, ...forward }, { name: `gradient in ${dtype}`, ...gradientOf(forward, [1, 2, 3]) }];
  });
  let results: readonly XlaResult[] = [];
  beforeAll(() => void (results = runOnXla(named, { fused: true })), patience);

  it.each(named.map(({ name }, at) => [name, at] as const))('gives what the engine gives: %s', async (_, at) => {
    const { program, inputs } = named[at] as (typeof named)[number];
    const engine = await createEngine();
    const buffers = inputs.map(({ type, data }) => engine.upload(type.dtype, type.shape as readonly number[], data));
    const outputs = engine.compile(compileProgram(program)).run(buffers);
    outputsOf(results[at]).forEach((got, which) => expectClose(got, { type: (program.outputs[which] as Var).type, data: engine.read(outputs[which] as core.DeviceBuffer) }));
  });
});

/** The case's program, and that of its derivative where it has one. */
function programsOf({ name, inputs, wrt, ...rest }: ExtensionCase): readonly (XlaCase & { readonly name: string })[] {
  const f = rest.f ?? ((...operands: readonly Var[]) => applyOperation(rest.operation as core.Operation, operands, rest.params ?? {}) as readonly Var[]);
  const forward: XlaCase = { program: programOf(f, inputs.map(({ type }) => type)), inputs };
  if (hasOwnExtent(forward.program)) return [];
  const active = wrt ?? inputs.flatMap(({ type }, at) => (core.isInexact(type.dtype) ? [at] : []));
  if (active.length === 0 || !forward.program.outputs.some(({ type }) => core.isInexact(type.dtype))) return [{ name, ...forward }];
  try {
    return [{ name, ...forward }, { name: `derivative of ${name}`, ...gradientOf(forward, active) }];
  } catch (error) {
    if (error instanceof TfError && error.name === 'UnsupportedRuleError') return [{ name, ...forward }];
    throw error;
  }
}

/** Runs decide its extents: the one thing of core that XLA cannot do. */
function hasOwnExtent(program: Program): boolean {
  return program.instructions.some(({ operation, params }) => operation.traits.extent !== undefined || core.regionsOf(params).some(hasOwnExtent));
}

describe.runIf(isHere)('through XLA, the cases of core', () => {
  const all = createCoreCases().flatMap(programsOf);
  const chosen = isWhole ? all : all.filter((_, at) => at % 25 === 0);
  let results: readonly XlaResult[] = [];
  beforeAll(() => void (results = runOnXla(chosen)), patience);

  it('are nearly all there', () => {
    expect(all.length).toBeGreaterThan(900);
  });

  it.each(chosen.map(({ name }, at) => [name, at] as const))('%s', (_, at) => {
    const { program, inputs } = chosen[at] as XlaCase;
    const wanted = interpretProgram(program, inputs, { arithmetic: 'exact' });
    outputsOf(results[at]).forEach((got, which) => expectClose(got, wanted[which] as HostValue));
  });
});

describe.runIf(isHere)('through XLA, the largest and the smallest', () => {
  const some = (dtype: 'float32' | 'float64', seed: number): HostValue => {
    const random = createRandom(seed);
    return hostValue(dtype, [37, 29], Array.from({ length: 37 * 29 }, () => (random() < 0.02 ? NaN : random() - 0.5)));
  };
  const reductions = [core.reduceMax, core.reduceMin].flatMap((reduce) => (['float32', 'float64'] as const).flatMap((dtype) => [[0], [1], [0, 1]].map((axes): XlaCase => {
    const x = some(dtype, axes.length);
    return { program: programOf((v) => variable(reduce(operand(v), { axes })), [x.type]), inputs: [x] };
  })));
  const pairs = [core.maximum, core.minimum].map((choose): XlaCase => {
    const inputs = [some('float32', 3), some('float32', 4)];
    return { program: programOf((v, w) => variable(choose(operand(core.convert(operand(core.signbit(operand(v) as Operand<never, 'float32'>)), 'float32')), operand(w))), inputs.map(({ type }) => type)), inputs };
  });

  it('are NaN where any element is', () => {
    const cases = [...reductions, ...pairs];
    runOnXla(cases, { fused: true }).forEach((result, at) => {
      const { program, inputs } = cases[at] as XlaCase;
      expect(outputsOf(result).map(({ data }) => data)).toEqual(interpretProgram(program, inputs, { arithmetic: 'exact' }).map(({ data }) => data));
    });
  }, patience);
});

/** Points of every size, and those where functions go wrong. */
function points(dtype: 'float32' | 'float64', count: number, seed: number): HostValue {
  const random = createRandom(seed);
  const special = [0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 1e-30, 1e-290, 1e300, 3e38, Infinity, -Infinity, NaN];
  const limit = dtype === 'float32' ? 60 : 300;
  return hostValue(dtype, [count], Array.from({ length: count }, (_, at) => flushed(dtype, special[at] ?? (random() - 0.5) * 2 ** ((random() - 0.5) * limit))));
}

/** XLA's CPU takes subnormal numbers for zeros. */
function flushed(dtype: DType, value: number): number {
  return Math.abs(value) < (dtype === 'float32' ? 2 ** -126 : 2 ** -1022) ? Math.sign(value) * 0 : value;
}

describe.runIf(isHere)('through XLA, functions of one element', () => {
  const unary = ['exp', 'expm1', 'log', 'log1p', 'sin', 'cos', 'tan', 'tanh', 'sqrt', 'rsqrt', 'erf', 'erfc', 'ndtr', 'erfinv', 'sigmoid', 'softplus', 'lgamma', 'digamma', 'asin', 'acos', 'atan', 'asinh', 'acosh', 'atanh', 'sinh', 'cosh', 'exp2', 'log2', 'log10', 'cbrt', 'floor', 'ceil', 'trunc', 'round', 'abs', 'sign', 'neg'] as const;
  const binary = ['add', 'sub', 'mul', 'div', 'pow', 'atan2', 'hypot', 'maximum', 'minimum', 'fmod', 'remainder', 'floorDivide', 'logAddExp'] as const;
  const names = [...unary, ...binary].filter((_, at) => isWhole || at % 6 === 0);
  const named = names.flatMap((name) => (['float64', 'float32'] as const).map((dtype) => {
    const inputs = (binary as readonly string[]).includes(name) ? [points(dtype, 200, 5), points(dtype, 200, 6)].map((value, at) => (at === 0 ? value : hostValue(dtype, [200], Array.from(value.data as Float64Array).reverse()))) : [points(dtype, 200, 7)];
    const program = programOf((...given) => variable((core[name] as (...operands: readonly Operand[]) => unknown)(...given.map(operand))), inputs.map(({ type }) => type));
    return { name: `${name} in ${dtype}`, program, inputs };
  }));
  let results: readonly XlaResult[] = [];
  beforeAll(() => void (results = runOnXla(named)), patience);

  it.each(named.map(({ name }, at) => [name, at] as const))('%s has the bits of the engines', (_, at) => {
    const { program, inputs } = named[at] as XlaCase;
    const bits = ({ type, data }: HostValue): readonly number[] => Array.from(data as ArrayLike<number | bigint>, (value) => flushed(type.dtype, Number(value)));
    expect(bits(outputsOf(results[at])[0] as HostValue)).toEqual(bits(interpretProgram(program, inputs, { arithmetic: 'exact' })[0] as HostValue));
  });
});
