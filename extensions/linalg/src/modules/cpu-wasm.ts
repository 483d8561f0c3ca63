/** Kernels in WebAssembly SIMD, for the engine `cpu-wasm`: LAPACK's algorithms, one module for each dtype. */
import { contractVersion } from '@tf/core';
import type { CodeSource, WasmKernel, WasmModule } from '@tf/engine-cpu-wasm';
import { compiledDTypes, compiledNames, failingOf, type LinalgDType } from '../compiled.ts';
import { kernelSymbol, linalgFamily } from '../family.ts';
import { linalgVersion } from '../version.ts';

export type { LinalgDType } from '../compiled.ts';

function kernelsOf(dtype: LinalgDType): Readonly<Record<string, WasmKernel>> {
  return Object.fromEntries(compiledNames(dtype).map((name): [string, WasmKernel] => [kernelSymbol(name, dtype), { export: name, ...failingOf(name) }]));
}

/** One expression each, so that bundlers copy the files that are used; those that copy none take in the text, which is loaded only there. */
const codes: Readonly<Record<LinalgDType, readonly CodeSource[]>> = {
  float64: [() => new URL('../../wasm/linalg-float64.wasm', import.meta.url), () => import('../../wasm/linalg-float64.wasm.mjs').then(unpacked)],
  float32: [() => new URL('../../wasm/linalg-float32.wasm', import.meta.url), () => import('../../wasm/linalg-float32.wasm.mjs').then(unpacked)],
  complex128: [() => new URL('../../wasm/linalg-complex128.wasm', import.meta.url), () => import('../../wasm/linalg-complex128.wasm.mjs').then(unpacked)],
  complex64: [() => new URL('../../wasm/linalg-complex64.wasm', import.meta.url), () => import('../../wasm/linalg-complex64.wasm.mjs').then(unpacked)],
};

function unpacked({ code }: { readonly code: () => Promise<Uint8Array> }): Promise<Uint8Array> {
  return code();
}

/**
 * Kernels of the family in WebAssembly: for `createEngine({ modules: [...linalgWasm()] })` of `@tf/engine-cpu-wasm`. Each dtype has code of
 * its own, which is loaded where it is asked for: `linalgWasm('float64')`. LAPACK's results do not depend on what else is in the batch.
 *
 * @param dtypes For which; for all when none is named.
 * @example
 * import { linalgWasm } from '@tf/linalg/cpu-wasm';
 * if (linalgWasm('float64', 'complex128').length !== 2 || linalgWasm().length !== 4) throw new Error('unexpected');
 */
export function linalgWasm(...dtypes: readonly LinalgDType[]): readonly WasmModule[] {
  return (dtypes.length === 0 ? compiledDTypes : [...new Set(dtypes)]).map((dtype): WasmModule => ({
    contract: contractVersion,
    family: linalgFamily,
    package: '@tf/linalg',
    version: linalgVersion,
    engine: 'cpu-wasm',
    code: codes[dtype],
    kernels: kernelsOf(dtype),
  }));
}
