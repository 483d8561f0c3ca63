import type { Atom, Catalog, Instruction, Program, Var } from '../contract.ts';
import { Builder } from '../program/builder.ts';
import { introducesExtents, symbolIntroducedBy } from '../program/introduced.ts';
import { isLiteral } from '../program/literal.ts';
import { renameExtents } from '../program/rename.ts';
import { replayProgram } from '../program/walk.ts';
import { symbolicDim } from '../types/dim.ts';
import { isInexact } from '../types/dtype.ts';
import type { DimConstraint } from '../types/shape.ts';
import type { LocalDerivative } from './local.ts';
import { requestFor, type RuleRequest } from './rule-context.ts';
import { CotangentSums } from './transpose.ts';

/** What to differentiate: positions in {@link valuesOf} and, for pullbacks, which outputs have a cotangent. */
export interface DerivativeRequest {
  readonly program: Program;
  readonly wrt: readonly number[];
  readonly live: readonly boolean[];
}

/**
 * A derivative as a program that stands beside the one it came from: its inputs are primal values of that program (the
 * residuals, by position in {@link valuesOf}), then the cotangents of live outputs or the tangents of `wrt`.
 */
export interface Derivative {
  readonly program: Program;
  readonly residuals: readonly number[];
  /** Per `wrt` (pullback) or output (pushforward): which program output it is, or undefined where nothing flows. */
  readonly results: readonly (number | undefined)[];
}

/** Where transforms get the derivatives of single instructions. */
export interface LocalRules {
  readonly catalog: Catalog;
  local(direction: 'forward' | 'reverse', request: RuleRequest): LocalDerivative;
}

/** All values of a program in order: inputs, bound inputs, outputs of instructions. */
export function valuesOf(program: Program): readonly Var[] {
  const values: Var[] = [...program.inputs];
  for (const { variable } of program.bound) values.push(variable);
  for (const { outputs } of program.instructions) for (const output of outputs) values.push(output);
  return values;
}

/** Collects a derivative program: primal values become inputs when a local derivative reads them. */
class DerivativeBuilder {
  readonly builder: Builder = new Builder();
  readonly residuals = new Map<Var, Var>();
  /** What local derivatives assume of symbolic extents; local programs are shared, so equal ones are one object. */
  readonly #constraints = new Set<DimConstraint>();

  constructor(program: Program) {
    for (const { type } of valuesOf(program)) this.builder.reserveExtents(type.shape);
    for (const { operation, params } of program.instructions) if (operation.traits.extent !== undefined) this.builder.reserveExtents([operation.traits.extent(params).symbol]);
  }

  primal(atom: Atom): Atom {
    if (isLiteral(atom)) return atom;
    let own = this.residuals.get(atom);
    if (own === undefined) this.residuals.set(atom, (own = this.builder.input(atom.type)));
    return own;
  }

  /** Appends the derivative of one instruction. */
  inline(local: LocalDerivative, instruction: Instruction, tangents: readonly (Atom | undefined)[]): readonly (Atom | undefined)[] {
    const env = new Map<Var, Atom>();
    const program = this.#withOwnExtents(local.program);
    program.inputs.forEach((input, at) => {
      const { kind, index } = local.inputs[at] as LocalDerivative['inputs'][number];
      env.set(input, kind === 'tangent' ? (tangents[index] as Atom) : this.primal((kind === 'input' ? instruction.inputs : instruction.outputs)[index] as Atom));
    });
    for (const constraint of program.constraints) this.#constraints.add(constraint);
    const outputs = replayProgram<Atom>(program, env, (atom) => atom, (step, inputs) => this.builder.replay(step, inputs));
    return local.results.map((at) => (at === undefined ? undefined : (outputs[at] as Atom)));
  }

