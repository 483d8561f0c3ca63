/** Engines: where plans run. Types only. */
import type { DType, TypedArray } from '../types/dtype.ts';
import type { Plan } from './plan.ts';
import type { Contract } from './program.ts';

/** A value in an engine's memory, row-major and contiguous. It stays valid until disposed, whatever the engine does. */
export interface DeviceBuffer {
  readonly engine: Engine;
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly disposed: boolean;
  /** Whether it was disposed because a run took it: see {@link RunOptions}. */
  readonly donated?: boolean;
  /** Gives the memory back; a second call does nothing. */
  dispose(): void;
}

/** An input of a run: a value on the engine, data on the host, or a scalar. */
export type EngineInput = DeviceBuffer | { readonly data: TypedArray; readonly shape: readonly number[] } | number;

/** What a run needs of an `AbortSignal`. */
export interface RunSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface RunOptions {
  /**
   * Inputs, by index, whose buffers the caller gives up: the outputs may take their memory. They are disposed once the run
   * has begun, even if it fails then; a run that is refused before (shapes, dtypes, memory) leaves them as they are. What
   * is no buffer is given up anyway.
   */
  readonly donate?: readonly number[];
  /** Ends `runAsync` between two steps of the plan, with the signal's reason; an engine that cannot looks at it before it begins. */
  readonly signal?: RunSignal;
}

export interface Executable {
  readonly plan: Plan;
  /** Runs the whole plan; the outputs are new buffers, owned by the caller. An engine may leave donated buffers to their caller, who disposes what is not disposed. */
  run(inputs: readonly EngineInput[], options?: RunOptions): readonly DeviceBuffer[];
  /**
   * Loads and compiles what a run needs, without blocking; where the engine could not do that in `compile`, `run` is a
   * `ModuleNotLoadedError` before. Absent: there is never anything to do.
   */
  prepare?(): Promise<void>;
  /** Prepares and runs, without blocking where the engine can. Absent: as `prepare`, then `run`. */
  runAsync?(inputs: readonly EngineInput[], options?: RunOptions): Promise<readonly DeviceBuffer[]>;
}

export interface EngineInfo {
  readonly name: string;
  readonly version: string;
  readonly dtypes: readonly DType[];
  readonly threads: number;
  readonly sharedMemory: boolean;
  /** What bitwise equality depends on, e.g. `wasm-simd128`. */
  readonly numerics: string;
}

export interface EngineStats {
  /** Code modules generated since the engine was created. */
  readonly modulesCompiled: number;
  /** Plans compiled, cache hits not counted. */
  readonly plansCompiled: number;
  readonly bytesInUse: number;
  readonly bytesReserved: number;
  readonly liveBuffers: number;
}

/** Where plans run. */
export interface Engine {
  readonly contract: Contract;
  readonly info: EngineInfo;
  readonly disposed: boolean;
  /** Symbols of the kernels that its execution modules have; absent: none. It never changes. */
  readonly kernels?: ReadonlySet<string>;
  stats(): EngineStats;
  /** Equal plans (by value) give the same executable. */
  compile(plan: Plan): Executable;
  upload(dtype: DType, shape: readonly number[], data: TypedArray): DeviceBuffer;
  /** A copy of the values. */
  read(buffer: DeviceBuffer): TypedArray;
  dispose(): void;
}
