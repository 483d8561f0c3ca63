/** The WebAssembly engine: `createEngine()` gives an `Engine` of @tf/core's contract. */
export { type CpuWasmEngine, createEngine, createEngineSync, type EngineOptions, type MemoryOptions } from './engine.ts';
export type { MemoryFigures, MemoryKinds, MemoryReport } from './memory/report.ts';
