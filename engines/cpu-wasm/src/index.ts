/** The WebAssembly engine: `createEngine()` gives an `Engine` of @tf/core's contract. */
export { type CpuWasmEngine, createEngine, createEngineSync } from './engine.ts';
export { codeUrl } from './kernels/sources.ts';
export type { CodeSource, WasmKernel, WasmModule } from './kernels/wasm-module.ts';
export type { EngineOptions, MemoryOptions } from './options.ts';
export type { MemoryFigures, MemoryKinds, MemoryReport } from './memory/report.ts';
