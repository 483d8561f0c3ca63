import { allSteps, type DeviceBuffer, type Dim, dtypes, elementCount, type EngineInput, evaluateDim, type Executable, execution, type ExtentStep, invariant, type Plan, rowError, type RunOptions, TfError } from '@tf/core';
import type { Device } from './device.ts';
import { Frame } from './frame.ts';
import { PlanCalls } from './kernels/calls.ts';
import type { Kernels } from './kernels/kernels.ts';
import { type BufferOwner, NativeBuffer } from './memory/buffer.ts';
import type { Lease } from './memory/holdings.ts';
import { addressLimit } from './memory/limit.ts';
import type { Place } from './memory/place.ts';
import { type Layout, layoutPlan } from './table/layout.ts';
import { header, status } from './table/words.ts';

/** The engine as its executables see it. */
export interface ExecutableOwner extends BufferOwner {
  /** Throws a `DisposedError` once the engine is disposed. */
  device(): Device;
}

type Donated = execution.Donated<NativeBuffer>;
/** Memory that a buffer had until a run began. */
interface Given {
  readonly place: Place;
  readonly lease: Lease;
}

type HostInput = Extract<EngineInput, { readonly data: unknown }>;

/** By how much tiles and working memory may exceed those of the largest sizes. */
const DECIDED_BYTES = 2 ** 20;

const noAxes: readonly number[] = Object.freeze([]);
const notDonated: Donated = Object.freeze({ buffers: [], reused: [] });
const noOptions: RunOptions = Object.freeze({});
const nothingGiven: readonly undefined[] = Object.freeze([]);

/** A run that has begun: its table, its outputs and what must live as long. */
interface Run {
  readonly frame: Frame;
  readonly layout: Layout;
  readonly outputs: Place[];
  readonly temporaries: Place[];
  /** By output: the memory of a donated buffer. */
  readonly reused: readonly (Given | undefined)[];
  /** Of donated buffers that no output takes. */
  readonly spent: readonly Given[];
}

/** A plan whose step table is made for the sizes of its last run. A warm run writes the addresses of inputs and outputs, and makes one call. */
export class NativeExecutable implements Executable {
  readonly plan: Plan;
  readonly #owner: ExecutableOwner;
  readonly #binding: execution.Binding;
  readonly #extents: execution.RunExtents;
  readonly #calls: PlanCalls | undefined;
  readonly #constants: readonly (Place | undefined)[];
  readonly #inputBuffers: readonly (readonly number[])[];
  readonly #outputBuffers: readonly (readonly number[])[];
  /** Whether the plan runs in one call that needs nothing of JavaScript but memory. */
  readonly #isSelfContained: boolean;
  /** Whether all inputs of this run are buffers. */
  #takesBuffers = false;
  readonly #frame: Frame;
  /** Of runs in the background that are over. */
  readonly #idle: Frame[] = [];
  #layout: Layout | undefined;
  /** Enough for whatever the run decides: layouts differ in working memory and tiles. */
  #arenaBytes = 0;

  constructor(owner: ExecutableOwner, plan: Plan, kernels: Kernels) {
    this.#owner = owner;
    this.plan = plan;
    this.#binding = new execution.Binding(plan);
    this.#extents = new execution.RunExtents(plan, () => 0);
    const device = owner.device();
    this.#constants = plan.buffers.map(({ dtype, place }) => (place.kind === 'constant' ? device.upload(dtype, place.data) : undefined));
    this.#inputBuffers = execution.buffersAt(plan, 'input', plan.inputs.length);
    this.#outputBuffers = execution.buffersAt(plan, 'output', plan.outputs.length);
    if (allSteps(plan.steps).some(({ kind }) => kind === 'call')) this.#calls = new PlanCalls(plan, kernels, device.tables);
    this.#isSelfContained = this.#calls === undefined && this.#extents.steps.length === 0;
    this.#frame = this.#newFrame(device);
  }

