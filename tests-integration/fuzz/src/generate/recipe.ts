import { abs, add, type Atom, Builder, createCatalog, div, type DType, elementCount, isComplex, isInexact, isTfError, liveInstructions, mul, type Operand, type Program, tanh, type TensorType, tensorType, type Var } from '@tf/core';
import type { HostValue } from '@tf/testkit';
import { reference, symbolOf } from '../reference.ts';
import { catalogSteps } from './catalog-steps.ts';
import { at, type ProgramDraw, type StepDraw } from './draws.ts';
import { controlSteps } from './control-steps.ts';
import { discreteSteps } from './discrete-steps.ts';
import { elementwiseSteps } from './elementwise-steps.ts';
import { foldingSteps } from './folding-steps.ts';
import { constantOf, drawInputs, inputFitting, maximumElements, type Regime, regimeOf } from './inputs.ts';
import { movementSteps } from './movement-steps.ts';
import { orderSteps } from './order-steps.ts';
import { runningSteps } from './running-steps.ts';
import { scatterSteps } from './scatter-steps.ts';
import { loose, type StepKind, type Steer } from './step.ts';
import { structureSteps } from './structure-steps.ts';

/** Every kind of step, by name. Names without spaces are those of core's functions and operations. */
export const stepKinds: { readonly [name: string]: StepKind } = (() => {
  const tables = { ...elementwiseSteps, ...discreteSteps, ...foldingSteps, ...movementSteps, ...structureSteps, ...runningSteps, ...orderSteps, ...scatterSteps, ...controlSteps };
  return { ...tables, ...catalogSteps(createCatalog(), tables) };
})();

/** Kinds as often as they are to be drawn. */
const lottery: readonly string[] = Object.entries(stepKinds).flatMap(([name, { weight }]) => new Array<string>(weight).fill(name));

/** A step that fits: positions of its operands among the values so far. */
export interface RecipeStep {
  readonly kind: string;
  readonly operands: readonly number[];
  readonly steer: Steer;
  /** Its floating operands are first brought near 1, where every function is smooth and of ordinary size. */
  readonly softened: boolean;
}

/** A function of tensors of any front end, with data for its inputs. */
export interface Recipe {
  readonly regime: Regime;
  readonly inputs: readonly HostValue[];
  readonly steps: readonly RecipeStep[];
  /** Positions of the outputs among inputs and results of steps. */
  readonly outputs: readonly number[];
}

/** How many instructions a program may have before its last step. */
const maximumInstructions = 34;
/** So often a step that was dealt is tried. */
const turns = 8;
/** No program has more inputs. */
const maximumInputs = 7;
/** Beyond this a tame value is wild. */
const tameLimit = 200;

/** The function of a recipe; with `only`, every floating dtype is that one. */
export function applyRecipe(recipe: Recipe, inputs: readonly Operand[], only?: DType): readonly Operand[] {
  const values = [...inputs];
  for (const { kind, operands, steer, softened } of recipe.steps) {
    const given = operands.map((position) => values[position] as Operand);
    values.push(applyStep(kind, given, only === undefined ? steer : { ...steer, dtype: floatAs(steer.dtype, only) }, softened));
  }
  return recipe.outputs.map((position) => values[position] as Operand);
}

/** One step, on operands of any front end. */
export function applyStep(kind: string, operands: readonly Operand[], steer: Steer, softened: boolean): Operand {
  return (stepKinds[kind] as StepKind).apply(softened ? operands.map(soften) : operands, steer);
}

function soften(x: Operand): Operand {
  if (!isInexact(x.type.dtype)) return x;
  // The hyperbolic tangent of complex numbers has poles.
  const bounded = isComplex(x.type.dtype) ? loose(div)(x, add(abs(x), 1)) : tanh(x);
  return loose(add)(mul(bounded as Operand, 0.45), 1);
}

function floatAs(dtype: DType, only: DType): DType {
  if (dtype === 'float32' || dtype === 'float64') return only;
  return isComplex(dtype) && only === 'float64' ? 'complex128' : dtype;
}

