/** Compiled modules by the routines they hold: bounded, least recently used leave first. */
import { BoundedCache, execution, TfError } from '@tf/core';
import type { EncodedFunction } from '../encoder/function.ts';
import type { MemoryLimits } from '../encoder/module.ts';
import type { Block } from '../memory/allocator.ts';
import { contractModule } from './gemm/contract.ts';
import { hasFusedProducts } from './gemm/fused.ts';
import { LoopCache, type LoopHost } from './loop-cache.ts';
import { callImport, contractImport, planModule, type Routine, splitImport } from './plan-module.ts';
import { type NumericDType, requireNumeric } from './storage.ts';

/** The code of a plan: instantiated, or too large to be compiled without waiting. */
export interface PlanCode {
  /** A `ModuleNotLoadedError` before {@link prepare}, where that is needed. */
  run: (table: number, scratch: number) => void;
  /** The record that was being run, for errors. */
  step: WebAssembly.Global;
  /** Undefined once there is nothing to wait for. */
  prepare: (() => Promise<void>) | undefined;
  /** What other threads instantiate. */
  readonly shared: SharedCode;
  /** Kept for the constant data that they read. */
  readonly loops: readonly EncodedFunction[];
}

/** Code as other threads get it: its bytes, and the contractions that it imports. */
export interface SharedCode {
  /** Of an engine, all code has numbers of its own. */
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly contracts: readonly { readonly dtype: NumericDType; readonly code: SharedCode }[];
}

/** Where code lives: the memory, and room for its constant data. */
export interface CodeHost extends LoopHost {
  readonly memory: WebAssembly.Memory;
  readonly limits: MemoryLimits;
  /** Runs the kernel of a call step, by the address of its record. */
  readonly call: (record: number) => void;
  /** Runs a step on all threads, by the address of its record. */
  readonly split: (record: number) => void;
}

export class CodeCache {
  /** Whether contractions round a product and its sum together. */
  readonly fused: boolean = hasFusedProducts();
  readonly #host: CodeHost;
  readonly #plans: BoundedCache<string, PlanCode>;
  readonly #loops: LoopCache;
  readonly #contracts = new Map<NumericDType, WebAssembly.ExportValue>();
  readonly #contractCodes = new Map<NumericDType, SharedCode>();
  #nextId = 0;
  #modulesCompiled = 0;

  constructor(host: CodeHost, hash: (text: string) => number = execution.textHash) {
    this.#host = host;
    this.#plans = new BoundedCache({ hash, same: (a, b) => a === b });
    this.#loops = new LoopCache(host, hash);
  }

  /** Modules generated for plans; the contractions are the engine's own code and not counted. */
  get modulesCompiled(): number {
    return this.#modulesCompiled;
  }

  planCode(routines: readonly Routine[]): PlanCode {
    return this.#plans.getOrCreate(routines.map(({ text }) => text).join('\n\n'), () => this.#compilePlan(routines));
  }

