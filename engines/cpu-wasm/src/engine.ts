import { BoundedCache, contractVersion, type DeviceBuffer, type DType, type Engine, type EngineInfo, type EngineStats, type Executable, execution, type Plan, type RegisteredKernel, registerModules, type TypedArray } from '@tf/core';
import { CodeCache } from './codegen/code-cache.ts';
import { supportedDTypes } from './codegen/storage.ts';
import { defaultOptions, defaultTuning } from './defaults.ts';
import { type ExecutableOwner, WasmExecutable } from './executable.ts';
import { ARENA_GAP_BYTES } from './guarded-run.ts';
import { Kernels } from './kernels/kernels.ts';
import { type CompiledModule, loadModules, loadModulesSync, requireCode } from './kernels/load.ts';
import { isWasmKernel, isWasmModule, type WasmModule } from './kernels/wasm-module.ts';
import { WasmBuffer } from './memory/buffer.ts';
import { Device } from './memory/device.ts';
import { sharesMemory } from './memory/heap.ts';
import type { MemoryReport } from './memory/report.ts';
import { readArray, readCopy, writeArray } from './memory/transfer.ts';
import { checkOptions, type EngineOptions } from './options.ts';
import type { LayoutOptions } from './plan/layout.ts';
import { planRoutines } from './plan/routines.ts';
import { requireWebAssembly } from './probe.ts';
import { splitLimits } from './plan/splits.ts';
import { StepCosts } from './plan/step-cost.ts';
import { chooseThreads, type ThreadChoice } from './threads/choice.ts';
import type { Pool } from './threads/pool.ts';
import type { Tuning } from './tuning.ts';
import { engineVersion } from './version.ts';

/** What every engine says of itself, and why this one has a single thread, where it has. */
export interface CpuWasmInfo extends EngineInfo {
  /** Undefined where there are several threads. */
  readonly oneThread: string | undefined;
}

/** The engine of this package: what every engine has, and a look into its memory. */
export interface CpuWasmEngine extends Engine {
  readonly info: CpuWasmInfo;
  /**
   * What the memory holds now, by kind, with its peak, growths and evictions. Its text is a short table.
   *
   * @throws DisposedError once the engine is disposed.
   * @example
   * import { createEngine } from '@tf/engine-cpu-wasm';
   * const engine = await createEngine();
   * engine.upload('float64', [8], new Float64Array(8));
   * const { kinds, liveBuffers } = engine.memory();
   * console.log(kinds.buffers, liveBuffers); // → 64 1
   */
  memory(): MemoryReport;
}

/**
 * An engine that runs plans as generated WebAssembly on this thread, and large steps of them on several. Throws an `EngineUnavailableError` where
 * WebAssembly with SIMD is missing or forbidden, an `ExtensionError` for an execution module that does not fit, and a
 * `ModuleNotLoadedError` for one whose code cannot be read.
 *
 * @example
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * const engine = await createEngine();
 * const x = engine.upload('float64', [3], Float64Array.of(1, 2, 3));
 * if (engine.read(x)[2] !== 3) throw new Error('unexpected');
 * engine.dispose();
 */
export async function createEngine(options: EngineOptions = {}): Promise<CpuWasmEngine> {
  const given = checkEngine(options);
  return new WasmEngine(given, await loadModules(given.wasm, given.isShared), {});
}

/**
 * {@link createEngine} without waiting. Throws a `ModuleNotLoadedError` where the code of an execution module has to be
 * fetched first.
 */
export function createEngineSync(options: EngineOptions = {}): CpuWasmEngine {
  return createTunedEngine(options, {});
}

/** {@link createEngineSync} with another budget for what stays in the heap, tiles of other sizes, or other pieces of steps: for tests. */
export function createTunedEngine(options: EngineOptions, tuning: Tuning): CpuWasmEngine {
  const given = checkEngine(options);
  return new WasmEngine(given, loadModulesSync(given.wasm, given.isShared), tuning);
}

/** What an engine is made from, once that is known to be right. */
interface Given {
  readonly options: EngineOptions;
  readonly registered: ReadonlyMap<string, RegisteredKernel>;
  readonly wasm: readonly WasmModule[];
  readonly isShared: boolean;
}

function checkEngine(options: EngineOptions): Given {
  checkOptions(options);
  const { modules = [], memory } = options;
  const registered = registerModules('cpu-wasm', modules, isWasmKernel);
  const wasm = modules.filter(isWasmModule) as readonly WasmModule[];
  wasm.forEach(requireCode);
  requireWebAssembly();
  return { options: { ...defaultOptions, ...options }, registered, wasm, isShared: sharesMemory(memory?.shared) };
}

const planReader = Object.freeze({ contract: contractVersion, engine: 'cpu-wasm', dtypes: supportedDTypes });

/** Whether there are threads shows when the first is wanted. */
function infoOf(choice: ThreadChoice, pool: Pool, rest: Pick<EngineInfo, 'sharedMemory' | 'numerics'>): CpuWasmInfo {
  const info: CpuWasmInfo = {
    name: 'cpu-wasm',
    version: engineVersion,
    dtypes: supportedDTypes,
    get threads() {
      return info.oneThread === undefined ? choice.threads : 1;
    },
    get oneThread() {
      return choice.oneThread ?? pool.reason;
    },
    ...rest,
  };
  return Object.freeze(info);
}

