import { allSteps, type DeviceBuffer, dtypes, elementCount, type EngineInput, evaluateDim, type Executable, execution, type ExtentStep, type Plan, rowError, type RunOptions, type Step, TfError } from '@tf/core';
import type { PlanCode } from './codegen/code-cache.ts';
import { type Donated, donatedOf, dropDonated } from './donated.ts';
import { runGuarded } from './guarded-run.ts';
import { PlanCalls } from './kernels/calls.ts';
import type { Kernels } from './kernels/kernels.ts';
import type { Block } from './memory/allocator.ts';
import { type BufferOwner, WasmBuffer } from './memory/buffer.ts';
import type { Slot } from './memory/page.ts';
import type { Device } from './memory/device.ts';
import { writeArray, writeScalar } from './memory/transfer.ts';
import { indexedRecord } from './codegen/record.ts';
import { type Layout, type LayoutOptions, layoutPlan } from './plan/layout.ts';
import type { Patches } from './plan/patches.ts';
import { stepAt, stepWords, tableWords } from './plan/table-words.ts';
import { LostWorker, lostWorker } from './threads/pool.ts';
import { PlanSplits } from './threads/plan-splits.ts';

/** The engine as its executables see it. */
export interface ExecutableOwner extends BufferOwner {
  /** Throws a `DisposedError` once the engine is disposed. */
  device(): Device;
  /** Until no run is under way. */
  idle(): Promise<void>;
  readonly layoutOptions: LayoutOptions;
}

/** One run from its beginning to its end, which comes later where it is on other threads. */
interface Run {
  readonly device: Device;
  /** An extent that is decided during the run brings another one. */
  layout: Layout;
  readonly donated: Donated;
  readonly outputs: Slot[];
  readonly temporaries: Block[];
  /** Whether what was donated may have been written to. */
  begun: boolean;
}

/** The widest element. */
const SCALAR_BYTES = 16;

/**
 * A plan with its code and its step table. A warm run binds sizes, allocates outputs, writes addresses and makes one call;
 * only new sizes or a moved arena rewrite the table.
 */
export class WasmExecutable implements Executable {
  readonly plan: Plan;
  readonly #owner: ExecutableOwner;
  readonly #code: PlanCode;
  readonly #elements: readonly number[];
  readonly #binding: execution.Binding;
  readonly #table: Block;
  readonly #scalars: number;
  /** By plan buffer, then the workspace and the table. Inputs and outputs are set by each run. */
  readonly #addresses: number[];
  readonly #inputBuffers: readonly (readonly number[])[];
  readonly #outputBuffers: readonly (readonly number[])[];
  readonly #extents: execution.RunExtents;
  /** Undefined where the plan calls no kernel. */
  readonly #calls: PlanCalls | undefined;
  readonly #splits: PlanSplits;
  #layout: Layout | undefined;
  #placedEpoch = -1;

