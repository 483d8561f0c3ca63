/**
 * The contract between core, families, front ends and engines: types only. It may grow; what it says is not changed
 * without raising {@link Contract}.
 *
 * Laws, which the test kit checks for every family (J: the Jacobian at the primal point, ⟨a, b⟩ = Re Σ conj(a)·b):
 *
 *     ⟨ct, J v⟩ = ⟨Jᵀ ct, v⟩            transpose is the adjoint, ℝ-linear
 *     J v = lim (f(x + h v) − f(x)) / h   linearize is the derivative
 *     type(J v) = type(f(x)),  type(Jᵀ ct) = type(x)
 *     rule(x) emits the same instructions each time
 *     values read by a rule ⊆ its residuals
 *     batch(f)(X) = stack(f(xᵢ))
 *     prune keeps the live outputs, augment keeps the first ones
 */
import type { DType, TypedArray } from './types/dtype.ts';
import type { Dim } from './types/dim.ts';
import type { Assembly, IndexMap, LoopKernel, MonoidName, ScalarExpr, Scan, ScanKernel } from './types/loop-language.ts';
import type { Kind, Operand } from './types/operand.ts';
import type { ConstraintSink, DimConstraint, Shape } from './types/shape.ts';
import type { TensorType } from './types/tensor-type.ts';

/** The version of this contract. */
export type Contract = 1;

// ---------------------------------------------------------------- programs

export interface VarKind extends Kind {
  readonly out: Var<this['D']>;
  readonly level: 3;
}

/** One value of a program: assigned once, known by its type. */
export interface Var<D extends DType = DType> extends Operand<VarKind, D> {
  /** Position in the order of creation within its builder; identity is the object, never the number. */
  readonly id: number;
  readonly name: string | undefined;
}

/** A constant in the program text: a scalar or at most 64 elements. Part of the program's hash. */
export interface Literal {
  readonly literal: true;
  readonly type: TensorType;
  readonly data: TypedArray;
}

export type Atom = Var | Literal;

/** Parameters are plain data: they are printed, hashed and compared by value. A program as parameter is a region. */
export type ParamValue = number | string | boolean | null | Dim | Program | readonly ParamValue[];
export interface Params {
  readonly [name: string]: ParamValue;
}

export interface Instruction {
  readonly operation: Operation;
  readonly inputs: readonly Atom[];
  readonly params: Params;
  readonly outputs: readonly Var[];
  /** When it was created (contracts.md §3.5): cotangents of one value are added in descending order of this number. */
  readonly number: number;
}

/** A value fixed when the program was built: a weak scalar or a large constant. Outside the hash, compared by identity. */
export interface BoundInput {
  readonly variable: Var;
  readonly value: unknown;
}

/** An SSA program. `bound` are further inputs whose values are known; a region has none. */
export interface Program {
  readonly inputs: readonly Var[];
  readonly bound: readonly BoundInput[];
  readonly instructions: readonly Instruction[];
  readonly outputs: readonly Atom[];
  /** Equalities between symbolic extents, checked when inputs are bound. */
  readonly constraints: readonly DimConstraint[];
}

// ---------------------------------------------------------------- operations

