import { Builder, type Operand, type Program, type Var } from '@tf/core';
import type { HostValue } from '@tf/testkit';
import { applyStep, type Recipe, type RecipeStep } from './generate/recipe.ts';
import type { Machine } from './machine.ts';

/** Whether a smaller recipe still shows what is looked for. */
export type StillWrong = (recipe: Recipe) => boolean;

/**
 * A smaller recipe that is wrong in the same way: fewer outputs, and steps cut out one after the other, an input with the
 * value that the step had taking its place.
 */
export function reduceRecipe(machine: Machine, recipe: Recipe, isWrong: StillWrong, deadline: number): Recipe {
  let current = recipe;
  for (let progress = true; progress && performance.now() < deadline; ) {
    progress = false;
    for (const candidate of smaller(machine, current)) {
      if (performance.now() >= deadline) break;
      if (!isWrong(candidate)) continue;
      current = candidate;
      progress = true;
      break;
    }
  }
  return current;
}

function* smaller(machine: Machine, recipe: Recipe): Generator<Recipe> {
  const count = recipe.inputs.length + recipe.steps.length;
  const isSmaller = (candidate: Recipe): boolean => candidate.inputs.length + candidate.steps.length < count || candidate.outputs.length < recipe.outputs.length;
  for (let position = 0; position < count; position++) {
    const candidate = withoutDead({ ...recipe, outputs: [position] });
    if (isSmaller(candidate)) yield candidate;
  }
  for (const [at] of recipe.outputs.entries()) if (recipe.outputs.length > 1) yield withoutDead({ ...recipe, outputs: recipe.outputs.filter((_, other) => other !== at) });
  const live = withoutDead(recipe);
  if (isSmaller(live)) yield live;
  const values = valuesOfSteps(machine, recipe);
  if (values === undefined) return;
  for (let at = recipe.steps.length - 1; at >= 0; at--) {
    const value = values[recipe.inputs.length + at];
    if (value !== undefined) yield withoutDead(withInput(recipe, at, value));
  }
}

/** Step `at` becomes the last input. */
function withInput(recipe: Recipe, at: number, value: HostValue): Recipe {
  const count = recipe.inputs.length;
  const moved = (position: number): number => (position < count ? position : position === count + at ? count : position < count + at ? position + 1 : position);
  return {
    ...recipe,
    inputs: [...recipe.inputs, value],
    steps: recipe.steps.flatMap((step, index) => (index === at ? [] : [{ ...step, operands: step.operands.map(moved) }])),
    outputs: recipe.outputs.map(moved),
  };
}

/** Without steps and inputs that no output needs. */
function withoutDead(recipe: Recipe): Recipe {
  const count = recipe.inputs.length;
  const needed = new Set(recipe.outputs);
  for (let at = recipe.steps.length - 1; at >= 0; at--) if (needed.has(count + at)) for (const operand of (recipe.steps[at] as RecipeStep).operands) needed.add(operand);
  const kept = [...recipe.inputs, ...recipe.steps].flatMap((_, position) => (needed.has(position) ? [position] : []));
  const moved = (position: number): number => kept.indexOf(position);
  return {
    ...recipe,
    inputs: recipe.inputs.filter((_, at) => needed.has(at)),
    steps: recipe.steps.flatMap((step, at) => (needed.has(count + at) ? [{ ...step, operands: step.operands.map(moved) }] : [])),
    outputs: recipe.outputs.map(moved),
  };
}

/** What inputs and steps are worth; undefined when the engine cannot say. */
function valuesOfSteps(machine: Machine, recipe: Recipe): readonly (HostValue | undefined)[] | undefined {
  try {
    const builder = new Builder();
    const values: Operand[] = recipe.inputs.map(({ type }) => builder.input(type));
    for (const { kind, operands, steer, softened } of recipe.steps) values.push(applyStep(kind, operands.map((position) => values[position] as Operand), steer, softened));
    const program: Program = builder.build([]);
    const found = machine.runSingly(program, recipe.inputs);
    return values.map((value) => found.get(value as unknown as Var));
  } catch {
    return undefined;
  }
}
