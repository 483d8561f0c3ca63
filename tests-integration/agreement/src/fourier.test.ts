import { AdContext, conj, createCatalog, mul, type Operand, real, sum, tensor } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { fft, fft2, fftConvolve, fftExtension, irfft, rfft, stft } from '@tf/fft';
import { fftWasm } from '@tf/fft/cpu-wasm';
import { fftHost } from '@tf/fft/host';
import { createReferenceEngine, reportPresence } from '@tf/testkit';
import { evaluate, grad, hvp, jit, vmap } from '@tf/traced';
import { describe, expect, test } from 'vitest';
import { expectSameBits, type F64, fftPresence, flat, type OfOne } from './families.testing.ts';

const context = new AdContext({ catalog: createCatalog([fftExtension]) });
const engines = [
  ['kernels in JavaScript', await createEngine({ modules: [fftHost()] })],
  ...(reportPresence({ it: test }, fftPresence) ? [['kernels in WebAssembly', await createEngine({ modules: [fftWasm()] })] as const] : []),
] as const;
const [, wasm] = engines[engines.length - 1] as (typeof engines)[number];
const reference = createReferenceEngine({ modules: [fftHost()] });

const power = (z: Operand): Operand => real(mul(conj(z), z));
const kernel = tensor([0.5, 1, -0.25]);
const losses: readonly (readonly [string, (x: Operand) => Operand])[] = [
  ['the power of a spectrum, squared', (x) => sum(mul(power(fft(x)), power(fft(x))) as Operand)],
  ['half a spectrum of odd length', (x) => sum(mul(power(rfft(x, { n: 5 })), 0.5) as Operand)],
  ['a filter', (x) => sum(mul(irfft(mul(rfft(x), rfft(x)) as Operand, { n: 6 }), x) as Operand)],
  ['a convolution', (x) => sum(mul(fftConvolve(x, kernel), fftConvolve(x, kernel)) as Operand)],
  ['segments', (x) => sum(power(stft(x, { length: 4, hop: 2 })))],
];
const data = tensor([0.5, -0.25, 1, 2, -1.5, 0.75]);
const direction = tensor([1, 0, -1, 0.5, 2, 0]);

describe.each(engines)('%s', (_kernels, engine) => {
  test.each(losses)('%s: the same bits and gradients of two orders traced and eager', (_name, f) => expectSameBits({ f, data, direction, context, engine, reference, digits: 11, together: true }));
});

test('a spectrum runs under jit, over a batch, and its Hessian times a vector is right', () => {
  const batch = tensor([[1, 2, 0, -1], [3, -4, 1, 0]]);
  const compiled = jit(vmap((x: F64) => power(rfft(x)) as F64, { context }), { engine: wasm, context });
  expect(flat(compiled(batch))).toEqual(flat(evaluate(power(rfft(batch)) as F64, wasm)));
  // Σ|X|² over the whole spectrum is n·Σx².
  const energy = ((x: F64) => sum(power(fft(x)))) as OfOne;
  const along = evaluate(hvp(energy, [tensor([1, 2, 3])], [tensor([1, 0, -1])], { context })[0] as F64, wasm);
  flat(along).forEach((value, at) => expect(value).toBeCloseTo([6, 0, -6][at] as number, 12));
});

test('a transform of two axes is that of one after the other', () => {
  const x = tensor([[1, 2, 3], [4, 5, 7]]);
  const [both, apart] = evaluate([fft2(x), fft(fft(x, { axis: 1 }), { axis: 0 })], wasm);
  expect(both!.toArray()).toEqual(apart!.toArray());
});

test('what is not registered is the same error in both modes, and names what to register', async () => {
  const bare = await createEngine();
  const failure = (run: () => unknown): readonly unknown[] => {
    try {
      run();
    } catch (error) {
      const { name, code, message } = error as { readonly name: string; readonly code: string; readonly message: string };
      return [name, code, message.includes('tf.fft.v1')];
    }
    return [];
  };
  const runtime = new EagerRuntime();
  const noKernel = [failure(() => evaluate(fft(data), bare)), failure(() => runtime.session(bare, () => flat(fft(runtime.constant(data)))))];
  const noRule = [failure(() => evaluate(grad(losses[0]![1] as unknown as OfOne)(data), wasm)), failure(() => runtime.session(wasm, () => runtime.backward(losses[0]![1](runtime.variable(data)) as never)))];
  expect(noKernel).toEqual([['UnregisteredFamilyError', noKernel[0]![1], true], noKernel[0]]);
  expect(noRule).toEqual([['UnregisteredFamilyError', noRule[0]![1], true], noRule[0]]);
});