/** What passes may know about an operation without knowing its name. */
export interface Traits {
  /** One output element from one element of each input (inputs broadcast): one expression per output lane. */
  readonly elementwise?: (params: Params, inputs: readonly DType[]) => readonly ScalarExpr[];
  /** Folds `params.axes` (sorted list) of its one input; `params.keepdims` keeps them with extent 1. */
  readonly reduction?: MonoidName;
  /** Only rearranges elements of its one input. */
  readonly layout?: (params: Params, input: TensorType, output: TensorType) => IndexMap;
  /** Puts its result together from pieces of its inputs. */
  readonly assembly?: (params: Params, inputs: readonly TensorType[], output: TensorType) => Assembly;
  /** A batched contraction of two inputs; axes of the output: batch, free of lhs, free of rhs. */
  readonly contraction?: (params: Params) => ContractionAxes;
  /** Reads elements of its first input at the places that its second, an integer tensor, names. */
  readonly gather?: (params: Params, inputs: readonly TensorType[]) => IndexedAxes;
  /** Puts its third input into a copy of its first at the places that its second names, one after the other. */
  readonly scatter?: (params: Params, inputs: readonly TensorType[]) => ScatterAxes;
  /** Adds its second input to a box of its first: element i of the second to `start + i·step`. */
  readonly boxAdd?: (params: Params) => { readonly start: readonly Dim[]; readonly step: readonly number[] };
  /**
   * For operations whose result is 0 but for what they put there, which inputs may decide (`isZero`: known to be 0 throughout): the
   * operation that adds the same to a running sum, its first operand, and which inputs follow. So a thousand slices of one
   * vector add their cotangents in place, instead of a thousand vectors.
   */
  readonly asAccumulation?: (params: Params, isZero: readonly boolean[]) => Accumulation | undefined;
  /** One int32: this extent, as far as it is known when the instruction runs. It takes no inputs. */
  readonly size?: (params: Params) => Dim;
  /**
   * Its input is an int32 scalar k; its output is min(max(k, 0), bound), which is from now on the value of `symbol`. Whoever
   * carries the operation out chooses the symbol, so that it is new where it comes up (`Listener.extent`).
   */
  readonly extent?: (params: Params) => ExtentDefinition;
  /** Sorts along an axis: the elements in order, and the int32 index that each had. */
  readonly sort?: (params: Params) => Sort;
  /** A running value along one axis: sums of more and more elements, and the like. */
  readonly scan?: (params: Params, inputs: readonly DType[]) => Scan;
  /** Has no input: element i of its one axis is i. */
  readonly iota?: boolean;
  /** The value passes through unchanged; compile removes it, differentiation does not. */
  readonly identity?: boolean;
  /** The value passes through unchanged, and what is computed from it is computed again: no pass looks through it. */
  readonly barrier?: boolean;
  /** Runs programs that are its parameters (contracts.md §2). */
  readonly control?: (params: Params) => Control;
}

/** An extent that a run decides: 0 ≤ symbol ≤ bound. Where the symbol is a number, it was decided before. */
export interface ExtentDefinition {
  readonly symbol: Dim;
  readonly bound: Dim;
}

/**
 * How an operation runs the programs among its parameters. *call*: its inputs are the body's. *branch*: an int32, brought into range,
 * chooses one; the other inputs are those of every branch. *scan*: inputs are constants, carries and stacks of `length` slices; the body
 * takes constants, carries and one slice of each stack, and gives carries and slices of the results; with `reverse`, from the last
 * slice to the first. *while*: inputs are constants of the condition, constants of the body, and carries, which both take after
 * their constants.
 */
export type Control =
  | { readonly kind: 'call'; readonly body: Program }
  | { readonly kind: 'branch'; readonly branches: readonly Program[] }
  | { readonly kind: 'scan'; readonly body: Program; readonly constants: number; readonly carries: number; readonly length: Dim; readonly reverse: boolean }
  | { readonly kind: 'while'; readonly condition: Program; readonly body: Program; readonly conditionConstants: number; readonly bodyConstants: number };

/** Stable: equal elements keep their order, in either direction. NaN is larger than every number; −0 and 0 are equal. */
export interface Sort {
  readonly axis: number;
  readonly descending: boolean;
}

export interface Accumulation {
  readonly operation: Operation;
  readonly params: Params;
  readonly inputs: readonly number[];
}

export interface ContractionAxes {
  readonly lhsContract: readonly number[];
  readonly rhsContract: readonly number[];
  readonly lhsBatch: readonly number[];
  readonly rhsBatch: readonly number[];
}

/**
 * How indices name places along one axis. The iteration axes are those of a gather's output or a scatter's updates: each
 * walks an axis of the indexed tensor, an axis of the indices, or (`takeAlongAxis`) both.
 */
