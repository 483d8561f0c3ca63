/** Programs as text: printed, read and printed again they are the same, and what was read computes the same bits. */
import {
  AdContext, add, Builder, cast, checkpoint, compileProgram, complex, concat, cond, createCatalog, cumsum, type DType, dynamicTruncate, type Engine, type EngineInput, equal, exp, fori, hostForm, less, matmul, mul, neg, type Operand, pad, parseProgram, printProgram,
  type Program, programHash, reshape, sameProgram, scan, select, sin, sum, switchCase, symbolicDim, tensor, tensorType, type TypedArray, type Var, whileLoop,
} from '@tf/core';
import { einsum, einsumExtension } from '@tf/einsum';
import { createEngine } from '@tf/engine-cpu-wasm';
import { fft, fftExtension, irfft, rfft, stft } from '@tf/fft';
import { fftHost } from '@tf/fft/host';
import { createReferenceEngine, firstDifference, hostValue, type HostValue, vjpProgram } from '@tf/testkit';
import { describe, expect, test } from 'vitest';

const catalog = createCatalog([einsumExtension, fftExtension]);
const context = new AdContext({ catalog });
const engines: readonly Engine[] = [await createEngine({ modules: [fftHost()] }), createReferenceEngine({ modules: [fftHost()] })];

/** A program by hand and values for its inputs. */
interface Example {
  readonly program: Program;
  readonly inputs: readonly HostValue[];
}

type Build = (...inputs: readonly Var[]) => readonly unknown[];

/** Inputs have the types of the values, but for axes that are given as symbols. */
function example(inputs: readonly HostValue[], build: Build, symbols: readonly (readonly (string | number)[])[] = []): Example {
  const builder = new Builder();
  const variables = inputs.map(({ type }, at) => builder.input(tensorType(type.dtype, symbols[at]?.map((dim) => (typeof dim === 'string' ? symbolicDim(dim) : dim)) ?? type.shape), `x${at}`));
  return { program: builder.build(build(...variables).map((output) => output as Var)), inputs };
}

const f64 = (shape: readonly number[], ...values: readonly number[]): HostValue => hostValue('float64', shape, values);
const [vector, scalar] = [f64([3], 0.5, -1.25, 2), f64([], 0.75)];

const special: { readonly [D in DType]: TypedArray } = {
  float64: Float64Array.of(NaN, -0, 0, Infinity, -Infinity, 5e-324, -1.7976931348623157e308, 0.1, 1e21, 1e-7),
  float32: Float32Array.of(NaN, -0, 0, Infinity, -Infinity, 1e-45, 3.4028234663852886e38, 0.1, 16777217),
  complex128: Float64Array.of(NaN, -0, -0, NaN, Infinity, -Infinity, 0, -0, 1e300, -5e-324),
  complex64: Float32Array.of(-0, NaN, -0, -0, -Infinity, Infinity, 0.1, -1e-45),
  int64: BigInt64Array.of(2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n), 0n, -1n),
  int32: Int32Array.of(2 ** 31 - 1, -(2 ** 31), 0, -1),
  bool: Uint8Array.of(1, 0, 1),
};

/** Literals of one dtype: results themselves, scalar and not, and operands. */
function literals(dtype: DType): Example {
  const data = special[dtype];
  const lanes = dtype.startsWith('complex') ? 2 : 1;
  const builder = new Builder();
  const x = builder.input(tensorType('bool', []), 'x');
  const whole = builder.literal(tensorType(dtype, [data.length / lanes]), data);
  const scalars = Array.from({ length: data.length / lanes }, (_, at) => builder.literal(tensorType(dtype, []), data.slice(at * lanes, (at + 1) * lanes)));
  const empty = builder.literal(tensorType(dtype, [0, 3]), data.slice(0, 0));
  const host = tensor(data, { dtype, shape: [1, data.length / lanes] });
  return { program: builder.build([whole, ...scalars, empty, select(x, host, host) as Var]), inputs: [hostValue('bool', [], [1])] };
}

