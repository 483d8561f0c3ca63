/** The native CPU engine: `createEngine()` gives an `Engine` of @tf/core's contract. */
export { type CpuBlasNativeEngine, createEngine, createEngineSync } from './engine.ts';
export type { LibraryFacts } from './addon.ts';
export type { NativeKernel, NativeModule } from './native-module.ts';
export type { EngineOptions } from './options.ts';