export interface IndexedAxes {
  readonly axis: number;
  /** Per iteration axis: the axis of the indexed tensor that it walks, or null. */
  readonly walks: readonly (number | null)[];
  /** Per iteration axis: the axis of the indices that it walks, or null. */
  readonly indexedBy: readonly (number | null)[];
}

/** What an element and an update that meets it become: their sum, the update, the larger or the smaller one. */
export type Combine = 'add' | 'set' | 'max' | 'min';

export interface ScatterAxes extends IndexedAxes {
  readonly combine: Combine;
}

/** One operation of a family. A plain value, the same object wherever the family's package is the same copy. */
export interface Operation {
  /** `family.name`, unique in a catalog. */
  readonly id: string;
  readonly family: string;
  readonly name: string;
  /** Checks operands and parameters and gives the output types; undecidable equalities go to `sink`. */
  infer(inputs: readonly TensorType[], params: Params, sink: ConstraintSink): readonly TensorType[];
  readonly traits: Traits;
}

// ---------------------------------------------------------------- rules

/** Derivatives of one operation (contracts.md §1): at least one of `linearize`, `transpose`, `vjp`; or why there is none. */
export type Rule = NoRule | DerivativeRule;

export interface NoRule {
  readonly kind: 'none';
  readonly reason: string;
  readonly batch?: BatchRule;
}

export interface DerivativeRule {
  readonly kind: 'rule';
  /** Tangents of the outputs from tangents of the inputs; `undefined` where an input is inactive or an output constant. */
  readonly linearize?: (ctx: RuleContext, tangents: readonly (Var | undefined)[]) => readonly (Var | undefined)[];
  /** Inputs in which the operation is linear, all together (`add`) or each for itself (`mul`). */
  readonly linear?: { readonly inputs: readonly number[] | 'all' | ((params: Params) => readonly number[]); readonly how: 'together' | 'each' };
  /** Adjoint in the inputs for which `ctx.active` is true; cotangents are `undefined` for outputs nobody used. */
  readonly transpose?: (ctx: RuleContext, cotangents: readonly (Var | undefined)[]) => readonly (Var | undefined)[];
  /** Cotangents of the inputs from cotangents of all outputs; better than both above, or the only one there is. */
  readonly vjp?: (ctx: RuleContext, cotangents: readonly Var[]) => readonly (Var | undefined)[];
  /** What `vjp` reads of inputs and outputs; reading anything else throws. */
  readonly residuals?: { readonly inputs?: readonly number[]; readonly outputs?: readonly number[] };
  readonly batch?: BatchRule;
}

/**
 * How an operation runs over a further axis of some inputs, which is their first: by a function; as it is, because it maps
 * over leading axes already; one element of the batch after the other; or not, for a reason. Without, what the traits say
 * decides, and where they say nothing, `loop`.
 */
export type BatchRule = BatchFunction | 'leading' | 'loop' | { readonly kind: 'none'; readonly reason: string };

/** The outputs, each with the batch axis first. */
export type BatchFunction = (ctx: BatchContext) => readonly Var[];

/** What a batch rule sees. Types are those without the batch axis. */
export interface BatchContext {
  readonly operation: Operation;
  readonly params: Params;
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  /** The extent of the batch axis. */
  readonly size: Dim;
  /** Which inputs have a batch axis; at least one does. */
  readonly batched: readonly boolean[];
  /** An input as it is, for what takes atoms: with the batch axis first where it has one. */
  atom(index: number): Atom;
  /** The same for what computes with it. */
  input(index: number): Var;
  /** An input with the batch axis first: repeated along it where it has none. */
  whole(index: number): Var;
  /** A program among the parameters over the batch: inputs and outputs marked have the batch axis first. */
  region(program: Program, batched: readonly boolean[]): { readonly program: Program; readonly batched: readonly boolean[] };
  apply(operation: Operation, inputs: readonly Atom[], params: Params): readonly Var[];
}

