/** Rules, extensions and catalogs: how operations differentiate and batch, and who supplies them. Types only. */
import type { Dim } from '../types/dim.ts';
import type { TensorType } from '../types/tensor-type.ts';
import type { Atom, Contract, Operation, Params, Program, Var } from './program.ts';
import type { OperationSupport } from './support.ts';

/** Derivatives of one operation (contracts.md §1): at least one of `linearize`, `transpose`, `vjp`; or why there is none. */
export type Rule = NoRule | DerivativeRule;

export interface NoRule {
  readonly kind: 'none';
  readonly reason: string;
  readonly batch?: BatchRule;
  /** What users should know, for `support`. */
  readonly caveats?: readonly string[];
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
  /**
   * Cotangents of the inputs of ½y² from its cotangent, y being the one real output: for a y whose square is smooth where it is not
   * itself. The reverse transform takes it where the cotangent of y was made as c·y. It reads no more than reverse does.
   */
  readonly halfSquare?: (ctx: RuleContext, ct: Var) => readonly (Var | undefined)[];
  /** What `vjp` reads of inputs and outputs; reading anything else throws. */
  readonly residuals?: { readonly inputs?: readonly number[]; readonly outputs?: readonly number[] };
  readonly batch?: BatchRule;
  /**
   * What to run instead where it is differentiated by the inputs that are active: its first outputs are those of the operation,
   * the further ones are residuals that its own rule reads. Undefined where there is nothing to gain.
   */
  readonly augment?: (site: RuleSite) => Augmented | undefined;
  /** What users should know, for `support`: one sentence each, e.g. where the derivative is a convention. */
  readonly caveats?: readonly string[];
}

export interface Augmented {
  readonly operation: Operation;
  readonly params: Params;
  /** `false`: by another algorithm, so that last digits of the first outputs may differ. */
  readonly exact?: false;
}

/**
 * How an operation runs over a further axis of some inputs, which is their first: by a function; as it is, because it maps
 * over leading axes already; one element of the batch after the other; or not, for a reason. Without, what the traits say
 * decides, and where they say nothing, `loop`.
 */
export type BatchRule = BatchFunction | 'leading' | 'loop' | { readonly kind: 'none'; readonly reason: string };

/** The outputs, each with the batch axis first, but for those that are {@link BatchContext.alike} for all elements. */
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
  /** Says that this, an output without the batch axis, is the same for all elements of the batch; gives it back. */
  alike(output: Var): Var;
  /** A program among the parameters over the batch: inputs and outputs marked have the batch axis first. */
  region(program: Program, batched: readonly boolean[]): { readonly program: Program; readonly batched: readonly boolean[] };
  apply(operation: Operation, inputs: readonly Atom[], params: Params): readonly Var[];
}

/** What a rule knows of an instruction without its values. */
export interface RuleSite {
  readonly operation: Operation;
  readonly params: Params;
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  /** Which inputs are differentiated (in `transpose`: are linear). */
  readonly active: readonly boolean[];
  /** Which outputs have a cotangent. */
  readonly live: readonly boolean[];
  /** Derivatives of programs among the parameters. */
  readonly regions: RegionDerivatives;
}

/** What a rule sees. Reading a primal value makes it a residual; types and parameters are free. */
export interface RuleContext extends RuleSite {
  input(index: number): Var;
  output(index: number): Var;
  /** Carries out an operation of the family by name-free reference, e.g. `ctx.apply(ctx.operation, [dx], ctx.params)`. */
  apply(operation: Operation, inputs: readonly Atom[], params: Params): readonly Var[];
  zeros(type: TensorType): Var;
  /**
   * In `transpose`: the sum of the cotangents that an input has from elsewhere, where the rule may add to it itself. A rule that asks
   * and gets one gives for that input the new sum. So what a loop adds up goes on in the memory of what was added before it.
   */
  running(index: number): Var | undefined;
}

/** Transforms of programs for the rules of operations that run them; no rule imports a transform. */
export interface RegionDerivatives {
  /** The tangents of a program's outputs, when the inputs marked as active have tangents. */
  linearize(program: Program, active: readonly boolean[]): RegionTangents;
  /**
   * The adjoint of a program that is linear in the inputs marked, for cotangents of the outputs marked as live. The cotangents of the inputs
   * marked in `summed` are added to sums that it takes.
   */
  transpose(program: Program, linear: readonly boolean[], live: readonly boolean[], summed?: readonly boolean[]): RegionCotangents;
}

export interface RegionTangents {
  /** The program, augmented where that gives residuals, with those that are none of its inputs as further outputs. */
  readonly primal: Program;
  /** What the tangents read: an input of the program, or one of those further outputs, counted from the first. */
  readonly residuals: readonly { readonly kind: 'input' | 'further'; readonly index: number }[];
  /** Inputs: the residuals, then the tangents of the active inputs. */
  readonly tangent: Program;
  /** Per output of the program: which output of `tangent` it is, or undefined where nothing flows. */
  readonly results: readonly (number | undefined)[];
}

export interface RegionCotangents {
  /** Inputs: those of the program that are not linear, the cotangents of the live outputs, then sums of cotangents so far. */
  readonly program: Program;
  /** Per linear input: which output of `program` it is, or undefined where nothing flows and there is no sum. */
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
  /** What an operation can do and by which route; `AdContext.support` says it of operands too. */
  support(operation: Operation): OperationSupport;
  /** A catalog with further extensions. */
  with(...extensions: readonly Extension[]): Catalog;
}
