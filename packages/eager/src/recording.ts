import { type AdContext, type Derivative, isLiteral, liveInstructions, type Var } from '@tf/core';
import { createRecipe, type Recipe } from './recipe.ts';
import type { Source, TraceProgram } from './trace-program.ts';
import type { Wire } from './walk.ts';

/** Where a value of a derivative comes from: the differentiated trace, a seed, or an operation of the derivative. */
export type Link =
  | { readonly kind: 'trace'; readonly wire: Wire }
  | { readonly kind: 'seed'; readonly at: number }
  | { readonly kind: 'node'; readonly at: number; readonly index: number };

/** Where a value that a recorded operation retains is found. */
export type Held =
  | { readonly kind: 'kept'; readonly source: Source }
  | { readonly kind: 'seed'; readonly at: number }
  | { readonly kind: 'output'; readonly at: number };

interface RecordedStep {
  readonly recipe: Recipe;
  readonly inputs: readonly Link[];
  readonly retained: readonly Held[];
}

/** How a derivative becomes trace again: its operations as nodes whose producers are those of the values that it reads. */
export interface Recording {
  readonly steps: readonly RecordedStep[];
  /** Per output of the derivative program; undefined for a constant. */
  readonly results: readonly (Link | undefined)[];
  /** Values that the nodes retain and that must be outputs of the run, after the derivative's own. */
  readonly extras: readonly Var[];
}

interface Draft {
  readonly recipe: Recipe;
  readonly inputs: readonly Link[];
  readonly values: readonly Var[];
  needed: boolean;
  place: number;
}

/** `tracking` tells which seeds have producers; `nextId` numbers recipes. */
export function recordingOf(context: AdContext, trace: TraceProgram, derivative: Derivative, tracking: readonly boolean[], nextId: () => number): Recording {
  const { program, residuals } = derivative;
  const links = new Map<unknown, Link>();
  program.inputs.forEach((input, at) => {
    const position = residuals[at];
    const wire = position === undefined ? undefined : trace.wires.get(position);
    if (wire !== undefined) links.set(input, { kind: 'trace', wire });
    else if (position === undefined && tracking[at - residuals.length] === true) links.set(input, { kind: 'seed', at: at - residuals.length });
  });
  const drafts: Draft[] = [];
  for (const instruction of liveInstructions(program)) {
    const active = instruction.inputs.flatMap((input, index) => (links.has(input) ? [index] : []));
    if (active.length === 0) continue;
    const recipe = createRecipe(context, nextId(), instruction, active);
    if (!recipe.tracks.includes(true)) continue;
    const values = recipe.residuals.map((residual) => (residual >= 0 ? instruction.inputs[residual] : instruction.outputs[-1 - residual]) as Var);
    instruction.outputs.forEach((output, index) => {
      if (recipe.tracks[index] === true) links.set(output, { kind: 'node', at: drafts.length, index });
    });
    drafts.push({ recipe, inputs: active.map((index) => links.get(instruction.inputs[index]) as Link), values, needed: false, place: -1 });
  }
  return keepNeeded(trace, derivative, drafts, program.outputs.map((output) => (isLiteral(output) ? undefined : links.get(output))));
}

/** Only what the results come from is recorded: nobody would ever let go of the rest. */
function keepNeeded(trace: TraceProgram, derivative: Derivative, drafts: readonly Draft[], results: readonly (Link | undefined)[]): Recording {
  const need = (link: Link | undefined): void => {
    if (link?.kind === 'node') (drafts[link.at] as Draft).needed = true;
  };
  results.forEach(need);
  for (let at = drafts.length - 1; at >= 0; at--) if ((drafts[at] as Draft).needed) (drafts[at] as Draft).inputs.forEach(need);
  const kept = drafts.filter(({ needed }) => needed);
  kept.forEach((draft, place) => {
    draft.place = place;
  });
  const settle = (link: Link): Link => (link.kind === 'node' ? { ...link, at: (drafts[link.at] as Draft).place } : link);
  const holder = new Holder(trace, derivative);
  const steps = kept.map(({ recipe, inputs, values }) => ({ recipe, inputs: inputs.map(settle), retained: values.map((value) => holder.find(value)) }));
  return { steps, results: results.map((link) => (link === undefined ? undefined : settle(link))), extras: holder.extras };
}

/** Finds where a run has the value of a variable, and asks for it as a further output where it has not. */
class Holder {
  readonly extras: Var[] = [];
  readonly #held = new Map<unknown, Held>();
  readonly #outputs: number;

  constructor(trace: TraceProgram, { program, residuals }: Derivative) {
    this.#outputs = program.outputs.length;
    program.outputs.forEach((output, at) => this.#held.set(output, { kind: 'output', at }));
    program.inputs.forEach((input, at) => {
      const position = residuals[at];
      const source = position === undefined ? undefined : trace.sources.get(position);
      if (position === undefined) this.#held.set(input, { kind: 'seed', at: at - residuals.length });
      else if (source !== undefined) this.#held.set(input, { kind: 'kept', source });
    });
  }

  find(value: Var): Held {
    let held = this.#held.get(value);
    if (held === undefined) this.#held.set(value, (held = { kind: 'output', at: this.#outputs + this.extras.push(value) - 1 }));
    return held;
  }
}