/** What a rule sees. Reading a primal value makes it a residual; types and parameters are free. */
export interface RuleContext {
  readonly operation: Operation;
  readonly params: Params;
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  /** Which inputs are differentiated (in `transpose`: are linear). */
  readonly active: readonly boolean[];
  /** Which outputs have a cotangent. */
  readonly live: readonly boolean[];
  input(index: number): Var;
  output(index: number): Var;
  /** Carries out an operation of the family by name-free reference, e.g. `ctx.apply(ctx.operation, [dx], ctx.params)`. */
  apply(operation: Operation, inputs: readonly Atom[], params: Params): readonly Var[];
  zeros(type: TensorType): Var;
  /** Derivatives of programs among the parameters. */
  readonly regions: RegionDerivatives;
}

/** Transforms of programs for the rules of operations that run them; no rule imports a transform. */
export interface RegionDerivatives {
  /** The tangents of a program's outputs, when the inputs marked as active have tangents. */
  linearize(program: Program, active: readonly boolean[]): RegionTangents;
  /** The adjoint of a program that is linear in the inputs marked, for cotangents of the outputs marked as live. */
  transpose(program: Program, linear: readonly boolean[], live: readonly boolean[]): RegionCotangents;
}

export interface RegionTangents {
  /** The program, which gives the residuals that are none of its inputs as further outputs. */
  readonly primal: Program;
  /** What the tangents read: an input of the program, or one of those further outputs, counted from the first. */
  readonly residuals: readonly { readonly kind: 'input' | 'further'; readonly index: number }[];
  /** Inputs: the residuals, then the tangents of the active inputs. */
  readonly tangent: Program;
  /** Per output of the program: which output of `tangent` it is, or undefined where nothing flows. */
  readonly results: readonly (number | undefined)[];
}

export interface RegionCotangents {
  /** Inputs: those of the program that are not linear, then the cotangents of the live outputs. */
  readonly program: Program;
  /** Per linear input: which output of `program` it is, or undefined where nothing flows. */
  readonly results: readonly (number | undefined)[];
}

/** Operations that transforms need, named by role so that no transform names a family. */
export interface Basis {
  readonly add: Operation;
  readonly sum: Operation;
  readonly reshape: Operation;
  readonly broadcastTo: Operation;
  readonly identity: Operation;
  /** Of the control form *scan*, with its parameters. */
  readonly scan: Operation;
}

/** Who supplies operations and their rules: a plain value without side effects. */
export interface Extension {
  readonly contract: Contract;
  /** The family id, beginning with its owner's prefix, e.g. `tf.linalg.v1`. */
  readonly family: string;
  readonly package: string;
  readonly version: string;
  readonly operations: readonly Operation[];
  /** By operation name; an operation without an entry is refused. */
  readonly rules: { readonly [operation: string]: Rule };
  readonly basis?: Basis;
}

/** A frozen set of extensions. */
export interface Catalog {
  readonly extensions: readonly Extension[];
  readonly basis: Basis;
  /** The operation with this id, or undefined. */
  operation(id: string): Operation | undefined;
  /** The rule, or an `UnregisteredFamilyError` naming what to register. */
  rule(operation: Operation): Rule;
  /** A catalog with further extensions. */
  with(...extensions: readonly Extension[]): Catalog;
}

// ---------------------------------------------------------------- plans

/** Where an element lies: `offset + Σ index·stride`, in elements of the buffer. */
export interface BufferView {
  readonly buffer: number;
  readonly offset: Dim;
  /** One per iteration axis of the step. */
  readonly strides: readonly Dim[];
}

/** The closed set of steps that an engine implements. Engines never see an operation's name. */
export type Step = LoopStep | ContractStep | CopyStep | IotaStep | ScanStep | SortStep | GatherStep | ScatterStep | TileStep | RepeatStep | WhileStep | BranchStep | SizeStep | ExtentStep;

