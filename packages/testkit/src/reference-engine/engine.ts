import { checkOptions, checkConstraints, decidableConstraints, isBound, type Contract, contractVersion, coreVersion, type DeviceBuffer, dtypes, type DType, type Engine, type EngineInfo, type EngineInput, type EngineStats, type Executable, type HostModule, type Plan, registerModules, TfError, type TypedArray } from '@tf/core';
import { referenceEngineOptions } from '../arguments.ts';
import { type Binding, bindShapes, concreteType } from '../interpreter/binding.ts';
import { countOf, knownShape } from '../values.ts';
import { checkedData, type Ledger, ownBuffer, readInput, ReferenceBuffer } from './buffers.ts';
import { Calls, Kernels } from './kernels.ts';
import { arenaArrays, planText, unwritten } from './plans.ts';
import { type EngineParts, referenceParts, runStep } from './steps.ts';

export interface ReferenceEngineOptions {
  /** The dtypes it takes; all when absent. */
  readonly dtypes?: readonly DType[];
  /** Host kernels of families: what call steps run. */
  readonly modules?: readonly HostModule[];
}

/**
 * An engine that carries out the steps of plans one element at a time, every scalar operation rounded to its type and
 * reductions by the fixed tree: what any other engine's bits are compared with, but for contractions, whose order over k is an engine's own. Slow, complete and in plain JavaScript.
 *
 * @example
 * import { Builder, compileProgram, exp, tensorType } from '@tf/core';
 * import { createReferenceEngine } from '@tf/testkit';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [1]), 'x');
 * const engine = createReferenceEngine();
 * const [y] = engine.compile(compileProgram(builder.build([exp(x)]))).run([{ data: Float64Array.of(0), shape: [1] }]);
 * if (y === undefined || engine.read(y)[0] !== 1) throw new Error('unexpected');
 */
export function createReferenceEngine(options: ReferenceEngineOptions = {}): Engine {
  checkOptions('createReferenceEngine', options, referenceEngineOptions, "createReferenceEngine({ dtypes: ['float32'] })");
  return new ReferenceEngine(options, referenceParts);
}

export class ReferenceEngine implements Engine {
  readonly contract: Contract = contractVersion;
  readonly info: EngineInfo;
  readonly kernels: ReadonlySet<string>;
  readonly #kernels: Kernels;
  readonly #ledger: Ledger = { bytes: 0, buffers: 0 };
  readonly #executables = new Map<string, Executable>();
  readonly #parts: EngineParts;
  #disposed = false;

  constructor(options: ReferenceEngineOptions, parts: EngineParts) {
    const all = options.dtypes ?? (Object.keys(dtypes) as DType[]);
    this.info = Object.freeze({ name: 'reference', version: coreVersion, dtypes: Object.freeze([...all]), threads: 1, sharedMemory: false, numerics: 'ieee754 plain' });
    this.#kernels = new Kernels('reference', registerModules('reference', options.modules ?? []));
    this.kernels = this.#kernels.symbols;
    this.#parts = parts;
  }

  get disposed(): boolean {
    return this.#disposed;
  }

  stats(): EngineStats {
    const { bytes, buffers } = this.#ledger;
    const plans = this.#executables.size;
    return { modulesCompiled: plans, plansCompiled: plans, bytesInUse: bytes, bytesReserved: bytes, liveBuffers: buffers };
  }

  compile(plan: Plan): Executable {
    this.#alive('compile');
    for (const { dtype } of plan.buffers) this.#takes('compile', dtype);
    this.#kernels.require(plan);
    const key = planText(plan);
    let executable = this.#executables.get(key);
    if (executable === undefined) this.#executables.set(key, (executable = { plan, run: (inputs, { donate = [] } = {}) => this.#run(plan, inputs, donate) }));
    return executable;
  }

  upload(dtype: DType, shape: readonly number[], data: TypedArray): DeviceBuffer {
    this.#alive('upload');
    this.#takes('upload', dtype);
    return this.#buffer(dtype, shape, checkedData('upload', 'data', dtype, shape, data).slice());
  }

  read(buffer: DeviceBuffer): TypedArray {
    this.#alive('read');
    return ownBuffer(this, 'read', buffer).data.slice();
  }

  dispose(): void {
    this.#disposed = true;
    this.#executables.clear();
  }

  #run(plan: Plan, inputs: readonly EngineInput[], donate: readonly number[]): readonly DeviceBuffer[] {
    this.#alive('run');
    if (inputs.length !== plan.inputs.length) throw new TfError('ArgumentError', `run: the plan takes ${plan.inputs.length} inputs, got ${inputs.length}.`, { op: 'run' });
    const given = plan.inputs.map((type, index) => readInput(this, 'run', index, type, inputs[index] as EngineInput));
    const binding = bindShapes('run', plan.inputs, given.map(({ shape }) => shape));
    checkConstraints(decidableConstraints(plan.constraints, binding), binding, 'run: ');
    const outputs = new Array<ReferenceBuffer | undefined>(plan.outputs.length).fill(undefined);
    const arena = arenaArrays(plan, binding);
    const arrays = plan.buffers.map(({ place }, at): TypedArray | undefined => {
      if (place.kind === 'input') return (given[place.index] as { data: TypedArray }).data;
      return place.kind === 'constant' ? place.data : arena[at];
    });
    const allocateOutputs = (): void => this.#allocate(plan, binding, outputs, arrays);
    const onExtent = (symbol: string): void => {
      checkConstraints(decidableConstraints(plan.constraints, binding, symbol), binding, 'run: ');
      allocateOutputs();
    };
    const calls = new Calls(this.#kernels);
    try {
      allocateOutputs();
      for (const step of plan.steps) runStep(step, { buffers: plan.buffers, arrays: arrays as readonly TypedArray[], binding, calls, onExtent }, this.#parts);
      if (calls.failed !== undefined) throw calls.failed;
    } catch (error) {
      for (const output of outputs) output?.dispose();
      throw error;
    } finally {
      for (const index of donate) {
        const input = inputs[index];
        if (input instanceof ReferenceBuffer) input.donate();
      }
    }
    return outputs as readonly ReferenceBuffer[];
  }

  /** Buffers for the outputs whose shapes are known by now. */
  #allocate(plan: Plan, binding: Binding, outputs: (ReferenceBuffer | undefined)[], arrays: (TypedArray | undefined)[]): void {
    plan.outputs.forEach((type, index) => {
      if (outputs[index] !== undefined || !type.shape.every((dim) => isBound(dim, binding))) return;
      const shape = knownShape(concreteType(type, binding).shape);
      outputs[index] = this.#buffer(type.dtype, shape, unwritten(type.dtype, countOf(shape)));
    });
    plan.buffers.forEach(({ place }, at) => {
      if (place.kind === 'output') arrays[at] = outputs[place.index]?.data;
    });
  }

  #buffer(dtype: DType, shape: readonly number[], data: TypedArray): ReferenceBuffer {
    return new ReferenceBuffer(this, this.#ledger, dtype, shape, data);
  }

  #alive(op: string): void {
    if (this.#disposed) throw new TfError('DisposedError', `${op}: the engine ${this.info.name} is disposed. Create another.`, { op, engine: this.info.name });
  }

  #takes(op: string, dtype: DType): void {
    if (this.info.dtypes.includes(dtype)) return;
    throw new TfError('UnsupportedOnEngineError', `${op}: the engine ${this.info.name} takes ${this.info.dtypes.join(', ')}, not ${dtype}. Convert to one of them, or use another engine.`, { op, engine: this.info.name, dtype });
  }
}