/** The recipe as a program, its inputs of the types given or with every float of one dtype. */
export function programOfRecipe(recipe: Recipe, only?: DType): Program {
  const builder = new Builder();
  const inputs = recipe.inputs.map(({ type }) => builder.input(only === undefined ? type : tensorType(floatAs(type.dtype, only), type.shape)));
  return builder.build(applyRecipe(recipe, inputs, only) as readonly unknown[] as readonly Atom[]);
}

/**
 * Which values become operands more often: the latest, so that programs are deep; or inputs of many floating elements, whose NaN, infinities
 * and signed zeros no step has spread or smoothed away yet, and each of them once, so that such values meet others.
 */
type Favoured = 'late' | 'inputs';

/** Carries out draws one after the other; those that fit nothing so far are left out. */
class Cook {
  readonly builder = new Builder();
  readonly values: Var[] = [];
  readonly steps: RecipeStep[] = [];
  readonly used = new Set<number>();
  /** Results of the steps that were dealt. */
  readonly featured = new Set<number>();
  readonly #data = new Map<Var, HostValue>();
  readonly #sizes = new Map<string, number>();
  /** Results of the instructions that steps put in. */
  readonly #known = new Set<Var>();
  readonly #regime: Regime;
  readonly #inputs: number;
  readonly #dtypes: readonly DType[];

  constructor(regime: Regime, inputs: readonly HostValue[], dtypes: readonly DType[]) {
    this.#regime = regime;
    this.#dtypes = dtypes;
    this.#inputs = inputs.length;
    for (const input of inputs) {
      const variable = this.builder.input(input.type);
      this.values.push(variable);
      this.#data.set(variable, input);
    }
  }

