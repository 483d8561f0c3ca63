/** What other libraries got wrong, errors, symbolic sizes, and rules that are wrong on purpose. */
import { AdContext, addDims, Builder, compileProgram, createCatalog, type Dim, dimText, type Extension, type Kind, mulDims, type Of, type Operand, printProgram, reshape, symbolicDim, tensor, tensorType, type Var } from '@tf/core';
import { brokenExtensionLaws, createRandom, hostValue, interpretProgram, programOf, randomValues, vjpProgram } from '@tf/testkit';
import { describe, expect, test } from 'vitest';
import { fftReference, naiveDft, naiveReal, relativeError } from './src/cases/naive.ts';
import { boundInput, openEngine, runOn } from './run.testing.ts';
import { dft } from './src/dft.ts';
import { hdft } from './src/half-spectrum.ts';
import { bartlett, blackman, blackmanHarris, fft, fftConvolve, fftCorrelate, fftExtension, fft2, fftfreq, fftn, fftshift, hamming, hann, ifft, ifft2, ifftn, irfft, irfft2, irfftn, istft, type Norm, rfft, rfft2, rfftfreq, rfftn, stft } from './src/index.ts';

const engine = await openEngine();
const context = new AdContext({ catalog: createCatalog([fftExtension]) });
const parameter = (key: string, shape: readonly (number | string)[]): Operand => new Builder().input(tensorType(key as 'float64', shape.map((dim) => (typeof dim === 'string' ? symbolicDim(dim) : dim))), 'x');

/** The gradient of Re Σ of the first output for a real or complex input. */
function gradient(f: (x: Operand) => Operand, x: ReturnType<typeof hostValue>): readonly number[] {
  const program = programOf((y) => f(y as Operand) as Var, [x.type]);
  const { dtype, shape } = (program.outputs[0] as Var).type;
  const count = (shape as readonly number[]).reduce((product, extent) => product * extent, 1);
  const ones = dtype.startsWith('complex') ? Array.from({ length: 2 * count }, (_, at) => 1 - (at % 2)) : new Array<number>(count).fill(1);
  const [result] = interpretProgram(vjpProgram(context, program, [0]), [x, hostValue(dtype, shape as readonly number[], ones)], { operations: fftReference });
  return [...(result!.data as Float64Array)].map((value) => Math.round(value * 1e12) / 1e12 + 0);
}

test('the gradient of a transform with another length has the operand\'s size', () => {
  const x = hostValue('float64', [3], [1, 2, 3]);
  expect(gradient((y) => fft(y, { n: 5 }), x)).toEqual([5, 0, 0]);
  expect(gradient((y) => fft(y, { n: 2 }), x)).toEqual([2, 0, 0]);
  expect(gradient((y) => rfft(y), hostValue('float64', [1], [7]))).toEqual([1]);
});

test('every length and norm is the product with the matrix of roots', () => {
  const line = randomValues('complex128', [6], createRandom(1));
  for (const n of [1, 2, 5, 6, 7, 12]) {
    const padded = Float64Array.from({ length: 2 * n }, (_, at) => (at < 12 ? Number(line.data[at]) : 0));
    for (const [norm, forward, inverse] of [['backward', 1, 1 / n], ['ortho', 1 / Math.sqrt(n), 1 / Math.sqrt(n)], ['forward', 1 / n, 1]] as const satisfies readonly (readonly [Norm, number, number])[]) {
      const [there, back] = runOn(engine, (x) => [fft(x as Operand, { n, norm }), ifft(x as Operand, { n, norm })] as readonly Operand[] as readonly Var[], [line]) as readonly Float64Array[];
      expect(relativeError(there!, naiveDft(padded).map((part) => part * forward)), `fft ${n} ${norm}`).toBeLessThan(1e-15);
      expect(relativeError(back!, naiveDft(padded, true).map((part) => part * inverse)), `ifft ${n} ${norm}`).toBeLessThan(1e-15);
    }
  }
});

test('an operand is as it was after a transform of several axes back to real numbers', () => {
  const z = randomValues('complex128', [4, 4, 3], createRandom(2));
  const [same] = runOn(engine, (x) => [x, irfft(fftn(x as Operand, { axes: [0, 1] }))] as readonly Operand[] as readonly Var[], [z]);
  expect(same).toEqual(z.data);
});

