import { eagerSource, nativeEagerSource } from './contenders/eager.ts';
import { fftJsSource } from './contenders/fft-js.ts';
import { jaxJsSource } from './contenders/jax-js.ts';
import { jsPytorchSource } from './contenders/js-pytorch.ts';
import { limitSource } from './contenders/limit.ts';
import { mlMatrixSource } from './contenders/ml-matrix.ts';
import { numpyTsSource } from './contenders/numpy-ts.ts';
import { pythonSource } from './contenders/python.ts';
import { tfjsSource } from './contenders/tfjs.ts';
import { nativeTracedSource, tracedSource } from './contenders/traced.ts';
import type { ContenderSource } from './contender.ts';

/** Always there. */
export const ownSources: readonly ContenderSource[] = [tracedSource, eagerSource, limitSource];

/** Named by `--peers`. */
export const peerSources: readonly ContenderSource[] = [nativeTracedSource, nativeEagerSource, jaxJsSource, tfjsSource, numpyTsSource, mlMatrixSource, jsPytorchSource, fftJsSource, pythonSource('numpy'), pythonSource('jax'), pythonSource('torch')];
