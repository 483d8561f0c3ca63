import { type AdContext, type Atom, Builder, compileProgram, type Derivative, invariant, type Instruction, isLiteral, type Plan, type Program, replayProgram, valuesOf, type Var } from '@tf/core';
import type { Recipe } from './recipe.ts';
import { type Script, scriptOf } from './script.ts';
import type { Cached } from './slot-cache.ts';
import type { TraceNode, TraceValue } from './trace.ts';
import type { KnownType, TypeTable } from './type-table.ts';
import type { ValueRecord } from './value.ts';
import type { Reached } from './walk.ts';

/** Where a retained value lies: `nodes[node].retained[at]`, or `leaves[−1 − node].retained[at]` for a negative node. */
export interface Source {
  readonly node: number;
  readonly at: number;
}

/** The derivative of one structure of trace, ready to run. */
export interface Prepared extends Cached {
  readonly key: Int32Array;
  /** How it runs: as one plan, or one operation at a time. */
  readonly execution: { readonly kind: 'plan'; readonly plan: Plan } | { readonly kind: 'script'; readonly script: Script };
  /** Its inputs before the cotangent. */
  readonly sources: readonly Source[];
  /** Per wanted leaf: which output is its gradient, or undefined where nothing flows. */
  readonly results: readonly (number | undefined)[];
  readonly resultTypes: readonly KnownType[];
  /** Forward operations that have to be carried out again in each run. */
  readonly recomputed: number;
}

/** Derivatives with more instructions than this run one operation at a time. */
const maximumPlanned = 2000;

export function sameKey(a: Int32Array, b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** The trace as a program: leaves and constants are its inputs. `sources` tells which of its values the trace kept. */
interface TracedProgram {
  readonly program: Program;
  readonly sources: ReadonlyMap<number, Source>;
}

/** Step 1, semantic: the pullback of the whole trace. Step 2, execution: what was kept enters as inputs (contracts.md §4). */
export function prepare(context: AdContext, types: TypeTable, loss: TraceValue, reached: Reached, hash: number): Prepared {
  const { program, sources } = programOf(loss, reached);
  const derivative = context.pullback({ program, wrt: reached.wanted, live: [true] });
  const execution = executionOf(program, derivative, sources);
  return {
    hash, slot: -1, lastUsed: 0,
    key: Int32Array.from(reached.key),
    bytes: 512 * (reached.nodes.length + execution.program.instructions.length) + 1024,
    execution: execution.program.instructions.length > maximumPlanned ? { kind: 'script', script: scriptOf(execution.program) } : { kind: 'plan', plan: compileProgram(execution.program) },
    sources: execution.sources,
    results: derivative.results,
    resultTypes: execution.program.outputs.map((output) => types.of(output.type)),
    recomputed: execution.recomputed,
  };
}

function programOf(loss: TraceValue, { nodes, leaves }: Reached): TracedProgram {
  const builder = new Builder();
  const leafVars = leaves.map((leaf) => builder.input((leaf.retained[0] as ValueRecord).type));
  const outputs: (readonly Var[])[] = [];
  const inputs: (readonly Var[])[] = [];
  const valueOf = ({ node, index }: TraceValue): Var => (node.recipe === undefined ? leafVars[-1 - node.position] : outputs[node.position]?.[index]) as Var;
  for (const node of nodes) {
    const { instruction, active } = node.recipe as Recipe;
    const operands = instruction.inputs.map((input, index) => {
      const at = active.indexOf(index);
      return at < 0 ? builder.input(input.type) : valueOf(node.inputs[at] as TraceValue);
    });
    inputs.push(operands);
    outputs.push(builder.replay(instruction, operands));
  }
  const program = builder.build([valueOf(loss)]);
  return { program, sources: sourcesOf(program, nodes, leafVars, inputs, outputs) };
}

function sourcesOf(program: Program, nodes: readonly TraceNode[], leaves: readonly Var[], inputs: readonly (readonly Var[])[], outputs: readonly (readonly Var[])[]): ReadonlyMap<number, Source> {
  const positions = new Map(valuesOf(program).map((value, at) => [value, at]));
  const sources = new Map<number, Source>();
  leaves.forEach((leaf, at) => sources.set(positions.get(leaf) as number, { node: -1 - at, at: 0 }));
  nodes.forEach((node, place) => (node.recipe as Recipe).residuals.forEach((residual, at) => {
    const value = residual >= 0 ? inputs[place]?.[residual] : outputs[place]?.[-1 - residual];
    const position = positions.get(value as Var) as number;
    if (!sources.has(position)) sources.set(position, { node: place, at });
  }));
  return sources;
}

interface Execution {
  readonly program: Program;
  readonly sources: readonly Source[];
  readonly recomputed: number;
}

/** The derivative program with every value that was kept as an input; the rest is computed from what was kept. */
function executionOf(program: Program, derivative: Derivative, kept: ReadonlyMap<number, Source>): Execution {
  if (derivative.residuals.every((position) => kept.has(position))) {
    return { program: derivative.program, sources: derivative.residuals.map((position) => kept.get(position) as Source), recomputed: 0 };
  }
  const values = valuesOf(program);
  const positions = new Map<Atom, number>(values.map((value, at) => [value, at]));
  const { instructions, bases } = recomputation(program, derivative.residuals, kept, positions);
  const builder = new Builder();
  const env = new Map<Var, Atom>();
  for (const position of bases) env.set(values[position] as Var, builder.input((values[position] as Var).type));
  for (const instruction of instructions) {
    const outputs = builder.replay(instruction, instruction.inputs.map((input) => (isLiteral(input) ? input : (env.get(input) as Atom))));
    instruction.outputs.forEach((output, index) => env.set(output, outputs[index] as Var));
  }
  const inner = new Map<Var, Atom>();
  derivative.program.inputs.forEach((input, at) => {
    const position = derivative.residuals[at];
    inner.set(input, position === undefined ? builder.input(input.type) : (env.get(values[position] as Var) as Atom));
  });
  const results = replayProgram<Atom>(derivative.program, inner, (atom) => atom, (instruction, inputs) => builder.replay(instruction, inputs));
  return { program: builder.build(results), sources: bases.map((position) => kept.get(position) as Source), recomputed: instructions.length };
}

/** The forward instructions that give the residuals, and the kept values from which they start. */
function recomputation(program: Program, residuals: readonly number[], kept: ReadonlyMap<number, Source>, positions: ReadonlyMap<Atom, number>): { readonly instructions: readonly Instruction[]; readonly bases: readonly number[] } {
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
  for (const input of program.inputs) invariant(!needed.has(positions.get(input) as number) || kept.has(positions.get(input) as number), 'A value that reverse has to compute again depends on a constant that the trace did not keep');
  return { instructions: instructions.reverse(), bases: [...bases] };
}