  add(draw: StepDraw): void {
    if (this.#known.size < maximumInstructions) this.#try(at(lottery, draw.kind), draw, 'late');
  }

  /** A step of this kind, by the draw or by ones beside it. */
  feature(kind: string, draw: StepDraw): void {
    for (let turn = 0; turn < turns; turn++) {
      const other = (number: number): number => (number + 397 * turn) % 1024;
      const [first, second, third] = draw.operands;
      const position = this.values.length;
      if (!this.#try(kind, { ...draw, operands: [other(first), other(second), other(third)], n: other(draw.n), m: other(draw.m), dtype: draw.dtype + turn }, this.#regime === 'tame' ? 'late' : 'inputs')) continue;
      this.featured.add(position);
      return;
    }
  }

  #try(kind: string, draw: StepDraw, favoured: Favoured): boolean {
    const operands = this.#choose(stepKinds[kind] as StepKind, draw, favoured);
    if (operands === undefined) return false;
    const steer: Steer = { n: draw.n, m: draw.m, constant: constantOf(this.#regime, draw.constant), dtype: at(this.#dtypes, draw.dtype) };
    return this.#attempt({ kind, operands, steer, softened: false }) || (this.#regime === 'tame' && this.#attempt({ kind, operands, steer, softened: true }));
  }

  #choose({ takes }: StepKind, { operands }: StepDraw, favoured: Favoured): readonly number[] | undefined {
    const chosen: number[] = [];
    for (const [index, take] of takes.entries()) {
      const types = chosen.map((position) => (this.values[position] as Var).type);
      const fitting = this.values.flatMap((value, position) => (take(value.type, types) ? [position] : []));
      if (fitting.length === 0) return undefined;
      const ordered = favoured === 'late' ? fitting.reverse() : this.#byInputs(fitting, chosen);
      chosen.push(ordered[Math.floor(((operands[index] as number) / 1024) ** 1.5 * ordered.length)] as number);
    }
    return chosen;
  }

  /** Inputs of more floating elements first; what is an operand already only where nothing else fits. */
  #byInputs(positions: readonly number[], chosen: readonly number[]): readonly number[] {
    const others = positions.filter((position) => !chosen.includes(position));
    const floats = (position: number): number => {
      const { dtype, shape } = (this.values[position] as Var).type;
      return position < this.#inputs && isInexact(dtype) ? (elementCount(shape) as number) : 0;
    };
    return [...(others.length === 0 ? positions : others)].sort((a, b) => floats(b) - floats(a));
  }

  #attempt(step: RecipeStep): boolean {
    let result: Var;
    try {
      result = applyStep(step.kind, step.operands.map((position) => this.values[position] as Operand), step.steer, step.softened) as unknown as Var;
    } catch (error) {
      if (isTfError(error) && error.kind === 'user') return false;
      throw error;
    }
    // A host tensor or a number's literal is no value of the program; an operand handed back is no step.
    if (!('id' in result) || this.values.includes(result) || !this.#accepts(result)) return false;
    this.values.push(result);
    this.steps.push(step);
    for (const operand of step.operands) this.used.add(operand);
    return true;
  }

  /** Whether the instructions that it needs stay within bounds; tame values are computed to see that. */
  #accepts(result: Var): boolean {
    const { shape } = result.type;
    if (shape.length > 4 || (elementCount(shape) as number) > maximumElements) return false;
    const needed = liveInstructions(this.builder.build([result])).filter(({ outputs }) => !this.#known.has(outputs[0] as Var));
    for (const instruction of this.#regime === 'tame' ? needed : []) {
      const values = reference(instruction, instruction.inputs.map((input) => this.#data.get(input as Var)), this.#sizes);
      if (!values.every(isTame)) return false;
      const symbol = symbolOf(instruction);
      if (symbol !== undefined) this.#sizes.set(symbol, Number((values[0] as HostValue).data[0]));
      instruction.outputs.forEach((output, at) => this.#data.set(output, values[at] as HostValue));
    }
    for (const { outputs } of needed) for (const output of outputs) this.#known.add(output);
    return true;
  }
}

function isTame({ type, data }: HostValue): boolean {
  if (type.dtype === 'bool') return true;
  for (let index = 0; index < data.length; index++) if (!(Math.abs(Number(data[index])) <= tameLimit)) return false;
  return true;
}

/** The recipe that draws describe: always the same for the same draws. `features` are kinds of steps that it has to have, if they fit. */
export function cook(draw: ProgramDraw, features: readonly string[] = []): Recipe {
  const regime = regimeOf(draw);
  const inputs = withFitting(drawInputs(draw), features, draw);
  const floats = inputs.filter(({ type }) => isInexact(type.dtype)).map(({ type }) => type.dtype);
  const pot = new Cook(regime, inputs, [...(floats.length === 0 ? (['float64'] as const) : floats), 'float64', 'float32', 'int32', 'bool', 'complex128', 'int64', ...floats]);
  for (let turn = 0; turn < Math.max(draw.steps.length, 2 * features.length - 1); turn++) {
    const step = at(draw.steps, turn);
    const feature = turn % 2 === 0 ? features[turn / 2] : undefined;
    if (feature !== undefined) pot.feature(feature, step);
    else if (turn < draw.steps.length) pot.add(step);
  }
  return { regime, inputs, steps: pot.steps, outputs: outputsOf(pot, draw.outputs) };
}

/** Further inputs where a step that was dealt finds nothing to work on. */
function withFitting(given: readonly HostValue[], features: readonly string[], draw: ProgramDraw): readonly HostValue[] {
  const inputs = [...given];
  for (const feature of features) {
    const chosen: TensorType[] = [];
    for (const [at, take] of (stepKinds[feature] as StepKind).takes.entries()) {
      const fits = (type: TensorType): boolean => take(type, chosen);
      let found = inputs.find(({ type }) => fits(type));
      if (found === undefined && inputs.length < maximumInputs) {
        found = inputFitting(fits, regimeOf(draw), draw.outputs + at, (inputs[0] as HostValue).type.shape as readonly number[]);
        if (found !== undefined) inputs.push(found);
      }
      if (found === undefined) break;
      chosen.push(found.type);
    }
  }
  return inputs;
}

/** What nobody used, most of it and all that was dealt; an input or a value twice now and then. */
function outputsOf({ values, used, featured }: Cook, draw: number): readonly number[] {
  const ends = values.flatMap((_, position) => (used.has(position) ? [] : [position])).reverse();
  const drawn = ends.filter((_, index) => index === 0 || (draw >> (index % 10)) % 4 !== 3).slice(0, 6);
  const kept = [...drawn, ...ends.filter((position) => featured.has(position) && !drawn.includes(position))];
  if (draw % 16 === 5) kept.push(0);
  if (draw % 16 === 9) kept.push(kept[0] as number);
  return kept;
}