  #compilePlan(routines: readonly Routine[]): PlanCode {
    const data: Block[] = [];
    const placeData = (bytes: Uint8Array): number => {
      const block = this.#host.placeData(bytes);
      data.push(block);
      return block.address;
    };
    const loops: EncodedFunction[] = [];
    const bytes = planModule(routines, this.#host.limits, placeData, (text, inner) => {
      const loop = this.#loops.encoded(text, inner);
      loops.push(loop);
      return loop;
    });
    this.#modulesCompiled++;
    const dtypes = routines.flatMap((routine) => (routine.kind === 'contract' ? [requireNumeric(routine.dtype, 'contract')] : []));
    const shared = { id: this.#nextId++, bytes, contracts: dtypes.map((dtype) => ({ dtype, code: this.#contractCode(dtype) })) };
    const code = this.#now(shared, dtypes, loops) ?? this.#later(shared, dtypes, loops);
    if (data.length > 0) this.#host.freeWith(code, data);
    return code;
  }

  /** Undefined where this thread may compile modules of that size only without blocking. */
  #now(shared: SharedCode, dtypes: readonly NumericDType[], loops: PlanCode['loops']): PlanCode | undefined {
    try {
      const { exports } = this.#instantiate(shared.bytes, this.#functions(dtypes, (dtype) => this.#contract(dtype)));
      return { run: exports.run as PlanCode['run'], step: exports.step as WebAssembly.Global, prepare: undefined, shared, loops };
    } catch (thrown) {
      if (thrown instanceof RangeError) return undefined;
      throw thrown;
    }
  }

  #later(shared: SharedCode, dtypes: readonly NumericDType[], loops: PlanCode['loops']): PlanCode {
    const { bytes } = shared;
    let preparing: Promise<void> | undefined;
    const load = async (): Promise<void> => {
      for (const dtype of dtypes) if (!this.#contracts.has(dtype)) this.#contracts.set(dtype, (await this.#instantiateLater(this.#contractCode(dtype).bytes, {})).exports.contract!);
      const { exports } = await this.#instantiateLater(bytes, this.#functions(dtypes, (dtype) => this.#contracts.get(dtype)!));
      code.run = exports.run as PlanCode['run'];
      code.step = exports.step as WebAssembly.Global;
      code.prepare = undefined;
    };
    const code: PlanCode = {
      run: () => {
        throw new TfError('ModuleNotLoadedError', `cpu-wasm: this thread compiles modules of ${bytes.length} bytes only without blocking. Before the first call of what you compiled: await f.prepare(), or call await f.runAsync(…); or work in a worker.`, { engine: 'cpu-wasm', bytes: bytes.length });
      },
      step: new WebAssembly.Global({ value: 'i32', mutable: true }, 0),
      prepare: () => (preparing ??= load()),
      shared,
      loops,
    };
    return code;
  }

  /** All that a plan's module may import, but for the memory. */
  #functions(dtypes: readonly NumericDType[], contract: (dtype: NumericDType) => WebAssembly.ExportValue): Functions {
    return Object.fromEntries([[callImport, this.#host.call], [splitImport, this.#host.split], ...dtypes.map((dtype): [string, WebAssembly.ImportValue] => [contractImport(dtype), contract(dtype)])]);
  }

  #contract(dtype: NumericDType): WebAssembly.ExportValue {
    let contract = this.#contracts.get(dtype);
    if (contract === undefined) {
      contract = this.#instantiate(this.#contractCode(dtype).bytes, {}).exports.contract!;
      this.#contracts.set(dtype, contract);
    }
    return contract;
  }

  #contractCode(dtype: NumericDType): SharedCode {
    let code = this.#contractCodes.get(dtype);
    if (code === undefined) {
      code = { id: this.#nextId++, bytes: contractModule(dtype, this.#host.limits, this.fused), contracts: [] };
      this.#contractCodes.set(dtype, code);
    }
    return code;
  }

  /** A `RangeError` where the module is too large for this thread. */
  #instantiate(bytes: Uint8Array, functions: Functions): WebAssembly.Instance {
    try {
      const module = new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>);
      return new WebAssembly.Instance(module, { env: { memory: this.#host.memory, ...functions } });
    } catch (cause) {
      throw cause instanceof RangeError ? cause : refused(cause);
    }
  }

  async #instantiateLater(bytes: Uint8Array, functions: Functions): Promise<WebAssembly.Instance> {
    try {
      const module = await WebAssembly.compile(bytes as Uint8Array<ArrayBuffer>);
      return await WebAssembly.instantiate(module, { env: { memory: this.#host.memory, ...functions } });
    } catch (cause) {
      throw refused(cause);
    }
  }
}

type Functions = Readonly<Record<string, WebAssembly.ImportValue>>;

function refused(cause: unknown): TfError {
  return new TfError('InvariantError', `cpu-wasm: generated code was refused: ${String(cause)}. This is a fault of tf: please report it.`, { engine: 'cpu-wasm' }, { cause });
}