test.each([['fft2', fft2, fftn], ['ifft2', ifft2, ifftn], ['rfft2', rfft2, rfftn], ['irfft2', irfft2, irfftn]] as const)('%s takes the last two axes where axes are absent or undefined, and refuses what are no options', (name, two, any) => {
  const x = parameter(name === 'rfft2' ? 'float64' : 'complex128', [3, 4, 5]);
  const written = (transform: (x: Operand) => Operand): string => printProgram(programOf((y) => transform(y as Operand) as Var, [x.type]));
  const last = written((y) => any(y as never, { axes: [-2, -1] }));
  expect(written((y) => two(y as never))).toBe(last);
  expect(written((y) => two(y as never, { axes: undefined } as never))).toBe(last);
  expect(written((y) => two(y as never, { axes: [0, 1] }))).toBe(written((y) => any(y as never, { axes: [0, 1] })));
  for (const options of [null, 3]) expect(() => two(x as never, options as never)).toThrow(`${name}: options is`);
});

test('a convolution of batches that do not broadcast is refused by name, with the operands\' shapes', () => {
  for (const [name, f] of [['fftConvolve', fftConvolve], ['fftCorrelate', fftCorrelate]] as const) {
    expect(() => f(parameter('float64', [2, 9]), parameter('float64', [3, 4]), { axes: 1 })).toThrow(`${name}: f64[2, 9] and f64[3, 4] do not broadcast along axis 0`);
  }
});

describe('types', () => {
  test('keep the precision, and know what is real', () => {
    expect((rfft(parameter('float64', [6]) ) as Operand).type.key).toBe('c128[4]');
    expect((fft(parameter('float32', [6])) as Operand).type.key).toBe('c64[6]');
    expect((irfft(parameter('complex64', [4]), { n: 7 }) as Operand).type.key).toBe('f32[7]');
    expect((fft(parameter('int32', [2, 3]), { axis: 0 }) as Operand).type.key).toBe('c128[2, 3]');
    const typed: Of<Kind, 'complex64'> = fft(parameter('float32', [6]) as Operand<Kind, 'float32'>);
    expect(typed.type.dtype).toBe('complex64');
  });

  test('follow symbolic sizes', () => {
    expect((fft(parameter('float64', ['n'])) as Operand).type.key).toBe('c128[n]');
    expect((irfft(parameter('complex128', ['h'])) as Operand).type.key).toBe('f64[2*h-2]');
    expect((rfft(parameter('float64', [3]), { n: mulDims(2, symbolicDim('m')) }) as Operand).type.key).toBe('c128[m+1]');
    expect(() => rfft(parameter('float64', ['n']))).toThrow(/rfft: whether the symbolic length n is even is not known/);
  });
});

test('one plan serves all lengths', () => {
  const x = parameter('complex128', ['n']);
  const builder = new Builder();
  const input = builder.input(x.type, 'x');
  const plan = compileProgram(builder.build([ifft(fft(input), { norm: 'ortho' }) as Var]), { kernels: engine.kernels! });
  const executable = engine.compile(plan);
  for (const n of [1, 5, 64, 74, 100]) {
    const { data } = randomValues('complex128', [n], createRandom(n));
    const [y] = executable.run([{ data, shape: [n] }]);
    expect(relativeError((engine.read(y!) as Float64Array).map((part) => part / Math.sqrt(n)), data as Float64Array)).toBeLessThan(1e-14);
  }
  expect(() => executable.run([{ data: new Float64Array(0), shape: [0] }])).toThrow(/length of a transform/);
});

