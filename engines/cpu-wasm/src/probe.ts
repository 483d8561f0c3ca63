import { TfError } from '@tf/core';

/** `(func (result v128) i32.const 0 i8x16.splat)`: the smallest module that needs SIMD128. */
const simdModule: readonly number[] = [
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b, 0x03, 0x02, 0x01, 0x00, 0x0a, 0x08, 0x01, 0x06, 0x00,
  0x41, 0x00, 0xfd, 0x0f, 0x0b,
];

/** Compiles a module as the engine will, so that a page's policy speaks up before anything else happens. */
export function requireWebAssembly(): void {
  if (typeof WebAssembly === 'undefined') {
    throw unavailable('this JavaScript engine has no WebAssembly. Use a current browser or Node 20, or another tf engine.');
  }
  const bytes = Uint8Array.from(simdModule);
  if (!WebAssembly.validate(bytes)) throw unavailable('this WebAssembly has no SIMD (128 bit). Use a current browser or Node 20.');
  try {
    new WebAssembly.Module(bytes);
  } catch (cause) {
    throw unavailable(`compiling WebAssembly was refused (${String(cause)}). A page's Content-Security-Policy must allow it: add 'wasm-unsafe-eval' to script-src.`, cause);
  }
}

function unavailable(why: string, cause?: unknown): TfError {
  return new TfError('EngineUnavailableError', `cpu-wasm: ${why}`, { engine: 'cpu-wasm' }, cause === undefined ? undefined : { cause });
}
