/** What scripts/kernels.mjs writes beside each name.wasm. */
declare module '*.wasm.mjs' {
  export const code: () => Promise<Uint8Array>;
}