test('an extent of 2·m or 2·m + 1 is solved when it is bound', () => {
  const odd = addDims(mulDims(2, symbolicDim('m')), 1);
  for (const [extent, good, wrong] of [[mulDims(2, symbolicDim('m')), [2, 6, 100], [1, 7]], [odd, [1, 7, 15], [2, 6]]] as const) {
    const builder = new Builder();
    const executable = engine.compile(compileProgram(builder.build([rfft(builder.input(tensorType('float64', [extent]))) as Var]), { kernels: engine.kernels! }));
    for (const n of good) {
      const { data } = randomValues('float64', [n], createRandom(n));
      const [y] = executable.run([{ data, shape: [n] }]);
      expect(relativeError(engine.read(y!) as Float64Array, naiveReal(data as Float64Array)), String(n)).toBeLessThan(1e-14);
    }
    for (const n of wrong) expect(() => executable.run([{ data: new Float64Array(n), shape: [n] }])).toThrow(`must have shape [${dimText(extent)}], got [${n}]`);
  }
});

describe('convolutions of symbolic sizes', () => {
  const filter = tensor([1, 2, 3]);
  const run = (shape: readonly Dim[], f: (x: Operand) => Operand, inputs: readonly (readonly [shape: readonly number[], values: readonly number[]])[]): readonly (readonly number[])[] => {
    const builder = new Builder();
    const program = builder.build([f(builder.input(tensorType('float64', shape), 'x')) as Var]);
    const executable = engine.compile(compileProgram(program, { kernels: engine.kernels! }));
    const bound = program.bound.map(boundInput);
    return inputs.map(([extents, values]) => [...(engine.read(executable.run([{ data: Float64Array.from(values), shape: extents }, ...bound])[0]!) as Float64Array)].map((value) => Math.round(value * 1e12) / 1e12 + 0));
  };

  test('real operands give real numbers, whatever is known of the length', () => {
    const [n, m] = [symbolicDim('n'), symbolicDim('m')];
    for (const convolve of [fftConvolve, fftCorrelate]) {
      for (const [dtype, key] of [['float64', 'f64'], ['float32', 'f32'], ['int32', 'f64'], ['complex64', 'c64']] as const) {
        const builder = new Builder();
        const of = (...shape: readonly Dim[]): Operand => builder.input(tensorType(dtype as 'float64', shape), 'x');
        expect((convolve(of(n), of(m)) as Operand).type.key).toBe(`${key}[m+n-1]`);
        expect((convolve(of(mulDims(2, m)), of(1)) as Operand).type.key).toBe(`${key}[2*m]`);
        expect((convolve(of(n, 4), of(3, 4), { axes: 0 }) as Operand).type.key).toBe(`${key}[n+2, 4]`);
      }
    }
  });

  test('a filter that is a host tensor meets a signal of any length', () => {
    expect(run([symbolicDim('n')], (x) => fftConvolve(x, filter) as Operand, [[[4], [1, 0, 0, 1]], [[1], [2]]])).toEqual([[1, 2, 3, 1, 2, 3], [2, 4, 6]]);
    expect(run([symbolicDim('n')], (x) => fftConvolve(filter, x) as Operand, [[[3], [1, 0, 1]]])).toEqual([[1, 2, 4, 2, 3]]);
    expect(run([symbolicDim('n')], (x) => fftConvolve(x, filter, { mode: 'same' }) as Operand, [[[4], [1, 0, 0, 1]], [[5], [0, 1, 0, 0, 0]]])).toEqual([[2, 3, 1, 2], [1, 2, 3, 0, 0]]);
    expect(run([symbolicDim('n')], (x) => fftCorrelate(x, filter) as Operand, [[[3], [1, 0, 1]]])).toEqual([[3, 2, 4, 2, 1]]);
  });

  test('a length known to be even or odd goes through half spectra', () => {
    for (const [taps, expected] of [[[1, 2, 3], [1, 2, 3, 1, 2, 3]], [[1, 2], [1, 2, 0, 1, 2]]] as const) {
      const f = (x: Operand): Operand => fftConvolve(reshape(x, [-1]), tensor([...taps])) as Operand;
      expect(printProgram(programOf((x) => f(x as Operand) as Var, [parameter('float64', ['m', 2]).type]))).toMatch(/rdft/);
      expect(run([symbolicDim('m'), 2], f, [[[2, 2], [1, 0, 0, 1]]])).toEqual([expected]);
    }
  });

  test('has the gradient of one of known sizes', () => {
    const f = (x: Operand): Operand => fftConvolve(x, filter, { mode: 'same' }) as Operand;
    const cotangent = hostValue('float64', [4], [1, 2, 3, 4]);
    const of = (size: Dim): readonly number[] => {
      const program = vjpProgram(context, programOf((x) => f(x as Operand) as Var, [tensorType('float64', [size])]), [0]);
      const [result] = interpretProgram(program, [hostValue('float64', [4], [1, 1, 1, 1]), cotangent], { operations: fftReference });
      return [...(result!.data as Float64Array)].map((value) => Math.round(value * 1e12) / 1e12);
    };
    expect(of(symbolicDim('n'))).toEqual([8, 14, 20, 11]);
    expect(of(4)).toEqual([8, 14, 20, 11]);
  });
});

