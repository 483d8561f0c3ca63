import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { Builder } from '../program/builder.ts';
import { introducesExtents, symbolIntroducedBy } from '../program/introduced.ts';
import { isLiteral } from '../program/literal.ts';
import { ValueMap, ValueSet } from '../program/numbered-map.ts';
import { renameExtents } from '../program/rename.ts';
import { replayProgram } from '../program/walk.ts';
import { symbolicDim } from '../types/dim.ts';
import { isComplex, isInexact } from '../types/dtype.ts';
import type { DimConstraint } from '../types/shape.ts';
import { type AugmentedForm, augmentedInstruction } from './augment.ts';
import { factorOf } from './factor.ts';
import { fitTangent } from './fit.ts';
import type { LocalDerivative } from './local.ts';
import { requestFor, type RuleRequest, type Rules } from './rule-context.ts';
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

/** Which derivative of an instruction: its tangents, its cotangents, or the cotangents of half its square. */
export type Direction = 'forward' | 'reverse' | 'halfSquare';

/** Where transforms get the derivatives of single instructions. */
export interface LocalRules extends Rules {
  augmented(request: RuleRequest): AugmentedForm | undefined;
  local(direction: Direction, request: RuleRequest): LocalDerivative;
}

/** All values of a program in order: inputs, bound inputs, outputs of instructions. */
export function valuesOf(program: Program): readonly Var[] {
  const values: Var[] = [...program.inputs];
  for (const { variable } of program.bound) values.push(variable);
  for (let at = 0; at < program.instructions.length; at++) {
    const { outputs } = program.instructions[at] as Instruction;
    for (let index = 0; index < outputs.length; index++) values.push(outputs[index] as Var);
  }
  return values;
}

/** Collects a derivative program: primal values become inputs when a local derivative reads them. */
class DerivativeBuilder {
  readonly builder: Builder = new Builder();
  readonly residuals = new Map<Var, Var>();
  /** By further outputs: what gives them. What of that is read replaces an instruction of the source, or is computed here. */
  readonly #further = new ValueMap<{ readonly instruction: Instruction; readonly augmented: Instruction }>();
  readonly #replaced = new Map<Instruction, Instruction>();
  readonly #computed = new ValueMap<Atom>();
  readonly #inSource: boolean;
  /** What local derivatives assume of symbolic extents; local programs are shared, so equal ones are one object. */
  readonly #constraints = new Set<DimConstraint>();

  /** With `inSource`, further outputs of augmented instructions are values of the source; otherwise the derivative computes them itself. */
  constructor(program: Program, inSource = false) {
    this.#inSource = inSource;
    for (const { type } of valuesOf(program)) this.builder.reserveExtents(type.shape);
    for (const { operation, params } of program.instructions) if (operation.traits.extent !== undefined) this.builder.reserveExtents([operation.traits.extent(params).symbol]);
  }

