// Peers are imported from here, where `pnpm bench` installs them; nothing is imported before it is asked for.
import { createRequire } from 'node:module';

const imports = {
  '@jax-js/jax': () => import('@jax-js/jax'),
  '@tensorflow/tfjs': () => import('@tensorflow/tfjs'),
  '@tensorflow/tfjs-backend-wasm': () => import('@tensorflow/tfjs-backend-wasm'),
  'fft.js': () => import('fft.js'),
  'js-pytorch': () => import('js-pytorch'),
  'ml-matrix': () => import('ml-matrix'),
  'numpy-ts': () => import('numpy-ts'),
};

/** The module of a peer. */
export const load = (name) => imports[name]();

/** Where a file of a peer lies. */
export const locate = (path) => createRequire(import.meta.url).resolve(path);
