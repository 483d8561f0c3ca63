// The libraries of families are compiled with the sanitizers of the engine that opens them.
export { isSanitized, withSanitizers } from '../engines/cpu-blas-native/native/sanitizers.mjs';
