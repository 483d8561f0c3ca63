import { allSteps, loop, type LoopKernel, type LoopStep, type Plan, type Step, type TileStep } from '@tf/core';
import type { Routine } from '../codegen/plan-module.ts';
import { storageOf } from '../codegen/storage.ts';
import { builtins } from '../codegen/record.ts';

/** The distinct routines of a plan, sorted by text, so that the order of steps does not matter to the code cache. */
export interface PlanRoutines {
  readonly routines: readonly Routine[];
  /** Per record of the step table, its element of the function table: a step with others inside has one for itself, then those of its steps. */
  readonly elements: readonly number[];
}

export function planRoutines(plan: Plan): PlanRoutines {
  const loops = new LoopRoutines();
  const records = allSteps(plan.steps);
  const ahead = new Map(records.flatMap((step) => (step.kind === 'tile' ? readAhead(plan, step) : [])));
  const perStep = records.map((step) => (step.kind === 'loop' ? loops.routine(step.kernel, ahead.get(step) ?? none) : routineOf(step)));
  const byText = new Map<string, Routine>();
  for (const routine of new Set(perStep)) if (routine !== undefined) byText.set(routine.text, routine);
  const texts = [...byText.keys()].sort();
  const element = new Map(texts.map((text, i) => [text, builtins.count + i]));
  return {
    routines: texts.map((text) => byText.get(text)!),
    elements: elementsOf(perStep, element),
  };
}

/** Looked up by text once per routine: texts are long. */
function elementsOf(perStep: readonly (Routine | undefined)[], byText: ReadonlyMap<string, number>): readonly number[] {
  const known = new Map<Routine | undefined, number>([[undefined, builtins.copy]]);
  return perStep.map((routine) => {
    let element = known.get(routine);
    if (element === undefined) {
      element = byText.get(routine!.text)!;
      known.set(routine, element);
    }
    return element;
  });
}

const none: readonly number[] = Object.freeze([]);

/** The loops of a tile step with their reads, by number, that a loop before them reads as well and none writes: of the next tile these are not in the cache yet. */
function readAhead({ buffers }: Plan, { steps }: TileStep): readonly (readonly [LoopStep, readonly number[]])[] {
  const written = new Set<number>();
  for (const { writes } of steps) for (const { buffer } of writes) written.add(buffer);
  const before = new Set<number>();
  return steps.map((step) => {
    const isWanted = (buffer: number, read: number): boolean => before.has(buffer) && !written.has(buffer) && buffers[buffer]!.place.kind !== 'tile' && step.kernel.reads[read]!.inner === 'contiguous';
    const ahead = step.reads.flatMap(({ buffer }, read) => (isWanted(buffer, read) ? [read] : []));
    for (const { buffer } of step.reads) before.add(buffer);
    return [step, ahead];
  });
}

/** Steps share kernels: each object is printed once, and its long text looked up once for each list of what it reads ahead. */
class LoopRoutines {
  readonly #ofKernel = new Map<LoopKernel, { readonly printed: string; readonly byAhead: Map<string, Routine> }>();
  readonly #known = new Map<string, Routine>();

  routine(kernel: LoopKernel, ahead: readonly number[]): Routine {
    let own = this.#ofKernel.get(kernel);
    if (own === undefined) this.#ofKernel.set(kernel, (own = { printed: loop.kernelText(kernel), byAhead: new Map() }));
    const reads = ahead.join(' ');
    let routine = own.byAhead.get(reads);
    if (routine === undefined) own.byAhead.set(reads, (routine = this.#routineOf(kernel, ahead, reads === '' ? own.printed : `${own.printed}\nahead ${reads}`)));
    return routine;
  }

  #routineOf(kernel: LoopKernel, ahead: readonly number[], text: string): Routine {
    let routine = this.#known.get(text);
    if (routine === undefined) this.#known.set(text, (routine = { kind: 'loop', text, kernel, ahead }));
    return routine;
  }
}

function routineOf(step: Exclude<Step, LoopStep>): Routine | undefined {
  switch (step.kind) {
    case 'contract':
      return { kind: 'contract', text: `contract ${step.dtype}`, dtype: step.dtype };
    case 'scan':
      return { kind: 'scan', text: loop.scanText(step.kernel), kernel: step.kernel };
    case 'sort':
      return { kind: 'sort', text: `sort ${step.dtype}`, dtype: step.dtype };
    case 'iota':
      return { kind: 'iota', text: `iota ${step.dtype}`, dtype: step.dtype };
    case 'gather':
      return { kind: 'gather', text: `gather ${storageOf(step.dtype).bytes}`, dtype: step.dtype };
    case 'scatter':
      return { kind: 'scatter', text: `scatter ${step.combine} ${step.dtype}`, dtype: step.dtype, combine: step.combine };
    case 'tile':
    case 'repeat':
    case 'while':
    case 'branch':
    case 'call':
      return { kind: step.kind, text: step.kind };
    case 'copy':
    case 'size':
    case 'extent':
      return undefined;
  }
}