test('a kernel that is missing is asked for from this package', () => {
  const operations = fftExtension.operations;
  expect(operations.map((operation) => operation.package)).toEqual(['@tf/fft', '@tf/fft', '@tf/fft']);
  const program = programOf((x) => fft(x as Operand) as Var, [tensorType('complex128', [4])]);
  expect(() => compileProgram(program, { kernels: new Set() })).toThrow("tf.fft.v1.dft: the engine has no kernel for it. Add fftWasm() of '@tf/fft/cpu-wasm': createEngine({ modules: [fftWasm()] }); or fftHost() of '@tf/fft/host'.");
});

test.each<readonly [string, () => unknown, RegExp]>([
  ['a length of 0', () => fft(parameter('float64', [3]), { n: 0 }), /fft: n is number 0; it takes a positive integer/],
  ['an axis of no elements', () => ifft(parameter('float64', [2, 0])), /ifft: axis 1 would have 0 elements/],
  ['one element of a half spectrum', () => irfft(parameter('complex128', [1])), /irfft: axis 0 would have 0 elements/],
  ['an unknown norm', () => fft(parameter('float64', [3]), { norm: 'bogus' as Norm }), /fft: norm is .*bogus.* it takes one of 'backward'/],
  ['lengths and axes that differ in number', () => fftn(parameter('float64', [2, 3]), { s: [2, 2], axes: [0] }), /fftn: 2 lengths in s for 1 axes/],
  ['an axis twice', () => fftn(parameter('float64', [2, 3]), { axes: [0, -2] }), /fftn: axes \[0,-2\] name one axis twice/],
  ['an axis out of range', () => fft(parameter('float64', [3]), { axis: 1 }), /fft: axis 1 is out of range/],
  ['a scalar', () => fft(parameter('float64', [])), /fft: f64\[\] has no axis to transform/],
  ['complex numbers where real ones are wanted', () => rfft(parameter('complex64', [3])), /rfft: takes real numbers, got c64\[3\]. Use fft/],
  ['an option that is not there', () => fft(parameter('float64', [3]), { axes: [0] } as object), /fft: there is no option "axes". Write axis/],
  ['operands of different rank', () => fftConvolve(parameter('float64', [3]), parameter('float64', [3, 1])), /fftConvolve: .* need as many axes/],
  ['neither operand inside the other', () => fftConvolve(parameter('float64', [3, 1]), parameter('float64', [1, 3]), { mode: 'valid' }), /at least as large/],
  ['a half of a symbolic size', () => fftshift(parameter('float64', ['n'])), /^fftshift: whether the symbolic extent n of axis 0 of f64\[n\] is even is not known, so neither is where its middle lies\. Shift an axis whose extent says it: an input of the extent mulDims\(2, symbolicDim/],
  ['a filter of a symbolic size in the mode `same`', () => fftConvolve(parameter('float64', [3]), parameter('float64', ['n']), { mode: 'same' }), /fftConvolve: the mode 'same' needs known sizes of b along the axes/],
  ['a symbolic size in the mode `valid`', () => fftConvolve(parameter('float64', ['n']), tensor([1, 2]), { mode: 'valid' }), /fftConvolve: the mode 'valid' needs known sizes along the axes/],
  ['fewer samples than a segment', () => stft(parameter('float64', [3]), { length: 8, center: false }), /fewer samples than one segment of 8/],
  ['a window of another size', () => stft(parameter('float64', [30]), { length: 8, window: hann(9) }), /the window is f64\[9\]/],
  ['frequencies that are not those of the options', () => istft(parameter('complex128', [3, 5]), { length: 7 }), /must be \[..., segments, 4\]/],
  ['no count of frequencies', () => fftfreq(0), /fftfreq: n is number 0; it takes a positive integer/],
])('%s is an error that says what to do', (_name, f, message) => {
  expect(f).toThrow(message);
});

test('frequencies are those of NumPy', () => {
  expect(fftfreq(5, 0.1).toArray()).toEqual([0, 2, 4, -4, -2]);
  expect(fftfreq(4).toArray()).toEqual([0, 0.25, -0.5, -0.25]);
  expect(rfftfreq(5, 0.2).toArray()).toEqual([0, 1, 2]);
  expect(rfftfreq(6, 1, { dtype: 'float32' }).type.key).toBe('f32[4]');
});

test('windows are symmetric or periodic', () => {
  expect(hann(5, { periodic: false }).toArray()).toEqual([0, 0.5, 1, 0.5, 0]);
});

test('a window of one point is 1, periodic or symmetric, and a segment of one sample is that sample', () => {
  for (const window of [hann, hamming, blackman, blackmanHarris, bartlett]) {
    for (const periodic of [true, false]) expect(window(1, { periodic }).toArray(), `${window.name}, periodic: ${periodic}`).toEqual([1]);
  }
  const x = hostValue('float64', [3], [1, 2, 3]);
  const [spectra, back] = runOn(engine, (y) => [stft(y as Operand, { length: 1 }), istft(stft(y as Operand, { length: 1 }), { length: 1 })] as readonly Operand[] as readonly Var[], [x]);
  expect([...(spectra as Float64Array)]).toEqual([1, 0, 2, 0, 3, 0]);
  expect([...(back as Float64Array)]).toEqual([1, 2, 3]);
});

describe('rules that are wrong on purpose are rejected by the law that they break', () => {
  const wrong = (name: 'dft' | 'rdft' | 'hdft', transpose: NonNullable<Extract<Extension['rules'][string], { kind: 'rule' }>['transpose']>): Extension => ({
    ...fftExtension,
    rules: { ...fftExtension.rules, [name]: { kind: 'rule', linear: { inputs: [0], how: 'together' }, transpose, batch: 'leading' } },
  });
  const lawsOf = async (extension: Extension, f: (x: Operand) => Operand, input: ReturnType<typeof hostValue>): Promise<readonly string[]> => {
    const broken = await brokenExtensionLaws({ extension, cases: [{ name: 'twin', f: (x) => f(x as Operand) as Var, inputs: [input] }], operations: fftReference });
    return [...new Set(broken.map(({ law }) => law))];
  };
  const line = randomValues('complex128', [5], createRandom(3));
  const real = randomValues('float64', [6], createRandom(4));
  const half = randomValues('complex128', [4], createRandom(5));

  test('a transpose that forgets the conjugate', async () => {
    const f = (x: Operand): Operand => dft(x, -1, false);
    expect(await lawsOf(wrong('dft', (_ctx, [ct]) => [ct === undefined ? undefined : (dft(ct, -1, false) as Var)]), f, line)).toContain('adjoint');
    expect(await lawsOf(fftExtension, f, line)).toEqual([]);
  });

  test('half spectra without weights', async () => {
    const f = (x: Operand): Operand => rfft(x);
    expect(await lawsOf(wrong('rdft', (_ctx, [ct]) => [ct === undefined ? undefined : (hdft(ct, -1, 6) as Var)]), f, real)).toContain('adjoint');
    expect(await lawsOf(fftExtension, f, real)).toEqual([]);
  });

  test('weights that take an even length for an odd one', async () => {
    const f = (x: Operand): Operand => irfft(x, { n: 6, norm: 'forward' });
    const odd = fftExtension.rules['hdft'] as Extract<Extension['rules'][string], { kind: 'rule' }>;
    expect(await lawsOf(wrong('hdft', (ctx, cts) => odd.transpose!({ ...ctx, params: { axis: -1, n: 7 } }, cts)), f, half)).toContain('adjoint');
    expect(await lawsOf(fftExtension, f, half)).toEqual([]);
  });
});