const written: { readonly [name: string]: () => Example } = {
  'branches in a loop in a branch in a checkpoint': () => example([vector, scalar], (x, s) => {
    const inner = (v: Operand): Operand => whileLoop((w: Operand) => less(sum(w as Var), 10), (w: Operand) => add(mul(w as Var, 1.5), tensor([1, -0, 0.125])) as Operand, v);
    const step = (i: Operand, v: Operand): Operand => switchCase(i, [(w: Operand) => sin(w) as Operand, (w: Operand) => inner(w), (w: Operand) => neg(w as Var) as Operand], v);
    const outer = checkpoint((v: Operand) => cond(less(s!, 1), (w: Operand) => fori(3, (i, c: Operand) => step(i, c), w), (w: Operand) => exp(w) as Operand, v));
    return [outer(x!)];
  }),
  'a scan in a scan, backwards': () => example([scalar, f64([2, 3], 1, 2, 3, -1, 0.5, 0.25)], (c, xs) => [
    ...scan((a: Var, row: Var) => {
      const [last, sums] = scan((b: Var, v: Var) => [add(mul(b, 0.5), v) as Var, b] as const, a, row, { reverse: true });
      return [last as Var, sums] as const;
    }, c!, xs!),
  ]),
  'symbolic extents': () => example([f64([2, 3], 1, 2, 3, 4, 5, 6), f64([3, 1], 0.5, -1, 2)], (a, b) => {
    const n = symbolicDim('n');
    return [matmul(a!, b!), pad(a!, { low: [1, n], high: [0, 2], value: -0 }), concat([a!, a!], 1), reshape(a!, [-1]), scan((c: Var, row: Var) => [add(c, sum(row)) as Var, undefined] as const, tensor(0) as never as Var, b!)[0]];
  }, [['m', 'n'], ['k', 1]]),
  'extents decided while running': () => example([vector, hostValue('int32', [], [2])], (x, k) => {
    const some = dynamicTruncate(x!, k!, 0) as Var;
    return [sum(some), cumsum(some), cond(less(k!, 3), (v: Operand) => neg(v as Var) as Operand, (v: Operand) => v, x!)];
  }),
  'constants too large for text, and numbers among parameters': () => example([f64([70, 1], ...Array.from({ length: 70 }, (_, at) => at / 7))], (x) => [
    add(x!, tensor(Float64Array.from({ length: 70 }, (_, at) => 1 / (at - 3)), { shape: [70, 1] })), pad(x!, { low: [1, 0], high: [0, 1], value: NaN }), pad(x!, { low: [0, 0], high: [0, 1], value: -Infinity }), pad(x!, { low: [0, 0], high: [0, 1], value: 5e-324 }),
  ]),
  'every dtype at once': () => example([vector, hostValue('int64', [3], [2n ** 60n + 1n, -3n, 0n])], (x, n) => [
    complex(x!, tensor([NaN, -0, Infinity])), add(n!, tensor(BigInt64Array.of(2n ** 60n + 1n, 2n ** 53n + 1n, -1n))), cast(x!, 'complex64'), equal(n!, 0), cast(n!, 'complex128'),
  ]),
  ...Object.fromEntries((Object.keys(special) as DType[]).map((dtype) => [`literals of ${dtype}`, () => literals(dtype)])),
  'a gradient of loops': () => {
    const { program, inputs } = written['a scan in a scan, backwards']!();
    return { program: vjpProgram(context, program, [0, 1]), inputs: [...inputs, f64([], 1), f64([2, 3], 1, 0, 2, -1, 0.5, 1)] };
  },
  'einsum': () => example([f64([2, 3], 1, 2, 3, 4, 5, 6), f64([3, 2], 0.5, -1, 2, 1, 0, 3)], (a, b) => [einsum('ij,jk->ik', a!, b!), einsum('ij,ji,ij->', a!, b!, a!), einsum('...j->...', a!)]),
  'a gradient of einsum': () => {
    const { program, inputs } = written['einsum']!();
    return { program: vjpProgram(context, program, [0, 1]), inputs: [...inputs, f64([2, 2], 1, 2, 3, 4), f64([], -1), f64([2], 1, 0.5)] };
  },
  'einsum inside a loop': () => example([f64([2, 2], 1, 0.5, -0.25, 1)], (a) => [fori(3, (_i, m: Operand) => einsum('ij,jk->ki', m, a!) as Operand, a! as Operand)]),
  'fft': () => example([f64([6], 0.5, -0.25, 1, 2, -1.5, 0.75)], (x) => [fft(x!), rfft(x!, { n: 5 }), irfft(rfft(x!), { n: 6 }), stft(x!, { length: 4, hop: 2 })]),
  'a gradient of fft': () => {
    const { program, inputs } = example([f64([6], 0.5, -0.25, 1, 2, -1.5, 0.75)], (x) => [irfft(mul(rfft(x!), rfft(x!)) as Operand, { n: 6 })]);
    return { program: vjpProgram(context, program, [0]), inputs: [...inputs, f64([6], 1, 0, -1, 0.5, 2, 0)] };
  },
};

