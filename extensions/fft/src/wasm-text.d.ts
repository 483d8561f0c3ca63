/** What scripts/kernels.mjs writes beside each name.wasm, where it has not written it yet. */
declare module '*.wasm.mjs' {
  export const code: () => Promise<Uint8Array>;
}
