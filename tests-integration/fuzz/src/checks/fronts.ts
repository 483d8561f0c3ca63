import { type DeviceBuffer, type Engine, hostForm, imag, isComplex, isInexact, mul, type Operand, real, sum, tensor, add, elementCount, type TypedArray } from '@tf/core';
import type { EagerFacts, EagerTensor } from '@tf/eager';
import { createRandom, type HostValue } from '@tf/testkit';
import { eagerKey, jit, type TracedTensor, valueAndGrad } from '@tf/traced';
import { applyRecipe, type Recipe } from '../generate/recipe.ts';
import { loose } from '../generate/step.ts';
import type { Subject } from '../subject.ts';
import { agrees, bitDifference, disagrees, type Outcome } from './check.ts';

/** Outputs, and the gradients of {@link lossOf} them; undefined where no gradient flows. */
export interface FrontRun {
  readonly outputs: readonly HostValue[];
  readonly loss: HostValue | undefined;
  readonly gradients: readonly (HostValue | undefined)[];
}

/** Σ weight·output over the floating outputs and the parts of complex ones, the weights fixed and different; undefined when there are none. */
function lossOf(outputs: readonly Operand[]): Operand | undefined {
  const random = createRandom(1);
  let loss: Operand | undefined;
  for (const output of outputs) {
    if (!isInexact(output.type.dtype)) continue;
    const shape = output.type.shape as readonly number[];
    for (const part of isComplex(output.type.dtype) ? [loose(real)(output), loose(imag)(output)] : [output]) {
      const weights = Float32Array.from({ length: elementCount(shape) as number }, () => 0.25 + random());
      const term = loose(sum)(loose(mul)(part, tensor(weights, { shape })));
      loss = loss === undefined ? term : loose(add)(loss, term);
    }
  }
  return loss;
}

function hostTensor({ type, data }: HostValue): Operand {
  return tensor(data, { shape: type.shape as readonly number[], dtype: type.dtype }) as Operand;
}

function floating(recipe: Recipe): readonly number[] {
  return recipe.inputs.flatMap(({ type }, at) => (isInexact(type.dtype) ? [at] : []));
}

/** By `jit`, which compiles outputs, loss and gradients into one plan. */
export function runTraced({ context, machine }: Subject, recipe: Recipe): FrontRun {
  const { engine } = machine;
  const argnums = floating(recipe);
  const results: Operand[] = [];
  const f = (...inputs: readonly Operand[]): unknown => {
    if (argnums.length === 0 || !hasLoss(recipe, inputs)) return [applyRecipe(recipe, inputs), undefined, []];
    const g = (...own: readonly Operand[]): readonly [Operand, readonly Operand[]] => {
      const outputs = applyRecipe(recipe, own);
      return [lossOf(outputs) as Operand, outputs];
    };
    const differentiated = valueAndGrad(g as never, { argnums, hasAux: true, allowUnused: true, context }) as unknown as (...args: readonly Operand[]) => readonly [readonly [Operand, readonly Operand[]], readonly Operand[]];
    const [[loss, outputs], gradients] = differentiated(...inputs);
    return [outputs, loss, gradients];
  };
  const jitted = jit(f as (...args: readonly TracedTensor[]) => unknown, { engine, context, name: 'program', capturedKeys: 'reuse' }) as unknown as (...args: readonly Operand[]) => readonly [readonly Operand[], Operand | undefined, readonly Operand[]];
  try {
    const [outputs, loss, gradients] = jitted(...recipe.inputs.map(hostTensor));
    results.push(...outputs, ...gradients, ...(loss === undefined ? [] : [loss]));
    return { outputs: outputs.map((x) => readResident(engine, x)), loss: loss === undefined ? undefined : readResident(engine, loss), gradients: gradients.map((x) => readResident(engine, x)) };
  } finally {
    disposeAll(results);
  }
}

function hasLoss(recipe: Recipe, inputs: readonly Operand[]): boolean {
  return applyRecipe(recipe, inputs).some(({ type }) => isInexact(type.dtype));
}

function readResident(engine: Engine, x: Operand): HostValue {
  const form = hostForm(x);
  return { type: x.type, data: form?.form === 'resident' ? engine.read(form.buffer as DeviceBuffer) : (form as { data: HostValue['data'] }).data };
}

function disposeAll(results: readonly unknown[]): void {
  for (const result of results) (result as { dispose?: () => void } | undefined)?.dispose?.();
}

/** By variables, `backward` and one operation after the other, in a scope that frees what steps leave behind. */
export function runEager({ runtime, machine }: Subject, recipe: Recipe): FrontRun {
  const { engine } = machine;
  const made: unknown[] = [];
  const keep = <T>(x: T): T => {
    made.push(x);
    return x;
  };
  const inputs = recipe.inputs.map((value) => keep(isInexact(value.type.dtype) ? runtime.variable(hostTensor(value)) : runtime.constant(hostTensor(value))) as EagerTensor);
  try {
    return runtime.session(engine, () => runtime.scope(() => {
      const outputs = applyRecipe(recipe, inputs as readonly Operand[]).map(keep) as unknown as readonly EagerTensor[];
      const loss = keep(lossOf(outputs as readonly Operand[])) as EagerTensor | undefined;
      if (loss?.tracksGrad === true) loss.backward();
      const gradients = floating(recipe).map((at) => keep((inputs[at] as EagerTensor).grad));
      const read = (x: EagerTensor): HostValue => {
        const { buffer, data } = (x as unknown as { readonly [eagerKey]: EagerFacts })[eagerKey];
        return { type: x.type, data: buffer === undefined ? (data as TypedArray) : engine.read(buffer) };
      };
      return { outputs: outputs.map(read), loss: loss === undefined ? undefined : read(loss), gradients: gradients.map((x) => (x === undefined ? undefined : read(x))) };
    }));
  } finally {
    disposeAll(made);
  }
}

/** Both front ends give the same bits: outputs, loss and gradients; `outputs` are those of the program's own run. */
export function checkFronts(subject: Subject, recipe: Recipe, outputs: readonly HostValue[]): Outcome {
  const traced = runTraced(subject, recipe);
  const eager = runEager(subject, recipe);
  const pairs: (readonly [string, HostValue, HostValue])[] = [];
  outputs.forEach((output, at) => {
    pairs.push([`output ${at} of the program and traced`, output, traced.outputs[at] as HostValue]);
    pairs.push([`output ${at} traced and eager`, traced.outputs[at] as HostValue, eager.outputs[at] as HostValue]);
  });
  if (traced.loss !== undefined && eager.loss !== undefined) pairs.push(['the loss traced and eager', traced.loss, eager.loss]);
  floating(recipe).forEach((input, at) => {
    const gradient = traced.gradients[at];
    if (gradient !== undefined) pairs.push([`the gradient by input ${input} traced and eager`, gradient, eager.gradients[at] ?? zerosLike(gradient)]);
  });
  for (const [what, a, b] of pairs) {
    const difference = bitDifference(a, b);
    if (difference !== undefined) return disagrees(`${what}: ${difference}`);
  }
  return agrees;
}

/** Where eager has no gradient, traced answers zeros. */
function zerosLike(value: HostValue): HostValue {
  return { type: value.type, data: new (value.data.constructor as Float64ArrayConstructor)(value.data.length) };
}