  /** What a rule introduces gets a new name each time the rule is used. */
  #withOwnExtents(program: Program): Program {
    if (!introducesExtents(program)) return program;
    const symbols = program.instructions.flatMap((instruction) => symbolIntroducedBy(instruction) ?? []);
    return renameExtents(program, new Map(symbols.map((symbol) => [symbol, symbolicDim(this.builder.freshExtent())])));
  }

  finish(program: Program, tangents: readonly Var[], results: readonly (Atom | undefined)[]): Derivative {
    const positions = new Map(valuesOf(program).map((value, at) => [value, at]));
    for (const constraint of this.#constraints) this.builder.require(constraint);
    const built = this.builder.build(results.filter((result): result is Atom => result !== undefined));
    let at = 0;
    return {
      program: Object.freeze({ ...built, inputs: Object.freeze([...this.residuals.values(), ...tangents]) }),
      residuals: [...this.residuals.keys()].map((value) => positions.get(value) as number),
      results: results.map((result) => (result === undefined ? undefined : at++)),
    };
  }
}

/** The values that depend on `wrt` and carry tangents. */
function activeValues(program: Program, wrt: readonly Var[]): ReadonlySet<Atom> {
  const active = new Set<Atom>(wrt);
  for (const instruction of program.instructions) {
    if (!instruction.inputs.some((input) => active.has(input))) continue;
    for (const output of instruction.outputs) if (isInexact(output.type.dtype)) active.add(output);
  }
  return active;
}

/**
 * Reverse: instructions in descending order of creation, each adding its shares to the cotangents of its inputs
 * (contracts.md §3.5).
 */
export function pullback(rules: LocalRules, { program, wrt, live }: DerivativeRequest): Derivative {
  const values = valuesOf(program);
  const targets = wrt.map((at) => values[at] as Var);
  const active = activeValues(program, targets);
  const derivative = new DerivativeBuilder(program);
  const sums = new CotangentSums(derivative.builder, rules.catalog);
  const seeds: Var[] = [];
  program.outputs.forEach((output, index) => {
    if (live[index] !== true) return;
    const seed = derivative.builder.input(output.type);
    seeds.push(seed);
    if (active.has(output)) sums.add(output, seed);
  });
  for (let at = program.instructions.length - 1; at >= 0; at--) {
    const instruction = program.instructions[at] as Instruction;
    const cotangents = instruction.outputs.map((output) => sums.get(output));
    const mask = instruction.inputs.map((input) => active.has(input));
    if (!mask.includes(true) || cotangents.every((ct) => ct === undefined)) continue;
    const local = rules.local('reverse', requestFor(instruction, mask, cotangents.map((ct) => ct !== undefined)));
    derivative.inline(local, instruction, cotangents).forEach((share, index) => {
      if (share !== undefined) sums.add(instruction.inputs[index] as Atom, share);
    });
  }
  return derivative.finish(program, seeds, targets.map((target) => sums.get(target)));
}

/** Forward: instructions in order, tangents beside values. */
export function pushforward(rules: LocalRules, { program, wrt }: DerivativeRequest): Derivative {
  const values = valuesOf(program);
  const derivative = new DerivativeBuilder(program);
  const tangents = new Map<Atom, Atom>();
  const seeds = wrt.map((at) => {
    const seed = derivative.builder.input((values[at] as Var).type);
    tangents.set(values[at] as Var, seed);
    return seed;
  });
  for (const instruction of program.instructions) {
    const given = instruction.inputs.map((input) => tangents.get(input));
    if (given.every((tangent) => tangent === undefined)) continue;
    const live = instruction.outputs.map((output) => isInexact(output.type.dtype));
    if (!live.includes(true)) continue;
    const local = rules.local('forward', requestFor(instruction, given.map((tangent) => tangent !== undefined), live));
    derivative.inline(local, instruction, given).forEach((tangent, index) => {
      const output = instruction.outputs[index] as Var;
      if (tangent !== undefined && !tangents.has(output)) tangents.set(output, tangent);
    });
  }
  return derivative.finish(program, seeds, program.outputs.map((output) => tangents.get(output)));
}