/** A write may lie where the same iteration reads, and no other: an engine reads all of an element, or of several, before it writes. */
export interface LoopStep {
  readonly kind: 'loop';
  readonly kernel: LoopKernel;
  /** Extents of the iteration axes; the first `rank − reduce.axes` index the writes. */
  readonly extents: readonly Dim[];
  readonly reads: readonly BufferView[];
  readonly writes: readonly BufferView[];
}

/**
 * Loops over the same rows. The outermost extent of each is a multiple q·rows; its row r are the iterations r·q … r·q + q − 1.
 * Row r of a loop reads, of what loops of this step write, row r alone. So the loops may run one after the other, or all of
 * them for some rows, then for the next ones: how many at a time is the engine's choice, and no bit depends on it.
 */
export interface TileStep {
  readonly kind: 'tile';
  readonly rows: Dim;
  readonly steps: readonly LoopStep[];
}

/** out[…batch, m, n] = Σₖ lhs[…batch, m, k]·rhs[…batch, k, n]; the order over k depends on (m, n, k, dtype) only. */
export interface ContractStep {
  readonly kind: 'contract';
  readonly dtype: DType;
  readonly batch: readonly Dim[];
  readonly m: Dim;
  readonly n: Dim;
  readonly k: Dim;
  /** Strides: …batch, m, k. */
  readonly lhs: BufferView;
  /** Strides: …batch, k, n. */
  readonly rhs: BufferView;
  /** Strides: …batch, m, n. */
  readonly out: BufferView;
}

/** Copies `elements` contiguous elements. */
export interface CopyStep {
  readonly kind: 'copy';
  readonly dtype: DType;
  readonly elements: Dim;
  readonly from: { readonly buffer: number; readonly offset: Dim };
  readonly to: { readonly buffer: number; readonly offset: Dim };
}

/** A {@link ScanKernel} over its axes; running from an axis's end is running along negative strides. */
export interface ScanStep {
  readonly kind: 'scan';
  readonly kernel: ScanKernel;
  readonly extents: readonly Dim[];
  readonly reads: readonly BufferView[];
  readonly write: BufferView;
}

/** Sorts along the last of its axes (see {@link Sort}): the elements in order, and the index that each had. */
export interface SortStep {
  readonly kind: 'sort';
  readonly dtype: DType;
  readonly descending: boolean;
  readonly extents: readonly Dim[];
  readonly from: BufferView;
  readonly values: BufferView;
  /** int32. */
  readonly indices: BufferView;
  /** int32: eight words for each element of one sorted line, for the engine's use. */
  readonly workspace: { readonly buffer: number; readonly offset: Dim };
}

/** out[i] = i for `elements` contiguous elements, in a real dtype that is not bool; rounded once where that does not hold i. */
export interface IotaStep {
  readonly kind: 'iota';
  readonly dtype: DType;
  readonly elements: Dim;
  readonly out: { readonly buffer: number; readonly offset: Dim };
}

/** What gathers and scatters share: an index below 0 counts from the end; one that names no row is an `IndexError`. */
export interface IndexedStep {
  readonly dtype: DType;
  readonly extents: readonly Dim[];
  /** int32 indices. */
  readonly indices: BufferView;
  /** The rows that an index chooses from, and how far apart they lie in the indexed tensor. */
  readonly rows: Dim;
  readonly rowStride: Dim;
}

/** out[i] = source[i, row indices[i]], for each i of the iteration axes. */
export interface GatherStep extends IndexedStep {
  readonly kind: 'gather';
  readonly source: BufferView;
  readonly out: BufferView;
}

/** target[i, row indices[i]] is combined with updates[i], for each i in row-major order. */
export interface ScatterStep extends IndexedStep {
  readonly kind: 'scatter';
  readonly combine: Combine;
  readonly updates: BufferView;
  readonly target: BufferView;
}

/**
 * Runs steps again and again, for `counter` = 0 … `count` − 1. Offsets of views inside (and nothing else) may contain the symbol
 * `counter`, linearly: where iteration i reads its slice and writes its row. What iterations hand on lies in buffers.
 */
