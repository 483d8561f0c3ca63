/** Compiled modules by the routines they hold: bounded, least recently used leave first. */
import { BoundedCache, type DType, TfError } from '@tf/core';
import type { MemoryLimits } from '../encoder/module.ts';
import type { Block } from '../memory/allocator.ts';
import { textHash } from '../plan/text.ts';
import { contractModule } from './gemm/contract.ts';
import { hasFusedProducts } from './gemm/fused.ts';
import { contractImport, planModule, type Routine } from './plan-module.ts';
import { type NumericDType, requireNumeric } from './storage.ts';

/** An instantiated plan module. */
export interface PlanCode {
  readonly run: (table: number, scratch: number) => void;
  /** The record that was being run, for errors. */
  readonly step: WebAssembly.Global;
}

/** Where code lives: the memory, and room for its constant data. */
export interface CodeHost {
  readonly memory: WebAssembly.Memory;
  readonly limits: MemoryLimits;
  readonly placeData: (bytes: Uint8Array) => Block;
  /** Frees the blocks when their holder is collected. */
  readonly freeWith: (holder: object, blocks: readonly Block[]) => void;
}

export class CodeCache {
  /** Whether contractions round a product and its sum together. */
  readonly fused: boolean = hasFusedProducts();
  readonly #host: CodeHost;
  readonly #plans: BoundedCache<string, PlanCode>;
  readonly #contracts = new Map<NumericDType, WebAssembly.ExportValue>();
  #modulesCompiled = 0;

  constructor(host: CodeHost, hash: (text: string) => number = textHash) {
    this.#host = host;
    this.#plans = new BoundedCache({ hash, same: (a, b) => a === b });
  }

  /** Modules generated for plans; the contractions are the engine's own code and not counted. */
  get modulesCompiled(): number {
    return this.#modulesCompiled;
  }

  planCode(routines: readonly Routine[]): PlanCode {
    return this.#plans.getOrCreate(routines.map(({ text }) => text).join('\n\n'), () => this.#compilePlan(routines));
  }

  #compilePlan(routines: readonly Routine[]): PlanCode {
    const functions: Record<string, WebAssembly.ExportValue> = {};
    for (const routine of routines) {
      if (routine.kind === 'contract') functions[contractImport(routine.dtype)] = this.#contract(routine.dtype);
    }
    const data: Block[] = [];
    const placeData = (bytes: Uint8Array): number => {
      const block = this.#host.placeData(bytes);
      data.push(block);
      return block.address;
    };
    const { exports } = this.#instantiate(planModule(routines, this.#host.limits, placeData), functions);
    this.#modulesCompiled++;
    const code = { run: exports.run as PlanCode['run'], step: exports.step as WebAssembly.Global };
    if (data.length > 0) this.#host.freeWith(code, data);
    return code;
  }

  #contract(dtype: DType): WebAssembly.ExportValue {
    const known = requireNumeric(dtype, 'contract');
    let contract = this.#contracts.get(known);
    if (contract === undefined) {
      contract = this.#instantiate(contractModule(known, this.#host.limits, this.fused), {}).exports.contract!;
      this.#contracts.set(known, contract);
    }
    return contract;
  }

  #instantiate(bytes: Uint8Array, functions: Readonly<Record<string, WebAssembly.ExportValue>>): WebAssembly.Instance {
    try {
      const module = new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>);
      return new WebAssembly.Instance(module, { env: { memory: this.#host.memory, ...functions } });
    } catch (cause) {
      throw new TfError('InvariantError', `cpu-wasm: generated code was refused: ${String(cause)}. This is a fault of tf: please report it.`, { engine: 'cpu-wasm' }, { cause });
    }
  }
}
