/**
 * Residuals of a loop's body or of branches as further outputs: the operation that runs instead where it is differentiated
 * (contracts.md §1), and what is left of such an operation where nobody reads some of its outputs.
 */
import type { Atom, ParamValue, Program, RegionTangents, Var } from '../../contract.ts';
import { liveInstructions } from '../../program/walk.ts';

/** A program of which only some outputs matter, and which those are. */
export interface LiveOutputs {
  readonly program: Program;
  readonly places: readonly number[];
}

/** Outputs before `always`, which go round, matter whatever is read. */
export function liveOutputs(program: Program, live: readonly boolean[], always = 0): LiveOutputs {
  const places = program.outputs.flatMap((_, at) => (at < always || live[at] === true ? [at] : []));
  return { program: places.length === program.outputs.length ? program : { ...program, outputs: places.map((at) => program.outputs[at] as Atom) }, places };
}

/** The value of a region that a residual is: one of its inputs, or one inside. */
export function residualValue({ primal, results }: RegionTangents, { kind, index }: RegionTangents['residuals'][number]): Atom {
  return kind === 'input' ? (primal.inputs[index] as Var) : (primal.outputs[results.length + index] as Atom);
}

/** The forms that an operation was augmented from, oldest first: per form its programs and the inputs in which it is linear. */
export type Forms = readonly ParamValue[];

export function formsOf({ forms }: { readonly forms?: Forms }): Forms {
  return forms ?? [];
}

/** The newest form, of as many programs as `count`, and the parameter that says what is before it. */
export function newestForm(forms: Forms, count: number): { readonly programs: readonly Program[]; readonly linear: readonly number[]; readonly before: { readonly forms?: Forms } } | undefined {
  if (forms.length === 0) return undefined;
  const start = forms.length - count - 1;
  return { programs: forms.slice(start, -1) as readonly Program[], linear: forms[forms.length - 1] as readonly number[], before: start === 0 ? {} : { forms: forms.slice(0, start) } };
}

/** A program without some outputs, without what only those needed; the inputs that it still reads. */
export function withoutOutputs(program: Program, outputs: readonly number[]): { readonly program: Program; readonly reads: ReadonlySet<Atom> } {
  const narrower = { ...program, outputs: outputs.map((at) => program.outputs[at] as Atom) };
  const instructions = liveInstructions(narrower);
  const reads = new Set<Atom>(narrower.outputs);
  for (const { inputs } of instructions) for (const input of inputs) reads.add(input);
  return { program: { ...narrower, instructions }, reads };
}
