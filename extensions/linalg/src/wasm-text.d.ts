/** What scripts/kernels.mjs writes beside each name.wasm. */
declare module '*.wasm.mjs' {
  const code: () => Promise<Uint8Array>;
  export default code;
}
