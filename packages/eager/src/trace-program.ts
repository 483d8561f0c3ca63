import { type Atom, Builder, isLiteral, type Program, valuesOf, type Var } from '@tf/core';
import type { Recipe } from './recipe.ts';
import type { TraceValue } from './trace.ts';
import type { Reached, Wire } from './walk.ts';

/** Where a retained value lies: residual `at` of operation `place`, or the value of leaf −1 − `place`. */
export interface Source {
  readonly place: number;
  readonly at: number;
}

/** A walked trace as a program: leaves and constants are its inputs. */
export interface TraceProgram {
  readonly program: Program;
  /** Which of its values the trace kept, by their positions in `valuesOf`. */
  readonly sources: ReadonlyMap<number, Source>;
  /** Where its values that carry tangents come from, by position. */
  readonly wires: ReadonlyMap<number, Wire>;
  positionOf(wire: Wire): number;
}

export function traceProgram(reached: Reached): TraceProgram {
  const { nodes, leaves, outputs } = reached;
  const builder = new Builder();
  const leafVars = leaves.map(({ origin }) => builder.input(typeOf(origin)));
  const inputs: (readonly Atom[])[] = [];
  const results: (readonly Var[])[] = [];
  const at = ({ place, index }: Wire): Var => (place < 0 ? leafVars[-1 - place] : results[place]?.[index]) as Var;
  for (const node of nodes) {
    const { instruction, active } = node.recipe as Recipe;
    let next = 0;
    const operands = instruction.inputs.map((input, index): Atom => {
      if (active[next] === index) return at(reached.wireOf(node.inputs[next++] as TraceValue));
      return isLiteral(input) ? input : builder.input(input.type);
    });
    inputs.push(operands);
    results.push(builder.replay(instruction, operands));
  }
  const program = builder.build(outputs.map((output) => at(reached.wireOf(output))));
  const positions = new Map<Atom, number>(valuesOf(program).map((value, position) => [value, position]));
  const wires = new Map<number, Wire>();
  const sources = new Map<number, Source>();
  leaves.forEach(({ record }, leaf) => {
    const position = positions.get(leafVars[leaf] as Var) as number;
    wires.set(position, { place: -1 - leaf, index: 0 });
    if (record !== undefined) sources.set(position, { place: -1 - leaf, at: 0 });
  });
  nodes.forEach((node, place) => {
    const { residuals, tracks } = node.recipe as Recipe;
    residuals.forEach((residual, index) => {
      const position = positions.get((residual >= 0 ? inputs[place]?.[residual] : results[place]?.[-1 - residual]) as Atom) as number;
      if (!sources.has(position)) sources.set(position, { place, at: index });
    });
    results[place]?.forEach((output, index) => {
      if (tracks[index] === true) wires.set(positions.get(output) as number, { place, index });
    });
  });
  return { program, sources, wires, positionOf: (wire) => positions.get(at(wire)) as number };
}

/** The type of a value in a trace. */
export function typeOf({ node, index }: TraceValue): Var['type'] {
  const output = node.recipe?.instruction.outputs[index] ?? node.retained[0];
  return (output as Var).type;
}
