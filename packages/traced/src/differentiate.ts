import { type AdContext, conj, type Derivative, type Dim, type DimConstraint, type Instruction, isComplex, isInexact, isKnown, type Literal, type Operand, renameExtents, replayProgram, scalarLiteral, type TensorType, TfError, ValueMap } from '@tf/core';
import { contextFor, contextOf, joinContexts } from './context.ts';
import { type Extraction, extractDependent } from './extract.ts';
import type { TracedAtom, TracedValue } from './origin.ts';

/** How derivatives are taken. */
export interface GradOptions {
  /** A value that the result does not depend on has the gradient zero; otherwise that is an `InactiveGradError`. */
  readonly allowUnused?: boolean;
  /** Conjugate cotangents on their way in and gradients on their way out: JAX's convention for complex values. */
  readonly conjugate?: boolean;
  /** Rules and caches; by default those that the values carry, else the core's rules and no cache. */
  readonly context?: AdContext;
}

/** Carries out an instruction whose output types are known already, on traced values. */
export type Replay = (instruction: Instruction, inputs: readonly TracedAtom[], constraints: readonly DimConstraint[], context: AdContext | undefined, sizes?: readonly TracedValue[]) => readonly TracedValue[];

/** What to differentiate: traced values that `outputs` are computed from, and how. */
export interface DerivativeOf {
  readonly op: string;
  readonly outputs: readonly TracedValue[];
  readonly wrt: readonly TracedValue[];
  readonly options: GradOptions;
}

/**
 * A derivative that was found once and is replayed for any number of seeds; undefined where nothing flows. Given a size, for
 * a whole batch of seeds at once: seeds and results have the batch as their first axis, results that are 0 apart.
 */
export type LinearMap = (seeds: readonly TracedAtom[], size?: Dim) => readonly (TracedAtom | undefined)[];

/**
 * Cotangents of `wrt` from one cotangent per output: the derivative program is replayed onto the traced values that it
 * reads, so the result can be differentiated again and no forward instruction is there twice.
 */
export function preparePullback(replay: Replay, { op, outputs, wrt, options }: DerivativeOf): LinearMap {
  for (const value of [...wrt, ...outputs]) requireTangent(op, value.type);
  const { context, inherited } = contextFor(op, [...outputs, ...wrt], options.context);
  const extraction = extractDependent(outputs, wrt);
  const derivative = context.pullback({ program: extraction.program, wrt: positionsOf(extraction, wrt), live: outputs.map(() => true) });
  const pull: LinearMap = (cotangents, size) => replayDerivative(replay, { extraction, derivative, wrt, context, size }, cotangents, joinContexts(op, inherited, contextOf(op, cotangents)));
  if (options.conjugate !== true) return pull;
  return (cotangents, size) => pull(cotangents.map(conjugated), size).map((result) => (result === undefined ? undefined : conjugated(result)));
}

/** Tangents of the outputs from one tangent per `wrt`. */
export function preparePushforward(replay: Replay, { op, outputs, wrt, options }: DerivativeOf): LinearMap {
  for (const value of wrt) requireTangent(op, value.type);
  const { context, inherited } = contextFor(op, [...outputs, ...wrt], options.context);
  const extraction = extractDependent(outputs, wrt);
  const derivative = context.pushforward({ program: extraction.program, wrt: positionsOf(extraction, wrt), live: [] });
  return (tangents, size) => replayDerivative(replay, { extraction, derivative, wrt, context, size }, tangents, joinContexts(op, inherited, contextOf(op, tangents)));
}

/** {@link preparePullback} for one set of cotangents, whose context counts too. */
export function pullbackTraced(replay: Replay, of: DerivativeOf & { readonly cotangents: readonly TracedAtom[] }): readonly (TracedAtom | undefined)[] {
  return preparePullback(replay, { ...of, options: withContextOf(of.op, of.cotangents, of.options) })(of.cotangents);
}

/** {@link preparePushforward} for one set of tangents, whose context counts too. */
export function pushforwardTraced(replay: Replay, of: DerivativeOf & { readonly tangents: readonly TracedAtom[] }): readonly (TracedAtom | undefined)[] {
  return preparePushforward(replay, { ...of, options: withContextOf(of.op, of.tangents, of.options) })(of.tangents);
}

function withContextOf(op: string, seeds: readonly TracedAtom[], options: GradOptions): GradOptions {
  const context = joinContexts(op, contextOf(op, seeds), options.context);
  return context === undefined ? options : { ...options, context };
}

function positionsOf({ positionOf }: Extraction, wrt: readonly TracedValue[]): readonly number[] {
  return wrt.map((value) => positionOf(value) as number);
}

interface Prepared {
  readonly extraction: Extraction;
  readonly derivative: Derivative;
  readonly wrt: readonly TracedValue[];
  readonly context: AdContext;
  readonly size: Dim | undefined;
}

/** The derivative program's inputs are residuals, which are traced values already, and then `seeds`. */
function replayDerivative(replay: Replay, { extraction, derivative, wrt, context: rules, size }: Prepared, seeds: readonly TracedAtom[], context: AdContext | undefined): readonly (TracedAtom | undefined)[] {
  const { residuals, results } = derivative;
  // Every result is a sum of what flowed from seeds, so all have the batch axis.
  const whole = size === undefined ? derivative.program : rules.batch({ program: derivative.program, batched: derivative.program.inputs.map((_, at) => at >= residuals.length), size }).program;
  const program = renameExtents(whole, extraction.extents);
  const symbolic = wrt.filter(({ type }) => !type.shape.every(isKnown));
  const sizes = symbolic.length === 0 ? undefined : symbolic;
  const env = new ValueMap<TracedAtom>();
  program.inputs.forEach((input, at) => {
    const primal = residuals[at];
    env.set(input, primal === undefined ? (seeds[at - residuals.length] as TracedAtom) : (extraction.positions[primal] as TracedValue));
  });
  const outputs = replayProgram<TracedAtom>(program, env, (atom) => atom as Literal, (instruction, inputs) => replay(instruction, inputs, program.constraints, context, sizes));
  return results.map((at) => (at === undefined ? undefined : outputs[at]));
}

function conjugated(value: TracedAtom): TracedAtom {
  return isComplex(value.type.dtype) ? (conj(value as unknown as Operand) as unknown as TracedAtom) : value;
}

/** The cotangent 1 of a real scalar. */
export function unitCotangent(op: string, { type }: TracedValue): TracedAtom {
  requireTangent(op, type);
  if (type.shape.length !== 0 || isComplex(type.dtype)) {
    throw new TfError('NonScalarGradError', `${op}: needs a real scalar to differentiate, got ${type.key}. Reduce it, e.g. y.sum(), or give a cotangent: y.vjp(x, ct).`, { op, shape: type.shape, dtype: type.dtype });
  }
  return scalarLiteral(type.dtype, 1);
}

export function requireTangent(op: string, type: TensorType): void {
  if (isInexact(type.dtype)) return;
  throw new TfError('NotDifferentiableError', `${op}: a value ${type.key} carries no tangent: only floating and complex values have derivatives. Convert it before it enters the computation: convert(x, 'float64').`, { op, dtype: type.dtype });
}

export function inactive(op: string, what: string, type: TensorType): TfError {
  return new TfError('InactiveGradError', `${op}: the result does not depend on ${what} ${type.key}, so there is no gradient. Use gradOptional, which answers undefined, or { allowUnused: true }, which answers zeros.`, { op, argument: what });
}