  constructor(owner: ExecutableOwner, plan: Plan, code: PlanCode, elements: readonly number[], kernels: Kernels) {
    this.#owner = owner;
    this.plan = plan;
    this.#code = code;
    this.#elements = elements;
    this.#binding = new execution.Binding(plan);
    this.#extents = new execution.RunExtents(plan, stepWords);
    const device = owner.device();
    this.#scalars = Math.ceil((4 * tableWords(plan)) / SCALAR_BYTES) * SCALAR_BYTES;
    this.#table = device.hold('code', this.#scalars + SCALAR_BYTES * plan.inputs.length);
    this.#addresses = new Array<number>(plan.buffers.length + 2).fill(0);
    this.#addresses[plan.buffers.length + 1] = this.#table.address;
    this.#inputBuffers = execution.buffersAt(plan, 'input', plan.inputs.length);
    this.#outputBuffers = execution.buffersAt(plan, 'output', plan.outputs.length);
    if (allSteps(plan.steps).some(({ kind }) => kind === 'call')) this.#calls = new PlanCalls(plan, kernels, device);
    this.#splits = new PlanSplits(device, code);
    device.freeWith(this, [this.#table, ...this.#uploadConstants(device)]);
    if (allSteps(plan.steps).some(({ kind }) => kind === 'contract')) this.#addresses[plan.buffers.length] = device.workspace();
  }

  run(inputs: readonly EngineInput[], { donate = noAxes }: RunOptions = {}): readonly DeviceBuffer[] {
    for (;;) {
      try {
        return this.#runOnce(inputs, donate);
      } catch (thrown) {
        if (!(thrown instanceof LostWorker)) throw thrown;
        if (donate.length > 0) throw lostWorker(thrown);
        // Again: the pool gives workers up before this has no end.
      }
    }
  }

  /** Compiles what `compile` could not without blocking. */
  async prepare(): Promise<void> {
    await this.#owner.idle();
    this.#owner.device();
    await this.#code.prepare?.();
  }

  async runAsync(inputs: readonly EngineInput[], options: RunOptions = {}): Promise<readonly DeviceBuffer[]> {
    await this.prepare();
    const { pool, guard } = this.#owner.device();
    if (guard !== undefined || this.#calls !== undefined || this.#extents.steps.length > 0 || !pool.sendsRuns) return this.run(inputs, options);
    return pool.alone(async () => ((await pool.gather()) ? this.#runAway(inputs, options) : this.run(inputs, options)));
  }

  #runOnce(inputs: readonly EngineInput[], donate: readonly number[]): readonly DeviceBuffer[] {
    const run = this.#start(inputs, donate);
    try {
      this.#place(run, inputs);
      this.#extents.start();
      this.#calls?.begin();
      this.#runAll(run);
      if (this.#calls?.failed !== undefined) throw this.#calls.failed;
      this.#calls?.end();
      this.#fitOutputs(run);
    } catch (thrown) {
      throw this.#abandon(run, thrown);
    } finally {
      this.#calls?.end();
      this.#end(run);
    }
    return this.#wrap(run);
  }

  /** On the workers, while this thread goes on; alone if one is lost. */
  async #runAway(inputs: readonly EngineInput[], options: RunOptions): Promise<readonly DeviceBuffer[]> {
    const { donate = noAxes } = options;
    const run = this.#start(inputs, donate);
    const { device } = run;
    try {
      this.#place(run, inputs);
      if (run.layout.splits === undefined) this.#runAll(run);
      else await device.pool.walk(this.#table.address, device.scratch);
    } catch (thrown) {
      const why = this.#abandon(run, thrown);
      if (!(why instanceof LostWorker)) throw why;
      if (donate.length > 0) throw lostWorker(why);
      return this.run(inputs, options);
    } finally {
      this.#end(run);
    }
    return this.#wrap(run);
  }

  #start(inputs: readonly EngineInput[], donate: readonly number[]): Run {
    const device = this.#owner.device();
    if (device.gate.current !== undefined) throw execution.reentered('cpu-wasm');
    const count = this.plan.inputs.length;
    execution.requireCount(this.plan, inputs.length);
    device.residency.tick();
    this.#binding.start();
    for (let i = 0; i < count; i++) this.#checkInput(device, i, inputs[i]!);
    if (this.#layout === undefined || this.#binding.hasPolynomials || !this.#binding.isSame) this.#bind(inputs);
    return { device, layout: this.#layout!, donated: donatedOf(this.plan, inputs, donate), outputs: [], temporaries: [], begun: false };
  }

  /** What is thrown in the end. */
  #abandon({ device, outputs, donated, begun }: Run, thrown: unknown): unknown {
    outputs.forEach((slot, index) => {
      if (donated.reused[index] === undefined) device.allocator.free(slot);
    });
    if (begun) dropDonated(donated, device.residency);
    // A step with others inside was perhaps left halfway: the records are written anew.
    this.#placedEpoch = -1;
    return thrown instanceof WebAssembly.RuntimeError ? this.#fault(device, thrown) : thrown;
  }

  #end({ device, temporaries }: Run): void {
    device.tables.tick();
    for (const block of temporaries) device.allocator.free(block);
  }

  // -------------------------------------------------------------- inputs

  #checkInput(device: Device, index: number, input: EngineInput): void {
    if (input instanceof WasmBuffer) {
      if (input.engine !== this.#owner) throw execution.wrongInput(index, input);
      if (!input.slot.isLive) throw execution.disposedInput(index, input);
      device.residency.use(input.slot);
      this.#binding.check(index, input.dtype, input.shape);
    } else if (typeof input === 'number') {
      this.#binding.check(index, this.plan.inputs[index]!.dtype, noAxes);
    } else {
      this.#checkHostInput(device, index, input);
    }
  }

  #checkHostInput(device: Device, index: number, input: Exclude<EngineInput, number>): void {
    if (typeof input !== 'object' || input === null || !('data' in input)) throw execution.wrongInput(index, input);
    const { dtype } = this.plan.inputs[index]!;
    execution.checkHostData(`run: input ${index}`, dtype, input.shape, input.data, { engine: 'cpu-wasm', maximumBytes: device.heap.maximumBytes });
    this.#binding.check(index, dtype, input.shape);
  }

  // -------------------------------------------------------------- table

  /** New sizes: constraints are checked and the table's numbers computed again. */
  #bind(inputs: readonly EngineInput[]): void {
    this.#extents.bind(this.#binding.resolve((index) => execution.shapeOfInput(inputs[index]!)));
    this.#layout = this.#layOut();
    this.#calls?.bind(this.#layout.words);
    this.#binding.accept();
    this.#placedEpoch = -1;
  }

  #layOut(): Layout {
    const { layoutOptions } = this.#owner;
    // Where an extent is decided during the run, other records would be other pieces.
    const options = this.#extents.steps.length === 0 ? layoutOptions : { ...layoutOptions, splitting: undefined };
    return layoutPlan(this.plan, this.#elements, execution.dimValue(this.#extents.assumed), options);
  }

  #runAll(run: Run): void {
    const { device } = run;
    if (device.guard === undefined) this.#runSteps(device);
    else runGuarded({ plan: this.plan, layout: this.#layout!, code: this.#code, table: this.#table.address, addresses: this.#addresses, decide: (index) => this.#decideAt(device, index) }, device, device.guard);
    run.layout = this.#layout!;
  }

  /** The walk ends where an extent is decided, and goes on when the records behind it are right. */
  #runSteps(device: Device): void {
    const { address } = this.#table;
    this.#code.run(address, device.scratch);
    for (const extent of this.#extents.steps) {
      this.#decide(device, extent);
      this.#code.run(address + 4 * extent.next, device.scratch);
    }
  }

  #decideAt(device: Device, index: number): void {
    const extent = this.#extents.steps.find((placed) => placed.index === index);
    if (extent !== undefined) this.#decide(device, extent);
  }

  /** Reads the scalar; another value than that of the last run means other records for the steps that follow. */
  #decide(device: Device, { step, next }: execution.PlacedExtent): void {
    const { words } = device.heap;
    const wordOf = ({ buffer, offset }: ExtentStep['from']): number => (this.#addresses[buffer]! >>> 2) + evaluateDim(offset, this.#extents.assumed);
    const { value, isNew } = this.#extents.decide(step, words[wordOf(step.from)]!);
    words[wordOf(step.to)] = value;
    if (!isNew) return;
    const layout = this.#layOut();
    this.#layout = layout;
    this.#calls?.bind(layout.words, next);
    device.keepingArena(() => this.#calls?.findTables(next));
    this.#writeRecords(device, layout, next);
  }

  /** The records behind a word of the table. The memory may have grown since. */
  #writeRecords({ heap: { words } }: Device, layout: Layout, next: number): void {
    const table = this.#table.address / 4;
    words.set(layout.words.subarray(next), table + next);
    applyPatches(words, table, layout.fixed, this.#addresses, next);
    applyPatches(words, table, layout.varying, this.#addresses, next);
    this.#calls?.writeTables(words, table, next);
  }

  /** Allocates first, so that addresses are final, then writes them. */
  #place(run: Run, inputs: readonly EngineInput[]): void {
    const { device, layout, outputs, donated: { reused } } = run;
    this.#splits.place(layout.splits, this.#table.address);
    for (let i = 0; i < inputs.length; i++) this.#placeInput(run, i, inputs[i]!);
    for (let i = 0; i < layout.outputBytes.length; i++) {
      const slot = reused[i]?.slot ?? device.residency.allocate(this.#capacity(i, layout));
      outputs.push(slot);
      this.#setAddress(this.#outputBuffers[i]!, slot.address);
    }
    this.#calls?.findTables();
    device.ensureArena(layout.arenaBytes);
    if (this.#placedEpoch !== device.arenaEpoch) this.#writeTable(device, layout);
    applyPatches(device.heap.words, this.#table.address / 4, layout.varying, this.#addresses);
    this.#calls?.writeTables(device.heap.words, this.#table.address / 4);
    this.#splits.begin();
    run.begun = true;
  }

  #placeInput({ device, temporaries }: Run, index: number, input: EngineInput): void {
    if (input instanceof WasmBuffer) {
      if (input.slot.address === 0) device.residency.restore(input);
      this.#setAddress(this.#inputBuffers[index]!, input.slot.address);
      return;
    }
    const { dtype } = this.plan.inputs[index]!;
    if (typeof input === 'number') {
      const address = this.#table.address + this.#scalars + SCALAR_BYTES * index;
      writeScalar(device.heap, dtype, address, input);
      this.#setAddress(this.#inputBuffers[index]!, address);
      return;
    }
    const { data } = input as Extract<EngineInput, { readonly data: unknown }>;
    const block = device.allocator.allocate(data.byteLength);
    temporaries.push(block);
    writeArray(device.heap, dtype, block.address, data);
    this.#setAddress(this.#inputBuffers[index]!, block.address);
  }

  #writeTable(device: Device, layout: Layout): void {
    this.plan.buffers.forEach(({ place }, buffer) => {
      if (place.kind === 'arena') this.#addresses[buffer] = device.arena + layout.slotOffsets[place.slot]!;
      else if (place.kind === 'tile') this.#addresses[buffer] = device.arena + layout.tileOffsets[place.slot]!;
    });
    device.heap.words.set(layout.words, this.#table.address / 4);
    applyPatches(device.heap.words, this.#table.address / 4, layout.fixed, this.#addresses);
    this.#placedEpoch = device.arenaEpoch;
  }

  #setAddress(buffers: readonly number[], address: number): void {
    for (let i = 0; i < buffers.length; i++) this.#addresses[buffers[i]!] = address;
  }

  #uploadConstants(device: Device): readonly Block[] {
    return this.plan.buffers.flatMap(({ dtype, place }, buffer) => {
      if (place.kind !== 'constant') return [];
      const block = device.hold('constants', place.data.byteLength);
      writeArray(device.heap, dtype, block.address, place.data);
      this.#addresses[buffer] = block.address;
      return [block];
    });
  }

  // -------------------------------------------------------------- results

  #wrap({ device: { residency }, outputs: slots, layout, donated }: Run): readonly DeviceBuffer[] {
    const results: DeviceBuffer[] = [];
    for (let i = 0; i < slots.length; i++) {
      const source = donated.reused[i];
      const { dtype } = this.plan.outputs[i]!;
      const shape = layout.outputShapes[i]!;
      results.push(source === undefined ? residency.adopt(this.#owner, dtype, shape, slots[i]!) : residency.transfer(source, dtype, shape));
    }
    dropDonated(donated, residency);
    return results;
  }

  /** Bytes that output i takes at most: nothing is allocated during a run, because that might take the arena away. */
  #capacity(i: number, layout: Layout): number {
    const { dtype, shape } = this.plan.outputs[i]!;
    return this.#extents.steps.length === 0 ? layout.outputBytes[i]! : this.#extents.maximum(elementCount(shape)) * dtypes[dtype].bytes;
  }

  /** An output that came out smaller than it might have goes to memory of its size. */
  #fitOutputs({ device: { residency, allocator, heap }, outputs, layout }: Run): void {
    if (this.#extents.steps.length === 0) return;
    outputs.forEach((slot, i) => {
      const bytes = layout.outputBytes[i]!;
      if (bytes >= this.#capacity(i, layout)) return;
      const fitting = residency.allocate(bytes);
      heap.bytes.copyWithin(fitting.address, slot.address, slot.address + bytes);
      allocator.free(slot);
      outputs[i] = fitting;
    });
  }

  #fault(device: Device, trap: WebAssembly.RuntimeError): TfError {
    const record = (this.#code.step.value as number) >>> 0;
    const { path, step } = stepAt(this.plan.steps, (record - this.#table.address) / 4) ?? nowhere;
    const words = device.heap.words.subarray(record / 4);
    if ((step?.kind === 'gather' || step?.kind === 'scatter') && words[indexedRecord.isBad] === 1) {
      words[indexedRecord.isBad] = 0;
      return rowError(step.kind, words[indexedRecord.badIndex]!, words[indexedRecord.rows]!, step.named);
    }
    if (step?.kind === 'call') return this.#calls!.fault(step, trap);
    return new TfError('EngineFaultError', `cpu-wasm: step ${path.join('.')} of the plan trapped: ${trap.message}. This is a fault of tf: please report it with this text.\n${step === undefined ? '' : execution.stepText(step)}`, { engine: 'cpu-wasm', step: path[0], trap: trap.message }, { cause: trap });
  }
}

const nowhere: { readonly path: readonly number[]; readonly step: Step | undefined } = Object.freeze({ path: [], step: undefined });

const noAxes: readonly number[] = Object.freeze([]);

/** Patches of the words from `first` on. */
function applyPatches(words: Int32Array, table: number, patches: Patches, addresses: readonly number[], first = 0): void {
  for (let i = 0; i < patches.words.length; i++) {
    if (patches.words[i]! < first) continue;
    words[table + patches.words[i]!] = addresses[patches.buffers[i]!]! + patches.offsets[i]!;
  }
}