/** Runs a program; bound inputs, whose values are no part of the text, come last. */
function run(engine: Engine, program: Program, inputs: readonly EngineInput[]): readonly TypedArray[] {
  return engine.compile(compileProgram(program, { kernels: engine.kernels })).run(inputs).map((buffer) => engine.read(buffer));
}

function inputsOf({ program, inputs }: Example): readonly EngineInput[] {
  const bound = program.bound.map(({ variable, value }): EngineInput => {
    const form = hostForm(value as Operand);
    if (form?.form !== 'data') throw new Error(`${variable.type.key} is bound to no data`);
    return { data: form.data, shape: variable.type.shape as readonly number[] };
  });
  return [...inputs.map(({ type, data }): EngineInput => ({ data, shape: type.shape as readonly number[] })), ...bound];
}

/** What differs between a program and what is read from its text, in words. */
function difference(given: Example, print: (program: Program) => string, parse: (text: string) => Program): string | undefined {
  const { program } = given;
  const text = print(program);
  const read = parse(text);
  if (print(read) !== text) return `text\n${text}\n${print(read)}`;
  if (!sameProgram(read, program) || programHash(read) !== programHash(program)) return `structure\n${text}`;
  const inputs = inputsOf(given);
  for (const engine of engines) {
    const results = run(engine, read, inputs);
    for (const [at, value] of run(engine, program, inputs).entries()) if (firstDifference(value, results[at]!) !== undefined) return `output ${at} on ${engine.info.name}: ${String(value)} and ${String(results[at])}\n${text}`;
  }
  return undefined;
}

const parse = (text: string): Program => parseProgram(text, catalog);

describe('a program that was printed and read is the same and computes the same bits', () => {
  test.each(Object.entries(written))('%s', (_name, make) => {
    expect(difference(make(), printProgram, parse)).toBeUndefined();
  });
});

/** How a printer or a parser is wrong; and an example by which that is seen. */
const faults: readonly (readonly [fault: string, seen: string, print: (program: Program) => string, parse: (text: string) => Program])[] = [
  ['a printer that drops the sign of zero', 'literals of complex64', (program) => printProgram(program).replace(/-0(?=[,:\]}])/g, '0'), parse],
  ['a printer that prints integers through doubles', 'literals of int64', (program) => printProgram(program).replace(/-?\d{16,}/g, (digits) => String(BigInt(Math.max(-(2 ** 62), Math.min(2 ** 62, Number(digits)))))), parse],
  ['a parser that reads a loop forwards', 'a scan in a scan, backwards', printProgram, (text) => parse(text.replace('reverse: true', 'reverse: false'))],
  ['a parser that reads NaN as infinity', 'literals of float64', printProgram, (text) => parse(text.replaceAll('NaN', 'Infinity'))],
];

test.each(faults)('%s is seen', (_fault, seen, print, wrong) => {
  expect(difference(written[seen]!(), print, wrong)).toBeDefined();
});
