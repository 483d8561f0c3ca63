/** Phase retrieval from coded diffraction patterns: what a camera sees of light is how bright its Fourier transform is, not its phase. */
import { abs, AdContext, complex, cos, createCatalog, div, type Engine, fori, type HostTensor, mean, mul, normal, randint, randomKey, type ResidentTensor, sin, sqrt, square, sum } from '@tf/core';
import { fft2, fftExtension } from '@tf/fft';
import { minimize, type MinimizeResult, type MinimizeStep } from '@tf/optim';
import { grad, jit, type TracedTensor, valueAndGrad } from '@tf/traced';

type Real = TracedTensor<'float64'>;
type Complex = TracedTensor<'complex128'>;
type Key = TracedTensor<'int32'>;
export type HostImage = HostTensor<'complex128'>;

export interface RetrievalSettings {
  /** Rows and columns of the image. */
  readonly size: number;
  /** How many patterns are taken, each behind another mask. */
  readonly masks: number;
  /** Of the pseudo-random masks. */
  readonly seed: number;
}

/** Masks of random phases 1, i, −1, −i, [masks, size, size]. */
function randomMasks(key: Key, { masks, size }: RetrievalSettings): Complex {
  const turns = randint(key, [masks, size, size], 0, 4).mul(Math.PI / 2);
  return complex(cos(turns), sin(turns)) as Complex;
}

/** |F(mask · x)|² for each mask. */
export function patterns(x: Complex, masks: Complex): Real {
  return square(abs(fft2(mul(masks, x), { axes: [-2, -1], norm: 'ortho' })));
}

/** How far the patterns of z are from those that were seen, relative to their brightness. */
export function misfit(z: Complex, masks: Complex, seen: Real): Real {
  return div(mean(square(patterns(z, masks).sub(seen))), square(mean(seen)));
}

/**
 * Where to begin (Candès, Li & Soltanolkotabi, IEEE Trans. Inf. Theory 61, 1985 (2015)): the leading eigenvector of z ↦ Σ D*F*(seen · F D z), by power
 * iteration. That map is half the gradient of Σ seen · |F D z|², so nobody writes the adjoint of anything.
 */
export function spectralStart(key: Key, masks: Complex, seen: Real, context: AdContext): Complex {
  const shape = masks.type.shape.slice(-2);
  const overlap = (z: Complex): Real => sum(mul(patterns(z, masks), seen));
  const unit = (z: Complex): Complex => div(z, sqrt(sum(square(abs(z)))));
  const first = unit(complex(normal(key, shape), 1) as Complex);
  const leading = fori(40, (_at, z: Complex) => unit(grad(overlap, { context })(z)), first);
  // Masks and transform keep the length of x, so the patterns of one mask add up to |x|².
  return leading.mul(sqrt(div(sum(seen), masks.type.shape[0] as number)));
}

export interface Retrieval {
  /** The patterns of an image, as the camera would see them. */
  measure(image: HostImage): ResidentTensor<'float64'>;
  /** An image with these patterns, up to a phase that all its points share: no pattern shows it. `onStep` also gets the image looked at last. */
  recover(seen: ResidentTensor<'float64'>, maxIterations: number, onStep: (step: MinimizeStep, z: HostImage) => unknown): Promise<MinimizeResult<HostImage>>;
}

/** The loss is real and the image complex: its gradient is ∂L/∂Re + i·∂L/∂Im, against which L-BFGS goes down. */
export function createRetrieval(engine: Engine, settings: RetrievalSettings): Retrieval {
  const context = new AdContext({ catalog: createCatalog([fftExtension]) });
  const masks = jit((key: Key) => randomMasks(key, settings), { engine })(randomKey(settings.seed));
  const measure = jit(patterns, { engine, name: 'patterns' });
  const begin = jit((key: Key, m: Complex, y: Real) => spectralStart(key, m, y, context), { engine, context, name: 'start' });
  const slopes = jit(valueAndGrad(misfit, { context }), { engine, context, name: 'misfit' });
  return {
    measure: (image) => measure(image, masks),
    recover(seen, maxIterations, onStep) {
      let latest: HostImage | undefined;
      const watched = (z: HostImage): ReturnType<typeof slopes> => {
        latest = z;
        return slopes(z, masks, seen);
      };
      const start = begin(randomKey(settings.seed + 1), masks, seen);
      return minimize(watched, start as unknown as HostImage, { gradientTolerance: 1e-12, valueTolerance: 0, maxIterations, onStep: (step) => onStep(step, latest as HostImage) });
    },
  };
}
