import { checkOptions, type ComplexOf, type Dim, type DType, type Kind, normaliseAxis, type Of, type Operand, requireOperand, TfError } from '@tf/core';
import { type Direction, fitted, normalised, withComplexes } from './arrange.ts';
import { dft } from './dft.ts';
import { fftChecks, type FftOptions, type Norm, requireElements } from './options.ts';

/** One axis transformed. `x` is complex and has the axis. */
export function complexAlong(op: string, x: Operand, axis: number, n: Dim | undefined, direction: Direction, norm: Norm | undefined): Operand {
  const { shape } = x.type;
  const length = n ?? (shape[axis] as Dim);
  requireElements(op, length, axis);
  return normalised(dft(fitted(x, axis, length), axis - shape.length, direction === 'inverse'), length, direction, norm);
}

/** Refuses what is no tensor with an axis, and options that are none; gives the axis from the beginning. */
export function requireTransform(op: string, x: Operand, options: FftOptions): number {
  requireOperand(op, 'x', x);
  checkOptions(op, options, fftChecks, `${op}(x, { n, axis, norm })`);
  if (x.type.shape.length === 0) throw new TfError('AxisError', `${op}: ${x.type.key} has no axis to transform. Give it one: reshape(x, [1]).`, { op, argument: 'axis' });
  return normaliseAxis(op, options.axis ?? -1, x.type.shape.length);
}

function transformed(op: string, x: Operand, options: FftOptions, direction: Direction): Operand {
  const axis = requireTransform(op, x, options);
  return complexAlong(op, withComplexes(x), axis, options.n, direction, options.norm);
}

/**
 * The discrete Fourier transform along an axis: X_k = Σ_j x_j e^{−2πijk/n}. Any length; complex64 of float32 and complex64, else
 * complex128. Linear, and its own derivative.
 *
 * @throws ShapeError for a length below 1, AxisError, ArgumentError for another norm.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { fft } from '@tf/fft';
 * import { fftHost } from '@tf/fft/host';
 * import { evaluate } from '@tf/traced';
 * const engine = await createEngine({ modules: [fftHost()] });
 * console.log(evaluate(fft(tensor([1, 3])), engine).toArray()); // → [ { re: 4, im: 0 }, { re: -2, im: 0 } ]
 */
export function fft<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftOptions = {}): Of<K, ComplexOf<D>> {
  return transformed('fft', x, options, 'forward') as Of<K, ComplexOf<D>>;
}

/**
 * The inverse of {@link fft} along an axis: x_j = Σ_k X_k e^{2πijk/n}/n. Errors as there.
 */
export function ifft<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftOptions = {}): Of<K, ComplexOf<D>> {
  return transformed('ifft', x, options, 'inverse') as Of<K, ComplexOf<D>>;
}
