/** Programs, and the operations that they are made of: what is computed. Types only. */
import type { Dim } from '../types/dim.ts';
import type { DType, TypedArray } from '../types/dtype.ts';
import type { IndexSource } from '../types/index-source.ts';
import type { Assembly, IndexMap, MonoidName, ScalarExpr, Scan } from '../types/loop-language.ts';
import type { Kind, Operand } from '../types/operand.ts';
import type { ConstraintSink, DimConstraint } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';

/** The version of this contract. */
export type Contract = 1;

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
  /**
   * Its inputs are repeated where they are smaller than the output, as NumPy broadcasts; an elementwise operation does it anyway.
   * Rules may then give a cotangent in the output's shape, which the transforms sum; all others give it in the input's.
   */
  readonly broadcasts?: boolean;
  /** Folds `params.axes` (sorted list) of its one input; `params.keepdims` keeps them with extent 1. */
  readonly reduction?: MonoidName;
  /** Only rearranges elements of its one input. */
  readonly layout?: (params: Params, input: TensorType, output: TensorType) => IndexMap;
  /** For a rearrangement without loss: the parameters with which the operation itself brings its result back to its input. */
  readonly undo?: (params: Params, input: TensorType) => Params;
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
  /** Random numbers, which the key among its inputs decides: with the same inputs they are the same. */
  readonly random?: boolean;
  /** Runs programs that are its parameters (contracts.md §2). */
  readonly control?: (params: Params) => Control;
  /** What to run instead where only the outputs marked are read; undefined where that is no cheaper. */
  readonly prune?: (params: Params, live: readonly boolean[], inputs: readonly TensorType[], outputs: readonly TensorType[]) => Narrowed | undefined;
  /** What another operation, or each of several, would compute from the same inputs, which is among the outputs: where both are wanted, only this one runs. */
  readonly covers?: (params: Params) => Covered | readonly Covered[] | undefined;
  /**
   * For two of this operation that run one after the other: one that does both, where that needs less memory or time. `given` says of
   * each operand of the second whether it is a result of the first, or an operand that the first has too; other operands of it depend on no
   * result of the first. Undefined where one cannot do both with the same bits.
   */
  readonly join?: (first: Params, second: Params, given: readonly (SharedOperand | undefined)[]) => JoinedPair | undefined;
  /** The kernel of an execution module that computes it. Inputs and outputs of the kernel are row-major and contiguous. */
  readonly call?: (params: Params, inputs: readonly TensorType[], outputs: readonly TensorType[]) => KernelCall;
}

/** What makes an execution module: `{ call: 'acmeHost()', from: '@acme/signal/host' }`. */
export interface ModuleSource {
  readonly call: string;
  readonly from: string;
}

/** What an operation computes beside more; which of its outputs that is, in order. */
export interface Covered {
  readonly operation: Operation;
  readonly params: Params;
  readonly outputs: readonly number[];
  /** `false`: by another algorithm, so that last digits may differ. */
  readonly exact?: false;
}

/** The cheaper operation: which inputs it takes, and per output which of its own it is, undefined for one that nobody reads. */
export interface Narrowed {
  readonly operation: Operation;
  readonly params: Params;
  readonly inputs: readonly number[];
  readonly outputs: readonly (number | undefined)[];
  /** `false`: by another algorithm, so that last digits may differ. */
  readonly exact?: false;
}

/** An operand that is a result of another instruction, or an operand of it too. */
export interface SharedOperand {
  readonly kind: 'output' | 'input';
  readonly index: number;
}

/** Two operations in one. Operands and results count from the first operation's through the second's. */
export interface JoinedPair {
  readonly operation: Operation;
  readonly params: Params;
  /** Which operands it takes. */
  readonly inputs: readonly number[];
  /** Which result of the two each of its own is: all of them, each once. */
  readonly outputs: readonly number[];
}

/** A kernel by its symbol, `family.name` with a variant such as the dtype: `tf.fft.v1.dft.complex128`; and the numbers that it gets. */
export interface KernelCall {
  readonly symbol: string;
  readonly integers: readonly Dim[];
  /** Bytes. */
  readonly workspace?: Dim;
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
  /** What an index out of range is called. */
  readonly named?: IndexSource;
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
  /** The package to name where the family is not registered, and its version: two copies that differ are refused by both. */
  readonly package?: string;
  readonly version?: string;
  /** Where its kernels come from, best first: errors tell whoever gave an engine none what to write. */
  readonly modules?: readonly ModuleSource[];
  /** How many operands it takes, or the least and the most; checked before `infer`. Any number when absent. */
  readonly arity?: number | readonly [least: number, most: number];
  /**
   * The same computation by public functions over Vars: what runs where no execution module has a kernel for it. It may use
   * other operations that are lowered.
   */
  readonly lower?: (inputs: readonly Var[], params: Params, outputTypes: readonly TensorType[]) => readonly Var[];
}