  run(inputs: readonly EngineInput[], { donate = noAxes }: RunOptions = noOptions): readonly DeviceBuffer[] {
    const device = this.#owner.device();
    if (device.isRunning) throw execution.reentered('cpu-blas-native');
    const layout = this.#check(inputs);
    if (this.#takesBuffers && this.#isSelfContained && donate.length === 0) return this.#runBuffers(device, layout, inputs as readonly NativeBuffer[]);
    const donated = this.#donated(device, inputs, donate);
    const run = this.#begin(device, this.#frame, layout, inputs, donated, device.arena(this.#arenaBytes));
    try {
      device.isRunning = true;
      const host = this.#calls?.hasHost === true ? (site: number): void => this.#calls!.callHost(site, run.frame, run.layout.calls) : undefined;
      this.#finish(run, device.addon.run(run.frame.address, run.layout.begin, host));
      for (const { step, index } of this.#extents.steps) {
        const next = this.#decide(device, run, step, index);
        this.#finish(run, device.addon.run(run.frame.address, next, host));
      }
      return this.#results(device, run);
    } catch (thrown) {
      throw this.#failed(device, run, thrown);
    } finally {
      device.isRunning = false;
      this.#end(device, run);
    }
  }

  /** The usual run, with as little as possible around its one call: nothing is kept of it but its outputs. */
  #runBuffers(device: Device, layout: Layout, inputs: readonly NativeBuffer[]): readonly DeviceBuffer[] {
    const frame = this.#frame;
    frame.prepare(layout, device.arena(this.#arenaBytes));
    for (let i = 0; i < inputs.length; i++) frame.point(this.#inputBuffers[i]!, inputs[i]!.place!);
    const results = new Array<NativeBuffer>(layout.outputBytes.length);
    for (let i = 0; i < results.length; i++) {
      const place = device.places.take(layout.outputBytes[i]!);
      frame.point(this.#outputBuffers[i]!, place);
      results[i] = device.adopt(this.#owner, this.plan.outputs[i]!.dtype, layout.outputShapes[i]!, place);
    }
    const given = device.addon.run(frame.address, layout.begin);
    if (given === status.done) return results;
    for (const result of results) result.dispose();
    frame.forget();
    throw this.#faultOf({ frame, layout }, given);
  }

  /** On another thread, unless the plan needs JavaScript in between. */
  async runAsync(inputs: readonly EngineInput[], options: RunOptions = {}): Promise<readonly DeviceBuffer[]> {
    const { signal, donate = noAxes } = options;
    const isAborted = (): boolean => signal?.aborted === true;
    if (isAborted()) throw signal!.reason;
    if (this.#calls?.hasHost === true || this.#extents.steps.length > 0) return this.run(inputs, options);
    const device = this.#owner.device();
    const layout = this.#check(inputs);
    const donated = this.#donated(device, inputs, donate);
    const read = inputs.flatMap((input) => (input instanceof NativeBuffer ? input.place! : []));
    const arena = device.places.take(layout.arenaBytes);
    const run = this.#begin(device, this.#idle.pop() ?? this.#newFrame(device), layout, inputs, donated, arena);
    const stop = (): void => void Atomics.store(run.frame.flag, 0, 1);
    signal?.addEventListener('abort', stop);
    // Meanwhile JavaScript may drop or dispose the inputs, and tables may have to make room for others.
    const held = [...read, ...(this.#calls?.blocks() ?? [])];
    device.places.hold(held);
    try {
      this.#finish(run, await device.addon.runAsync(run.frame.address, layout.begin, [run, held, this]));
      this.#owner.device();
      return this.#results(device, run);
    } catch (thrown) {
      const failure = this.#failed(device, run, thrown);
      throw isAborted() ? signal!.reason : failure;
    } finally {
      signal?.removeEventListener('abort', stop);
      run.frame.flag[0] = 0;
      run.frame.forget();
      device.places.letGo(held);
      device.places.give(arena);
      this.#idle.push(run.frame);
      this.#end(device, run);
    }
  }

  #newFrame(device: Device): Frame {
    return new Frame(this.plan, device.places, device.addon, this.#constants);
  }

  // -------------------------------------------------------------- before

  #check(inputs: readonly EngineInput[]): Layout {
    execution.requireCount(this.plan, inputs.length);
    this.#binding.start();
    this.#takesBuffers = true;
    for (let i = 0; i < inputs.length; i++) this.#checkInput(i, inputs[i]!);
    if (this.#layout === undefined || this.#binding.hasPolynomials || !this.#binding.isSame) {
      this.#extents.bind(this.#binding.resolve((index) => execution.shapeOfInput(inputs[index]!)));
      this.#layout = this.#layOut();
      this.#arenaBytes = this.#layout.arenaBytes + (this.#extents.steps.length === 0 ? 0 : DECIDED_BYTES);
      this.#binding.accept();
    }
    return this.#layout;
  }

  #checkInput(index: number, input: EngineInput): void {
    const { dtype } = this.plan.inputs[index]!;
    if (input instanceof NativeBuffer) {
      if (input.engine !== this.#owner) throw execution.wrongInput(index, input);
      if (input.place === undefined) throw execution.disposedInput(index, input);
      this.#binding.check(index, input.dtype, input.shape);
      return;
    }
    this.#takesBuffers = false;
    if (typeof input === 'number') this.#binding.check(index, dtype, noAxes);
    else {
      if (typeof input !== 'object' || input === null || !('data' in input)) throw execution.wrongInput(index, input);
      execution.checkHostData(`run: input ${index}`, dtype, input.shape, input.data, addressLimit);
      this.#binding.check(index, dtype, input.shape);
    }
  }

  #layOut(): Layout {
    const { addon, operations, threads, level } = this.#owner.device();
    const sizes = this.#extents.assumed;
    const value = execution.dimValue(sizes);
    const most = this.#extents.steps.length === 0 ? value : (dim: Dim): number => this.#extents.maximum(dim);
    const layout = layoutPlan({ plan: this.plan, sizes, most, addon, operations, threads, level });
    this.#calls?.bind(layout.words, layout.calls, value);
    return layout;
  }

  /** What a run in the background reads is left alone: outputs get other memory. */
  #donated(device: Device, inputs: readonly EngineInput[], donate: readonly number[]): Donated {
    if (donate.length === 0) return notDonated;
    const { buffers, reused } = execution.donatedOf(this.plan, inputs, donate, isNativeBuffer);
    return { buffers, reused: reused.map((buffer) => (buffer === undefined || device.places.isHeld(buffer.place!) ? undefined : buffer)) };
  }

  #begin(device: Device, frame: Frame, layout: Layout, inputs: readonly EngineInput[], donated: Donated, arena: Place): Run {
    const outputs: Place[] = [];
    const temporaries: Place[] = [];
    frame.prepare(layout, arena);
    for (let i = 0; i < inputs.length; i++) this.#placeInput(device, frame, i, inputs[i]!, temporaries);
    for (let i = 0; i < layout.outputBytes.length; i++) {
      const place = donated.reused[i]?.place ?? device.places.take(this.#capacity(i, layout));
      outputs.push(place);
      for (const buffer of this.#outputBuffers[i]!) frame.set(buffer, place);
    }
    this.#extents.start();
    this.#calls?.begin(frame.words, layout.calls);
    return { frame, layout, outputs, temporaries, ...takeDonated(donated) };
  }

  #placeInput(device: Device, frame: Frame, index: number, input: EngineInput, temporaries: Place[]): void {
    const buffers = this.#inputBuffers[index]!;
    if (input instanceof NativeBuffer) {
      for (let i = 0; i < buffers.length; i++) frame.set(buffers[i]!, input.place!);
      return;
    }
    const { dtype } = this.plan.inputs[index]!;
    if (typeof input === 'number') {
      frame.scalars.write(index, dtype, input);
      const { memory, offset, address } = frame.scalarPlace;
      for (const buffer of buffers) frame.set(buffer, { memory, offset: offset + 16 * index, address: address + 16 * index });
      return;
    }
    const place = device.upload(dtype, (input as HostInput).data);
    temporaries.push(place);
    for (const buffer of buffers) frame.set(buffer, place);
  }

  /** Bytes that output i takes at most. */
  #capacity(i: number, layout: Layout): number {
    const { dtype, shape } = this.plan.outputs[i]!;
    return this.#extents.steps.length === 0 ? layout.outputBytes[i]! : this.#extents.maximum(elementCount(shape)) * dtypes[dtype].bytes;
  }

  // -------------------------------------------------------------- between

  /** Reads the scalar; another value than that of the last run means another table. Gives the word where the run goes on. */
  #decide(device: Device, run: Run, step: ExtentStep, index: number): number {
    const wordOf = ({ buffer, offset }: ExtentStep['from']): Int32Array => {
      const place = run.frame.places[buffer]!;
      return new Int32Array(place.memory, place.offset + 4 * evaluateDim(offset, this.#extents.assumed), 1);
    };
    const { value, isNew } = this.#extents.decide(step, wordOf(step.from)[0]!);
    wordOf(step.to)[0] = value;
    if (isNew) {
      const layout = this.#layOut();
      invariant(layout.arenaBytes <= this.#arenaBytes, 'cpu-blas-native: a run outgrew its arena');
      this.#layout = layout;
      this.#calls?.keepFailure(run.frame.words, run.layout.calls);
      (run as { layout: Layout }).layout = layout;
      run.frame.prepare(layout, device.arena(this.#arenaBytes));
      this.#calls?.fill(run.frame.words, layout.calls);
    }
    return run.layout.extentEnds.get(index)!;
  }

  #finish(run: Run, given: number): void {
    if (given !== status.done) throw this.#faultOf(run, given);
  }

  /** What a status means. */
  #faultOf({ frame, layout }: Pick<Run, 'frame' | 'layout'>, given: number): TfError {
    const at = frame.words[header.at]!;
    if (given === status.index) {
      const step = layout.indexed.get(at)!;
      return rowError(step.kind, frame.words[header.badIndex]!, evaluateDim(step.rows, layout.sizes), step.named);
    }
    if (given === status.memory) return new TfError('TooLargeError', 'cpu-blas-native: there is no memory to turn the operands of a product. Work in smaller batches, or dispose what is needed no more.', { engine: 'cpu-blas-native' });
    return new TfError('EngineFaultError', `cpu-blas-native: the step table is wrong at word ${at} (status ${given}). This is a fault of tf: please report it with the program.`, { engine: 'cpu-blas-native', word: at, status: given });
  }

  // -------------------------------------------------------------- after

  #results(device: Device, { frame, layout, outputs, reused, spent }: Run): readonly DeviceBuffer[] {
    const failed = this.#calls?.failed(frame.words, layout.calls);
    if (failed !== undefined) throw failed;
    const results = outputs.map((place, i): DeviceBuffer => {
      const source = reused[i];
      const { dtype } = this.plan.outputs[i]!;
      const shape = layout.outputShapes[i]!;
      return source === undefined ? device.adopt(this.#owner, dtype, shape, this.#fit(device, place, layout.outputBytes[i]!)) : new NativeBuffer(this.#owner, dtype, shape, place, source.lease);
    });
    for (const given of spent) device.drop(given);
    return results;
  }

  /** An output that came out smaller than it might have goes to memory of its size. */
  #fit(device: Device, place: Place, bytes: number): Place {
    if (this.#extents.steps.length === 0) return place;
    const fitting = device.places.take(bytes);
    if (fitting.bytes >= place.bytes) {
      device.places.give(fitting);
      return place;
    }
    new Uint8Array(fitting.memory, fitting.offset, bytes).set(new Uint8Array(place.memory, place.offset, bytes));
    device.places.give(place);
    return fitting;
  }

  #failed(device: Device, { frame, outputs, reused, spent }: Run, thrown: unknown): unknown {
    outputs.forEach((place, i) => {
      if (reused[i] === undefined) device.places.give(place);
    });
    for (const given of [...reused, ...spent]) if (given !== undefined) device.drop(given);
    frame.forget();
    return thrown;
  }

  #end(device: Device, { frame, temporaries }: Run): void {
    for (const place of temporaries) device.places.give(place);
    device.tables.tick();
    frame.release();
  }
}

/** From now on the buffers are empty: nobody else can use or dispose what the run works on. */
function takeDonated({ buffers, reused }: Donated): Pick<Run, 'reused' | 'spent'> {
  if (buffers.length === 0) return { reused: nothingGiven, spent: [] };
  const givenBy = ({ place, lease }: NativeBuffer): Given => ({ place: place!, lease });
  const taken = { reused: reused.map((buffer) => (buffer === undefined ? undefined : givenBy(buffer))), spent: buffers.filter((buffer) => !reused.includes(buffer)).map(givenBy) };
  for (const buffer of buffers) buffer.giveUp();
  return taken;
}

function isNativeBuffer(input: unknown): input is NativeBuffer {
  return input instanceof NativeBuffer;
}

