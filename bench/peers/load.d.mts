export type PeerName = '@jax-js/jax' | '@tensorflow/tfjs' | '@tensorflow/tfjs-backend-wasm' | 'fft.js' | 'js-pytorch' | 'ml-matrix' | 'numpy-ts';
export function load(name: PeerName): Promise<unknown>;
export function locate(path: string): string;