  primal(atom: Atom): Atom {
    if (isLiteral(atom)) return atom;
    const source = this.#further.get(atom);
    if (source !== undefined && this.#inSource) this.#replaced.set(source.instruction, source.augmented);
    else if (source !== undefined) return this.#compute(source.augmented, atom);
    let own = this.residuals.get(atom);
    if (own === undefined) this.residuals.set(atom, (own = this.builder.input(atom.type)));
    return own;
  }

  /** The instruction as its derivative would have it: `live` are the outputs that matter. */
  source(rules: LocalRules, instruction: Instruction, active: readonly boolean[], live: readonly boolean[]): Instruction {
    const form = rules.augmented(requestFor(instruction, active, live));
    if (form === undefined) return instruction;
    const source = augmentedInstruction(instruction, form);
    for (const output of source.outputs.slice(instruction.outputs.length)) this.#further.set(output, { instruction, augmented: source });
    return source;
  }

  /** The source with what replaced its instructions. */
  sourceOf(program: Program): Program {
    return this.#replaced.size === 0 ? program : { ...program, instructions: program.instructions.map((instruction) => this.#replaced.get(instruction) ?? instruction) };
  }

  /** A value that only an augmented instruction has, which compile runs instead of the instruction itself. */
  #compute({ operation, inputs, params, outputs }: Instruction, wanted: Atom): Atom {
    if (!this.#computed.has(wanted)) {
      const made = this.builder.emit(operation, inputs.map((input) => this.primal(input)), params);
      outputs.forEach((output, at) => this.#computed.set(output, made[at] as Var));
    }
    return this.#computed.get(wanted) as Atom;
  }

  /** Appends the derivative of one instruction. */
  inline(local: LocalDerivative, instruction: Instruction, tangents: readonly (Atom | undefined)[]): readonly (Atom | undefined)[] {
    const env = new ValueMap<Atom>();
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
    const positions = new ValueMap<number>();
    valuesOf(this.sourceOf(program)).forEach((value, at) => positions.set(value, at));
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
function activeValues(program: Program, wrt: readonly Var[]): ValueSet {
  const active = new ValueSet(wrt);
  for (let at = 0; at < program.instructions.length; at++) {
    const { inputs, outputs } = program.instructions[at] as Instruction;
    if (!active.hasAny(inputs)) continue;
    for (let index = 0; index < outputs.length; index++) if (isInexact((outputs[index] as Var).type.dtype)) active.add(outputs[index] as Var);
  }
  return active;
}

/** The values that the outputs depend on. */
function neededValues(program: Program): ValueSet {
  const needed = new ValueSet(program.outputs);
  for (let at = program.instructions.length - 1; at >= 0; at--) {
    const { inputs, outputs } = program.instructions[at] as Instruction;
    if (needed.hasAny(outputs)) needed.addAll(inputs);
  }
  return needed;
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
  // Once for all instructions: there may be 100 000s of them.
  const cotangentOf = (output: Var): Atom | undefined => sums.get(output);
  const isActive = (input: Atom): boolean => active.has(input);
  const isThere = (ct: Atom | undefined): boolean => ct !== undefined;
  for (let at = program.instructions.length - 1; at >= 0; at--) {
    const instruction = program.instructions[at] as Instruction;
    if (!active.hasAny(instruction.inputs)) continue;
    const cotangents = instruction.outputs.map(cotangentOf);
    const seeded = cotangents.map(isThere);
    if (!seeded.includes(true)) continue;
    const mask = instruction.inputs.map(isActive);
    const source = derivative.source(rules, instruction, mask, seeded);
    const request = requestFor(source, mask, source.outputs.map((_, at) => seeded[at] === true));
    const factor = factorOfSquare(rules, derivative, source, cotangents);
    const shares = factor === undefined ? derivative.inline(rules.local('reverse', request), source, cotangents) : derivative.inline(rules.local('halfSquare', request), source, [factor]);
    shares.forEach((share, index) => {
      if (share !== undefined) sums.add(instruction.inputs[index] as Atom, share);
    });
  }
  return derivative.finish(program, seeds, targets.map((target) => sums.get(target)));
}

/** c where the instruction's output y has the cotangent c·y, and its rule knows the cotangents of ½y². */
function factorOfSquare({ catalog }: LocalRules, { builder, residuals }: DerivativeBuilder, { operation, outputs }: Instruction, [ct]: readonly (Atom | undefined)[]): Atom | undefined {
  const rule = catalog.rule(operation);
  const output = outputs[0] as Var;
  const y = residuals.get(output);
  if (rule.kind === 'none' || rule.halfSquare === undefined || ct === undefined || y === undefined || isComplex(output.type.dtype)) return undefined;
  const factor = factorOf(builder, catalog, ct, y);
  return factor === undefined ? undefined : fitTangent(builder, catalog.basis, factor, output.type, { operation, inputTypes: [factor.type], active: [true] });
}

/** Forward: instructions in order, tangents beside values. */
export function pushforward(rules: LocalRules, request: DerivativeRequest): Derivative {
  return pushforwardFrom(rules, request, new DerivativeBuilder(request.program));
}

/** The same beside a source whose instructions are augmented: `residuals` are positions in that program. */
export function pushforwardBeside(rules: LocalRules, request: DerivativeRequest): Derivative & { readonly source: Program } {
  const builder = new DerivativeBuilder(request.program, true);
  const derivative = pushforwardFrom(rules, request, builder);
  return { ...derivative, source: builder.sourceOf(request.program) };
}

function pushforwardFrom(rules: LocalRules, { program, wrt }: DerivativeRequest, derivative: DerivativeBuilder): Derivative {
  const values = valuesOf(program);
  const needed = neededValues(program);
  const tangents = new ValueMap<Atom>();
  const seeds = wrt.map((at) => {
    const seed = derivative.builder.input((values[at] as Var).type);
    tangents.set(values[at] as Var, seed);
    return seed;
  });
  for (const instruction of program.instructions) {
    const given = instruction.inputs.map((input) => tangents.get(input));
    if (given.every((tangent) => tangent === undefined)) continue;
    const live = instruction.outputs.map((output) => isInexact(output.type.dtype) && needed.has(output));
    if (!live.includes(true)) continue;
    const active = given.map((tangent) => tangent !== undefined);
    const source = derivative.source(rules, instruction, active, live);
    const local = rules.local('forward', requestFor(source, active, source.outputs.map((_, at) => live[at] === true)));
    derivative.inline(local, source, given).forEach((tangent, index) => {
      const output = source.outputs[index] as Var;
      if (tangent !== undefined && !tangents.has(output)) tangents.set(output, tangent);
    });
  }
  return derivative.finish(program, seeds, program.outputs.map((output) => tangents.get(output)));
}
