import { availableParallelism } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { BoundedCache, contractVersion, type DeviceBuffer, type DType, type Engine, type EngineInfo, type EngineStats, type Executable, execution, type Plan, registerModules, type TypedArray } from '@tf/core';
import { type LibraryFacts, loadAddon, openBlas } from './addon.ts';
import { Device } from './device.ts';
import { type ExecutableOwner, NativeExecutable } from './executable.ts';
import { Kernels } from './kernels/kernels.ts';
import { NativeBuffer } from './memory/buffer.ts';
import { addressLimit } from './memory/limit.ts';
import { readArray } from './memory/transfer.ts';
import { isNativeKernel } from './native-module.ts';
import { checkOptions, type EngineOptions } from './options.ts';
import { engineVersion } from './version.ts';

const supportedDTypes: readonly DType[] = Object.freeze(['float32', 'float64', 'complex64', 'complex128', 'int32', 'int64', 'bool']);
const planReader = Object.freeze({ contract: contractVersion, engine: 'cpu-blas-native', dtypes: supportedDTypes });
const isaNames: readonly string[] = Object.freeze(process.arch === 'x64' ? ['sse2', 'avx2', 'avx512'] : [process.arch]);

/** The engine of this package. */
export interface CpuBlasNativeEngine extends Engine {
  /** The BLAS and LAPACK that it runs on. */
  readonly library: Readonly<LibraryFacts>;
}

/**
 * An engine that runs plans in C, products and factorisations by OpenBLAS and LAPACK. Throws an `EngineUnavailableError` that says what is missing and what to install,
 * an `ExtensionError` for an execution module that does not fit, and a `ModuleNotLoadedError` for one whose library cannot be loaded.
 */
export async function createEngine(options: EngineOptions = {}): Promise<CpuBlasNativeEngine> {
  return createEngineSync(options);
}

/** {@link createEngine} without waiting. */
export function createEngineSync(options: EngineOptions = {}): CpuBlasNativeEngine {
  checkOptions(options);
  const registered = registerModules('cpu-blas-native', options.modules ?? [], isNativeKernel);
  const addon = loadAddon(options.addon);
  const library = openBlas(addon, options.library);
  const threads = options.threads ?? (isMainThread ? Math.min(availableParallelism(), 4) : 1);
  const level = addon.level(options.level ?? isaNames.length - 1);
  return new NativeEngine(library, new Device(addon, threads, level), new Kernels(registered, addon, level));
}

class NativeEngine implements ExecutableOwner, CpuBlasNativeEngine {
  readonly contract = contractVersion;
  readonly info: EngineInfo;
  readonly library: Readonly<LibraryFacts>;
  readonly kernels: ReadonlySet<string>;
  readonly #executables = new BoundedCache<execution.PlanKey, NativeExecutable>({ hash: execution.planKeyHash, same: execution.samePlanKey, bytes: execution.planKeyBytes });
  /** The way back from a plan object that was compiled before: no text is made. */
  #byIdentity = new WeakMap<Plan, NativeExecutable>();
  /** Undefined once the engine is disposed. */
  #device: Device | undefined;
  #kernels: Kernels | undefined;
  #plansCompiled = 0;

  constructor(library: LibraryFacts, device: Device, kernels: Kernels) {
    this.library = Object.freeze({ ...library });
    this.#device = device;
    this.#kernels = kernels;
    this.kernels = kernels.symbols;
    this.info = Object.freeze({ name: 'cpu-blas-native', version: engineVersion, dtypes: supportedDTypes, threads: device.threads, sharedMemory: false, numerics: `${isaNames[device.level]} ${library.core === '' ? 'blas' : `openblas-${library.core.toLowerCase()}`}` });
  }

  get disposed(): boolean {
    return this.#device === undefined;
  }

  stats(): EngineStats {
    const device = this.#device;
    return {
      modulesCompiled: 0,
      plansCompiled: this.#plansCompiled,
      bytesInUse: device?.holdings.bytes ?? 0,
      bytesReserved: device === undefined ? 0 : device.holdings.bytes + device.places.keptBytes + device.arenaBytes,
      liveBuffers: device?.holdings.buffers ?? 0,
    };
  }

  device(): Device {
    if (this.#device === undefined) throw execution.disposedEngine('cpu-blas-native');
    return this.#device;
  }

  compile(plan: Plan): Executable {
    this.device();
    let executable = this.#byIdentity.get(plan);
    if (executable === undefined) {
      execution.checkPlan(plan, { ...planReader, kernels: this.#kernels!.registered });
      executable = this.#executables.getOrCreate(execution.planKey(plan), () => this.#compile(plan));
      this.#byIdentity.set(plan, executable);
    }
    return executable;
  }

  #compile(plan: Plan): NativeExecutable {
    this.#plansCompiled++;
    return new NativeExecutable(this, plan, this.#kernels!);
  }

  upload(dtype: DType, shape: readonly number[], data: TypedArray): DeviceBuffer {
    const device = this.device();
    execution.requireDType(planReader, dtype);
    execution.checkHostData('upload', dtype, shape, data, addressLimit);
    return device.adopt(this, dtype, Object.freeze([...shape]), device.upload(dtype, data));
  }

  read(buffer: DeviceBuffer): TypedArray {
    this.device();
    if (!(buffer instanceof NativeBuffer) || buffer.engine !== this) throw execution.unreadable('cpu-blas-native', 'foreign');
    if (buffer.place === undefined) throw execution.unreadable('cpu-blas-native', buffer.donated ? 'donated' : 'disposed');
    return readArray(buffer.place, buffer.dtype, buffer.shape.reduce((product, extent) => product * extent, 1));
  }

  release(buffer: NativeBuffer): void {
    this.#device?.release(buffer);
  }

  dispose(): void {
    this.#device = undefined;
    this.#kernels = undefined;
    this.#executables.clear();
    this.#byIdentity = new WeakMap();
  }
}
