import { type AdContext, type Atom, Builder, type Derivative, type Instruction, isLiteral, type Program, replayProgram, TfError, valuesOf, type Var } from '@tf/core';
import type { Source, TraceProgram } from './trace-program.ts';

/**
 * Adds up results that belong together (the leaves of one variable that was assigned in between): one result per group,
 * in the order of the group.
 */
export function addGroups(context: AdContext, derivative: Derivative, groups: readonly (readonly number[])[]): Derivative {
  const found = groups.map((group) => group.flatMap((at) => derivative.results[at] ?? []));
  if (found.every((results) => results.length < 2)) return { ...derivative, results: found.map(([first]) => first) };
  const builder = new Builder();
  const env = new Map<Var, Atom>(derivative.program.inputs.map((input) => [input, builder.input(input.type)]));
  const outputs = replayProgram<Atom>(derivative.program, env, (atom) => atom, (instruction, inputs) => builder.replay(instruction, inputs));
  const sums = found.map((results) => results.map((at) => outputs[at] as Atom).reduce<Atom | undefined>((sum, next) => (sum === undefined ? next : builder.emit(context.catalog.basis.add, [sum, next], {})[0]), undefined));
  let next = 0;
  return { program: builder.build(sums.filter((sum) => sum !== undefined)), residuals: derivative.residuals, results: sums.map((sum) => (sum === undefined ? undefined : next++)) };
}

/** A derivative as it runs: what the trace kept enters as inputs, followed by the seeds. */
export interface Execution {
  readonly program: Program;
  readonly sources: readonly Source[];
  /** Forward operations that are carried out again. */
  readonly recomputed: number;
}

/** `extras` are values of the derivative program that are outputs too, after its own. */
export function executionOf(trace: TraceProgram, derivative: Derivative, extras: readonly Var[]): Execution {
  const { program, residuals } = derivative;
  const { sources: kept } = trace;
  if (residuals.every((position) => kept.has(position))) {
    return { program: Object.freeze({ ...program, outputs: Object.freeze([...program.outputs, ...extras]) }), sources: residuals.map((position) => kept.get(position) as Source), recomputed: 0 };
  }
  const values = valuesOf(trace.program);
  const { instructions, bases } = recomputation(trace, residuals, new Map<Atom, number>(values.map((value, at) => [value, at])));
  const builder = new Builder();
  const env = new Map<Var, Atom>();
  for (const position of bases) env.set(values[position] as Var, builder.input((values[position] as Var).type));
  for (const instruction of instructions) {
    const outputs = builder.replay(instruction, instruction.inputs.map((input) => (isLiteral(input) ? input : (env.get(input) as Atom))));
    instruction.outputs.forEach((output, index) => {
      if (!env.has(output)) env.set(output, outputs[index] as Var);
    });
  }
  const inner = new Map<Var, Atom>();
  program.inputs.forEach((input, at) => {
    const position = residuals[at];
    inner.set(input, position === undefined ? builder.input(input.type) : (env.get(values[position] as Var) as Atom));
  });
  const results = replayProgram<Atom>(program, inner, (atom) => atom, (instruction, inputs) => builder.replay(instruction, inputs));
  return { program: builder.build([...results, ...extras.map((extra) => inner.get(extra) as Atom)]), sources: bases.map((position) => kept.get(position) as Source), recomputed: instructions.length };
}

/** The forward instructions that give the residuals, and the kept values from which they start. */
function recomputation({ program, sources: kept }: TraceProgram, residuals: readonly number[], positions: ReadonlyMap<Atom, number>): { readonly instructions: readonly Instruction[]; readonly bases: readonly number[] } {
  const needed = new Set<number>(residuals);
  const bases = new Set<number>(residuals.filter((position) => kept.has(position)));
  const instructions: Instruction[] = [];
  for (let at = program.instructions.length - 1; at >= 0; at--) {
    const instruction = program.instructions[at] as Instruction;
    const missing = instruction.outputs.some((output) => needed.has(positions.get(output) as number) && !kept.has(positions.get(output) as number));
    if (!missing) continue;
    instructions.push(instruction);
    for (const input of instruction.inputs) {
      const position = positions.get(input);
      if (position === undefined) continue;
      needed.add(position);
      if (kept.has(position)) bases.add(position);
    }
  }
  for (const input of program.inputs) if (needed.has(positions.get(input) as number) && !kept.has(positions.get(input) as number)) throw lost(input);
  return { instructions: instructions.reverse(), bases: [...bases] };
}

function lost({ type }: Var): TfError {
  return new TfError('UnsupportedRuleError', `The derivative reads a value that depends on a constant ${type.key} which reverse does not need, so the trace did not keep it. Compute inside runtime.captureTrace(() => …), which keeps constants too.`, { role: 'residuals', type: type.key });
}
