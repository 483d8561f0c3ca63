/** The WebAssembly engine: `createEngine()` gives an `Engine` of @tf/core's contract. */
export { createEngine, createEngineSync, type EngineOptions, type MemoryOptions } from './engine.ts';