export interface RepeatStep {
  readonly kind: 'repeat';
  readonly counter: string;
  readonly count: Dim;
  readonly steps: readonly Step[];
}

/** Runs the condition's steps, then as long as `holds`, one bool, is true: `steps`, and the condition's again. */
export interface WhileStep {
  readonly kind: 'while';
  readonly condition: readonly Step[];
  readonly holds: BufferView;
  readonly steps: readonly Step[];
}

/** Runs the branch that `index`, one int32, names; below 0 the first one, beyond the end the last. */
export interface BranchStep {
  readonly kind: 'branch';
  readonly index: BufferView;
  readonly branches: readonly (readonly Step[])[];
}

/** Writes an extent as an int32. */
export interface SizeStep {
  readonly kind: 'size';
  readonly value: Dim;
  readonly to: { readonly buffer: number; readonly offset: Dim };
}

/**
 * Reads an int32 and defines a symbol: min(max(value, 0), bound), which it writes too. Later steps, buffers and outputs
 * mention the symbol, no earlier step does; slots of the arena are sized without it.
 */
export interface ExtentStep {
  readonly kind: 'extent';
  readonly symbol: string;
  readonly bound: Dim;
  readonly from: { readonly buffer: number; readonly offset: Dim };
  readonly to: { readonly buffer: number; readonly offset: Dim };
}

export type BufferPlace =
  | { readonly kind: 'input'; readonly index: number }
  | { readonly kind: 'output'; readonly index: number }
  /**
   * Shares arena slot `slot` with buffers whose lifetimes do not overlap, but for a loop that works in place: it writes a
   * buffer where it reads another, no fold, each element where the same iteration has read it. An intermediate may
   * share an output's memory in the same way.
   */
  | { readonly kind: 'arena'; readonly slot: number }
  /**
   * Touched by one tile step only, whose rows divide its elements: it needs memory for the rows that are worked on at a time,
   * which begin at its begin. Shares tile slot `slot` with buffers that loops of the same step do not use meanwhile, and with
   * those of other steps.
   */
  | { readonly kind: 'tile'; readonly slot: number }
  | { readonly kind: 'constant'; readonly data: TypedArray };

export interface PlanBuffer {
  readonly dtype: DType;
  readonly elements: Dim;
  readonly place: BufferPlace;
}

/** The output may lie in the input's memory, where the input is donated: it is read for the last time before. */
export interface Donation {
  readonly input: number;
  readonly output: number;
}

/** One run of a program: order, lifetimes and memory are decided; sizes come with the inputs. */
export interface Plan {
  readonly contract: Contract;
  /** Program inputs followed by bound inputs. */
  readonly inputs: readonly TensorType[];
  readonly outputs: readonly TensorType[];
  readonly buffers: readonly PlanBuffer[];
  /** Each arena slot is as large as the largest of these byte counts, in which no introduced symbol occurs. */
  readonly slots: readonly (readonly Dim[])[];
  /** Each input and each output once at most. Absent: none. */
  readonly donations?: readonly Donation[];
  readonly steps: readonly Step[];
  readonly constraints: readonly DimConstraint[];
  /** Sum of all intermediates in bytes, had each its own memory: what the arena is compared with. */
  readonly intermediateBytes: Dim;
}

// ---------------------------------------------------------------- engines

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

export interface RunOptions {
  /**
   * Inputs, by index, whose buffers the caller gives up: the outputs may take their memory. They are disposed once the run
   * has begun, even if it fails then; a run that is refused before (shapes, dtypes, memory) leaves them as they are. What
   * is no buffer is given up anyway.
   */
  readonly donate?: readonly number[];
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
  stats(): EngineStats;
  /** Equal plans (by value) give the same executable. */
  compile(plan: Plan): Executable;
  upload(dtype: DType, shape: readonly number[], data: TypedArray): DeviceBuffer;
  /** A copy of the values. */
  read(buffer: DeviceBuffer): TypedArray;
  dispose(): void;
}

export type { Shape };
