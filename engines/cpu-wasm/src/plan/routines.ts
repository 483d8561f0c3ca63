import { loop, type Plan, type Step } from '@tf/core';
import type { Routine } from '../codegen/plan-module.ts';
import { storageOf } from '../codegen/storage.ts';
import { builtins } from '../codegen/record.ts';

/** The distinct routines of a plan, sorted by text, so that the order of steps does not matter to the code cache. */
export interface PlanRoutines {
  readonly routines: readonly Routine[];
  /** Per step, its element of the function table. */
  readonly elements: readonly number[];
}

export function planRoutines(plan: Plan): PlanRoutines {
  const perStep = plan.steps.map(routineOf);
  const byText = new Map<string, Routine>();
  for (const routine of perStep) if (routine !== undefined) byText.set(routine.text, routine);
  const texts = [...byText.keys()].sort();
  const element = new Map(texts.map((text, i) => [text, builtins.count + i]));
  return {
    routines: texts.map((text) => byText.get(text)!),
    elements: perStep.map((routine) => (routine === undefined ? builtins.copy : element.get(routine.text)!)),
  };
}

function routineOf(step: Step): Routine | undefined {
  switch (step.kind) {
    case 'loop':
      return { kind: 'loop', text: loop.kernelText(step.kernel), kernel: step.kernel };
    case 'contract':
      return { kind: 'contract', text: `contract ${step.dtype}`, dtype: step.dtype };
    case 'gather':
      return { kind: 'gather', text: `gather ${storageOf(step.dtype).load}`, dtype: step.dtype };
    case 'scatter':
      return { kind: 'scatter', text: `scatter ${step.combine} ${step.dtype}`, dtype: step.dtype };
    case 'copy':
      return undefined;
  }
}
