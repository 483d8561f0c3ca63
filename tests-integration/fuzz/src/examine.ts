import { isComplex, isInexact, type Program, type Var } from '@tf/core';
import { createRandom, extentsOf, type HostValue, hostValue, jvpProgram, randomDirection, vjpProgram } from '@tf/testkit';
import { agrees, type CheckName, type Disagreement, disagrees, type Outcome } from './checks/check.ts';
import { checkAdjoint, checkDifferences, checkSecondOrder, type Point, pointOf } from './checks/derivatives.ts';
import { checkFronts } from './checks/fronts.ts';
import { checkPasses, checkText, checkTextValues, checkWellFormed, messageOf } from './checks/programs.ts';
import { checkReference } from './checks/reference.ts';
import { cook, programOfRecipe, type Recipe } from './generate/recipe.ts';
import type { ProgramDraw } from './generate/draws.ts';
import type { Subject } from './subject.ts';

/** A program, and what became of each check of it. */
export interface Examination {
  readonly recipe: Recipe;
  readonly program: Program;
  /** The gradient's program, where there is one. */
  readonly gradient: Program | undefined;
  readonly outcomes: ReadonlyMap<CheckName, Outcome>;
}

/** The first thing that an examination found wrong. */
export function disagreementOf({ outcomes }: Examination): Disagreement | undefined {
  for (const [check, outcome] of outcomes) if (outcome.kind === 'disagrees') return { ...outcome, check };
  return undefined;
}

/** Everything that is checked of one drawn program, until something disagrees. */
export function examine(subject: Subject, draw: ProgramDraw, features: readonly string[] = []): Examination {
  return examineRecipe(subject, cook(draw, features));
}

export function examineRecipe(subject: Subject, recipe: Recipe): Examination {
  const program = programOfRecipe(recipe);
  const outcomes = new Map<CheckName, Outcome>();
  const attempt = (check: CheckName, ...parts: readonly (() => Outcome)[]): boolean => {
    const outcome = joined(parts);
    outcomes.set(check, outcome);
    return outcome.kind !== 'disagrees';
  };
  let gradient: Program | undefined;
  const run = (): void => {
    const { machine, context } = subject;
    if (!attempt('well-formed', () => checkWellFormed(program)) || !attempt('text', () => checkText(subject, program))) return;
    let values: ReadonlyMap<Var, HostValue> = new Map();
    if (!attempt('reference', () => checkReference(program, (values = machine.runSingly(program, recipe.inputs))))) return;
    const outputs = program.outputs.map((output) => values.get(output as Var) as HostValue);
    if (!attempt('passes', () => checkPasses(subject, program, recipe.inputs, values)) || !attempt('text', () => checkTextValues(subject, program, recipe.inputs, values)) || !attempt('fronts', () => checkFronts(subject, recipe, outputs))) return;
    const point = pointInDouble(recipe, program);
    if (!attempt('differences', () => checkDifferences(subject, point)) || !attempt('adjoint', () => checkAdjoint(subject, point))) return;
    if (recipe.regime === 'tame' && !attempt('second order', () => checkSecondOrder(subject, point))) return;
    if (point.wrt.length === 0 || !program.outputs.some(isFloating)) return;
    const derived = (gradient = vjpProgram(context, program, point.wrt));
    const given = [...recipe.inputs, ...cotangentsOf(program)];
    const forward = jvpProgram(context, point.program, point.wrt);
    if (!attempt('well-formed', () => checkWellFormed(derived), () => checkWellFormed(forward)) || !attempt('text', () => checkText(subject, derived), () => checkText(subject, forward))) return;
    if (!attempt('reference', () => checkReference(derived, (values = machine.runSingly(derived, given))))) return;
    if (attempt('passes', () => checkPasses(subject, derived, given, values))) attempt('text', () => checkTextValues(subject, derived, given, values));
  };
  run();
  return { recipe, program, gradient, outcomes };
}

/** Disagrees when one part does or throws; agrees when one does; skipped otherwise. */
function joined(parts: readonly (() => Outcome)[]): Outcome {
  let result: Outcome | undefined;
  for (const part of parts) {
    let outcome: Outcome;
    try {
      outcome = part();
    } catch (error) {
      outcome = disagrees(`threw ${messageOf(error)}${error instanceof Error ? `\n${error.stack ?? ''}` : ''}`);
    }
    if (outcome.kind === 'disagrees') return outcome;
    if (result?.kind !== 'agrees') result = outcome;
  }
  return result ?? agrees;
}

function isFloating({ type }: { readonly type: Program['outputs'][number]['type'] }): boolean {
  return isInexact(type.dtype);
}

function cotangentsOf(program: Program): readonly HostValue[] {
  const random = createRandom(5);
  return program.outputs.filter(isFloating).map(({ type }) => randomDirection(type, random));
}

/** The recipe in double precision: derivatives are compared where differences can be. */
function pointInDouble(recipe: Recipe, program: Program): Point {
  const inputs = recipe.inputs.map((input) => (isInexact(input.type.dtype) ? hostValue(isComplex(input.type.dtype) ? 'complex128' : 'float64', extentsOf(input), Array.from(input.data as ArrayLike<number>)) : input));
  const values = [...program.inputs, ...program.instructions.flatMap(({ outputs }) => outputs)];
  const double = values.every(({ type }) => type.dtype !== 'float32' && type.dtype !== 'complex64') ? program : programOfRecipe(recipe, 'float64');
  return pointOf(double, inputs, 11);
}

