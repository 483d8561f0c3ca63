/** An image from its blurred and noisy copy, by the gradient of one objective through Fourier transforms. */
import { abs, AdContext, conj, createCatalog, div, type Engine, type HostTensor, mul, normal, randomKey, roll, sqrt, square, sub, sum, tensor } from '@tf/core';
import { fftExtension, irfft2, rfft2 } from '@tf/fft';
import { minimize } from '@tf/optim';
import { jit, type Jitted, type TracedTensor, valueAndGrad } from '@tf/traced';
import type { GreyImage } from './scene.ts';

type T = TracedTensor<'float64'>;
type Spectrum = TracedTensor<'complex128'>;

/** The circular convolution: a product of spectra. `transfer` is the spectrum of the blur. */
export function blur(x: T, transfer: Spectrum): T {
  return irfft2(mul(rfft2(x), transfer), { s: x.type.shape as readonly number[] });
}

/** From each pixel to its right and to its lower neighbour; the image goes around at its edges. */
export function differences(x: T): readonly [right: T, down: T] {
  return [sub(roll(x, -1, 1), x), sub(roll(x, -1, 0), x)];
}

/**
 * What an edge costs is its height, however sharp it is, so that noise is dear and edges are not (Rudin, Osher & Fatemi 1992). The root
 * is rounded at 0 over `rounding`.
 */
export function totalVariation(x: T, rounding: number): T {
  const [right, down] = differences(x);
  return sum(sqrt(square(right).add(square(down)).add(rounding ** 2)));
}

/** The same with squares, which blunts edges: the term of Tikhonov, whose minimum is a formula. */
export function roughness(x: T): T {
  const [right, down] = differences(x);
  return sum(square(right).add(square(down))).mul(0.5);
}

/** ½ ‖blur(x) − seen‖². */
export function misfit(x: T, transfer: Spectrum, seen: T): T {
  return sum(square(sub(blur(x, transfer), seen))).mul(0.5);
}

export type Penalty = 'total variation' | 'squares';

/** An image that a search has reached. */
export interface Restored {
  readonly image: GreyImage;
  readonly iterations: number;
  readonly converged: boolean;
  /** ½ ‖blur(x) − seen‖² and the penalty. */
  readonly value: number;
}

export interface SearchOptions {
  readonly penalty: Penalty;
  readonly weight: number;
  readonly maxIterations: number;
  /** Sees each image that is tried. */
  readonly onEvaluation?: (values: Float64Array) => void | Promise<void>;
}

export interface Camera {
  /** The image that a camera with this blur and noise takes. */
  readonly photograph: (image: GreyImage, noise: number, seed: number) => Promise<GreyImage>;
  /** What the blur does to an image, without noise. */
  readonly blurred: (image: GreyImage) => Promise<GreyImage>;
  /** The image of the least misfit and penalty, by L-BFGS from the photograph. */
  readonly restore: (seen: GreyImage, options: SearchOptions) => Promise<Restored>;
  /** The minimum for the penalty of squares: conj(k)·ŷ/(|k|² + weight·|d|²), d the spectrum of differences. */
  readonly restoreByFormula: (seen: GreyImage, weight: number) => Promise<GreyImage>;
}

const penalties: Readonly<Record<Penalty, (x: T) => T>> = { 'total variation': (x) => totalVariation(x, 1e-3), squares: roughness };

type SlopeProgram = Jitted<[x: T, transfer: Spectrum, seen: T, weight: T], readonly [T, T]>;

/** The compiled programs for images of the size of a blur. */
export function createCamera(engine: Engine, kernel: GreyImage): Camera {
  const { width, height } = kernel;
  const options = { engine, context: new AdContext({ catalog: createCatalog([fftExtension]) }) };
  const shape = [height, width];
  const read = (image: GreyImage): HostTensor<'float64'> => tensor(image.values, { shape });
  const written = async (x: { data(): Promise<Float64Array> }): Promise<GreyImage> => ({ width, height, values: await x.data() });
  const transfer = jit((x: T) => rfft2(x), options)(read(kernel));
  const blurred = jit((x: T, k: Spectrum) => blur(x, k), options);
  const noisy = jit((x: T, noise: T, key: TracedTensor<'int32'>) => x.add(normal(key, shape).mul(noise)), options);
  const formula = jit((point: T, k: Spectrum, seen: T, weight: T) => tikhonov(point, k, seen, weight), options);
  const slopeOf = (penalty: (x: T) => T): SlopeProgram => {
    const objective = (x: T, k: Spectrum, seen: T, weight: T): T => misfit(x, k, seen).add(penalty(x).mul(weight));
    return jit((x: T, k: Spectrum, seen: T, weight: T) => valueAndGrad(objective)(x, k, seen, weight), options);
  };
  const slopes = { 'total variation': slopeOf(penalties['total variation']), squares: slopeOf(penalties.squares) };
  return {
    blurred: (image) => written(blurred(read(image), transfer)),
    photograph: async (image, noise, seed) => written(noisy(blurred(read(image), transfer), tensor(noise), randomKey(seed))),
    async restore(seen, { penalty, weight, maxIterations, onEvaluation }) {
      const [given, strength] = [read(seen), tensor(weight)];
      const { parameters, iteration, converged, value } = await minimize(async (x: HostTensor<'float64'>) => {
        await onEvaluation?.(await x.data());
        return slopes[penalty](x, transfer, given, strength);
      }, given, { maxIterations, gradientTolerance: 1e-7 });
      return { image: await written(parameters), iterations: iteration, converged, value };
    },
    restoreByFormula: (seen, weight) => written(formula(tensor(Float64Array.from(seen.values, (_, at) => Number(at === 0)), { shape }), transfer, read(seen), tensor(weight))),
  };
}

/** Where the gradient of misfit and roughness is 0. `point` is an image of one white pixel: its differences have the spectrum d. */
function tikhonov(point: T, transfer: Spectrum, seen: T, weight: T): T {
  const [right, down] = differences(point).map((image) => square(abs(rfft2(image)))) as [T, T];
  const scale = square(abs(transfer)).add(right.add(down).mul(weight));
  return irfft2(div(mul(conj(transfer), rfft2(seen)), scale), { s: point.type.shape as readonly number[] });
}

/** Decibels by which white is above the root mean square of the differences between two images. */
export function peakSignalToNoise(image: GreyImage, truth: GreyImage): number {
  const total = image.values.reduce((all, value, at) => all + (value - truth.values[at]!) ** 2, 0);
  return -10 * Math.log10(total / image.values.length);
}