class WasmEngine implements ExecutableOwner, CpuWasmEngine {
  readonly contract = contractVersion;
  readonly info: CpuWasmInfo;
  readonly layoutOptions: LayoutOptions;
  readonly kernels: ReadonlySet<string>;
  readonly #executables = new BoundedCache<execution.PlanKey, WasmExecutable>({ hash: execution.planKeyHash, same: execution.samePlanKey, bytes: execution.planKeyBytes });
  /** The way back from a plan object that was compiled before: no text is made. */
  #byIdentity = new WeakMap<Plan, WasmExecutable>();
  /** Both are undefined once the engine is disposed, so that nothing of it keeps the memory. */
  #device: Device | undefined;
  #code: CodeCache | undefined;
  #kernels: Kernels | undefined;
  #modulesCompiled = 0;
  #plansCompiled = 0;

  constructor({ options: { memory = {}, threads: wanted, debug }, registered }: Given, modules: readonly CompiledModule[], tuning: Tuning) {
    const { tiles = execution.tileLimits, splits = splitLimits, budgetBytes, ...pooling } = { ...defaultTuning, ...tuning };
    const choice = chooseThreads(wanted, sharesMemory(memory.shared), memory.maximumBytes);
    const { threads } = choice;
    this.#device = new Device(memory, { budgetBytes, guarded: debug === 'memory', pool: { ...pooling, threads } });
    const { heap, pool } = this.#device;
    this.layoutOptions = { tiles, gapBytes: debug === 'memory' ? ARENA_GAP_BYTES : 0, splitting: threads === 1 ? undefined : { limits: { ...splits, threads, members: pool.members }, costs: new StepCosts() } };
    this.#code = new CodeCache(this.#device);
    this.#kernels = new Kernels(registered, modules, this.#device);
    this.kernels = this.#kernels.symbols;
    this.info = infoOf(choice, pool, { sharedMemory: heap.shared, numerics: this.#code.fused ? 'wasm-simd128 fused-contractions' : 'wasm-simd128' });
  }

  get disposed(): boolean {
    return this.#device === undefined;
  }

  stats(): EngineStats {
    const device = this.#device;
    return {
      modulesCompiled: this.#code?.modulesCompiled ?? this.#modulesCompiled,
      plansCompiled: this.#plansCompiled,
      bytesInUse: device?.allocator.bytesInUse ?? 0,
      bytesReserved: device?.heap.size ?? 0,
      liveBuffers: device?.residency.liveBuffers ?? 0,
    };
  }

  memory(): MemoryReport {
    return this.device().report();
  }

  device(): Device {
    if (this.#device === undefined) throw execution.disposedEngine('cpu-wasm');
    this.#device.pool.settle();
    return this.#device;
  }

  async idle(): Promise<void> {
    await this.#device?.pool.idle();
  }

  compile(plan: Plan): Executable {
    // What the last run read and wrote may leave now.
    this.device().residency.tick();
    let executable = this.#byIdentity.get(plan);
    if (executable === undefined) {
      execution.checkPlan(plan, { ...planReader, kernels: this.#kernels!.registered });
      executable = this.#executables.getOrCreate(execution.planKey(plan), () => this.#compile(plan));
      this.#byIdentity.set(plan, executable);
    }
    return executable;
  }

  #compile(plan: Plan): WasmExecutable {
    const { routines, elements } = planRoutines(plan);
    const executable = new WasmExecutable(this, plan, this.#code!.planCode(routines), elements, this.#kernels!);
    this.#plansCompiled++;
    return executable;
  }

  upload(dtype: DType, shape: readonly number[], data: TypedArray): DeviceBuffer {
    const device = this.device();
    execution.requireDType(planReader, dtype);
    execution.checkHostData('upload', dtype, shape, data, { engine: 'cpu-wasm', maximumBytes: device.heap.maximumBytes });
    const { residency } = device;
    residency.tick();
    const slot = residency.allocate(data.byteLength);
    writeArray(device.heap, dtype, slot.address, data);
    return residency.adopt(this, dtype, Object.freeze([...shape]), slot);
  }

  read(buffer: DeviceBuffer): TypedArray {
    const device = this.device();
    if (!(buffer instanceof WasmBuffer) || buffer.engine !== this) {
      throw execution.unreadable('cpu-wasm', 'foreign');
    }
    const { address, copy, isLive } = buffer.slot;
    if (buffer.donated) {
      throw execution.unreadable('cpu-wasm', 'donated');
    }
    if (!isLive) {
      throw execution.unreadable('cpu-wasm', 'disposed');
    }
    const count = buffer.shape.reduce((product, extent) => product * extent, 1);
    return copy === undefined ? readArray(device.heap, buffer.dtype, address, count) : readCopy(copy, buffer.dtype, count);
  }

  release(buffer: WasmBuffer): void {
    if (this.#device !== undefined) this.device().residency.release(buffer);
  }

  dispose(): void {
    this.#modulesCompiled = this.#code?.modulesCompiled ?? this.#modulesCompiled;
    this.#code = undefined;
    this.#kernels = undefined;
    this.#device?.pool.dispose();
    this.#device = undefined;
    this.#executables.clear();
    this.#byIdentity = new WeakMap();
  }
}
