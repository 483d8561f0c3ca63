import * as Plot from '@observablehq/plot';
import * as core from '@tf/core';
import * as eager from '@tf/eager';
import * as einsum from '@tf/einsum';
import * as engine from '@tf/engine-cpu-wasm';
import * as fft from '@tf/fft';
import * as fftWasm from '@tf/fft/cpu-wasm';
import * as linalg from '@tf/linalg';
import * as linalgHost from '@tf/linalg/host';
import * as linalgWasm from '@tf/linalg/cpu-wasm';
import * as optim from '@tf/optim';
import * as traced from '@tf/traced';

/** What a program may import. */
export const modules: Readonly<Record<string, object>> = Object.freeze({
  '@observablehq/plot': Plot,
  '@tf/core': core,
  '@tf/eager': eager,
  '@tf/einsum': einsum,
  '@tf/engine-cpu-wasm': engine,
  '@tf/fft': fft,
  '@tf/fft/cpu-wasm': fftWasm,
  '@tf/linalg': linalg,
  '@tf/linalg/cpu-wasm': linalgWasm,
  '@tf/linalg/host': linalgHost,
  '@tf/optim': optim,
  '@tf/traced': traced,
});

/** An engine with the kernels of every family. */
export function createFullEngine(): Promise<engine.CpuWasmEngine> {
  return engine.createEngine({ modules: [fftWasm.fftWasm(), ...linalgWasm.linalgWasm(), linalgHost.linalgHost()] });
}

/** The rules of every family. */
export function createFullContext(): core.AdContext {
  return new core.AdContext({ catalog: core.createCatalog([einsum.einsumExtension, fft.fftExtension, linalg.linalgExtension]) });
}
