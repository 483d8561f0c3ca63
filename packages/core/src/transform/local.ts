import type { Atom, DerivativeRule, Program, Var } from '../contract.ts';
import { Builder } from '../program/builder.ts';
import { liveInstructions } from '../program/walk.ts';
import { fitCotangent, fitTangent } from './fit.ts';
import { createRuleContext, isLinearInput, onlyDeclared, type PrimalSource, type RuleRequest, type Rules, unsupported, zeros } from './rule-context.ts';
import { ruleResults } from './rule-results.ts';
import { transposeLinear } from './transpose.ts';

/** What an input of a local program is: a primal value of the instruction (a residual), or the tangent or cotangent with this index. */
export interface LocalInput {
  readonly kind: 'input' | 'output' | 'tangent';
  readonly index: number;
}

/**
 * The derivative of one instruction as a program, found by running its rule once, abstractly, for these types and this
 * activity. Its primal inputs are exactly the residuals.
 */
export interface LocalDerivative {
  readonly program: Program;
  readonly inputs: readonly LocalInput[];
  /** Per output (forward) or input (reverse): which program output it is, or undefined where it is zero. */
  readonly results: readonly (number | undefined)[];
}

/** Collects a local program while a rule runs: primal inputs come into being when they are read. */
class LocalBuilder implements PrimalSource {
  readonly builder: Builder = new Builder();
  readonly #known = new Map<string, Var>();
  readonly #kinds = new Map<Var, LocalInput>();
  readonly #request: RuleRequest;

  constructor(request: RuleRequest) {
    this.#request = request;
    for (const { shape } of [...request.inputTypes, ...request.outputTypes]) this.builder.reserveExtents(shape);
  }

  input(index: number): Var {
    return this.#primal('input', index);
  }

  output(index: number): Var {
    return this.#primal('output', index);
  }

  tangent(index: number, side: 'input' | 'output'): Var {
    return this.#define({ kind: 'tangent', index }, side === 'input' ? this.#request.inputTypes : this.#request.outputTypes);
  }

  finish(results: readonly (Atom | undefined)[]): LocalDerivative {
    const there = results.filter((result): result is Atom => result !== undefined);
    const whole = this.builder.build(there);
    const instructions = liveInstructions(whole);
    const used = new Set<Atom>(there);
    for (const instruction of instructions) for (const input of instruction.inputs) used.add(input);
    // Tangents stay in their places; primal values that nothing uses are no residuals.
    const inputs = whole.inputs.filter((input) => used.has(input) || this.#kinds.get(input)?.kind === 'tangent');
    let at = 0;
    return {
      program: { ...whole, inputs, instructions },
      inputs: inputs.map((input) => this.#kinds.get(input) as LocalInput),
      results: results.map((result) => (result === undefined ? undefined : at++)),
    };
  }

  #primal(side: 'input' | 'output', index: number): Var {
    const key = `${side}${index}`;
    let variable = this.#known.get(key);
    if (variable === undefined) this.#known.set(key, (variable = this.#define({ kind: side, index }, side === 'input' ? this.#request.inputTypes : this.#request.outputTypes)));
    return variable;
  }

  #define(kind: LocalInput, types: RuleRequest['inputTypes']): Var {
    const type = types[kind.index];
    if (type === undefined) throw unsupported(this.#request.operation, 'rule', `its rule reads ${kind.kind} ${kind.index}, which does not exist`);
    const variable = this.builder.input(type);
    this.#kinds.set(variable, kind);
    return variable;
  }
}

/** Tangents of the outputs from tangents of the active inputs. */
export function forwardDerivative(rules: Rules, request: RuleRequest): LocalDerivative {
  const rule = ruleOf(rules, request, 'jvp');
  const local = new LocalBuilder(request);
  const tangents = request.active.map((is, index) => (is ? local.tangent(index, 'input') : undefined));
  const results = forward(rules, request, rule, local, tangents);
  return local.finish(request.outputTypes.map((type, index) => {
    const tangent = results[index];
    return tangent === undefined ? undefined : fitTangent(local.builder, rules.catalog.basis, tangent, type, request);
  }));
}

function forward(rules: Rules, request: RuleRequest, rule: DerivativeRule, local: LocalBuilder, tangents: readonly (Var | undefined)[]): readonly (Atom | undefined)[] {
  const ctx = createRuleContext(local.builder, rules, request, local);
  if (rule.linearize !== undefined) return ruleResults(request, 'linearize', local.builder, () => rule.linearize?.(ctx, tangents));
  if (rule.linear !== undefined && isLinearIn(rule, request)) return applyItself(rules, request, rule, local, tangents);
  if (rule.vjp === undefined) throw unsupported(request.operation, 'jvp', 'it is linear in some inputs only, and has neither linearize nor vjp for the others');
  return transposeOfVjp(rules, request, local, tangents);
}

function isLinearIn(rule: DerivativeRule, { active, params }: RuleRequest): boolean {
  return active.every((is, index) => !is || isLinearInput(rule, params, index));
}

/** A linear operation is its own linearisation. */
function applyItself(rules: Rules, request: RuleRequest, rule: DerivativeRule, local: LocalBuilder, tangents: readonly (Var | undefined)[]): readonly Var[] {
  const { operation, params, inputTypes } = request;
  const linear = rule.linear as NonNullable<DerivativeRule['linear']>;
  if (linear.how === 'together') {
    const inputs = inputTypes.map((type, index) => tangents[index] ?? (isLinearInput(rule, params, index) ? zeros(local.builder, rules.catalog.basis, type) : local.input(index)));
    return local.builder.emit(operation, inputs, params);
  }
  let sum: readonly Var[] | undefined;
  tangents.forEach((tangent, active) => {
    if (tangent === undefined) return;
    const share = local.builder.emit(operation, inputTypes.map((_, index) => (index === active ? tangent : local.input(index))), params);
    sum = sum === undefined ? share : sum.map((left, index) => local.builder.emit(rules.catalog.basis.add, [left, share[index] as Var], {})[0] as Var);
  });
  return sum ?? [];
}

/** A vjp is linear in its cotangents, so its transpose is the derivative (contracts.md §1). */
function transposeOfVjp(rules: Rules, request: RuleRequest, local: LocalBuilder, tangents: readonly (Var | undefined)[]): readonly (Atom | undefined)[] {
  const reverse = reverseDerivative(rules, { ...request, live: request.outputTypes.map(() => true) });
  for (const constraint of reverse.program.constraints) local.builder.require(constraint);
  const env = new Map<Var, Atom>();
  const linearInputs: Var[] = [];
  const outputOf: number[] = [];
  reverse.program.inputs.forEach((input, at) => {
    const { kind, index } = reverse.inputs[at] as LocalInput;
    if (kind === 'tangent') {
      linearInputs.push(input);
      outputOf.push(index);
    } else env.set(input, kind === 'input' ? local.input(index) : local.output(index));
  });
  const seeds = new Array<Atom | undefined>(reverse.program.outputs.length);
  reverse.results.forEach((at, index) => {
    if (at !== undefined) seeds[at] = tangents[index];
  });
  const found = transposeLinear(rules, local.builder, { program: reverse.program, linearInputs, env }, seeds);
  const results = new Array<Atom | undefined>(request.outputTypes.length).fill(undefined);
  found.forEach((tangent, at) => {
    results[outputOf[at] as number] = tangent;
  });
  return results;
}

/** Cotangents of the active inputs from cotangents of the live outputs. */
export function reverseDerivative(rules: Rules, request: RuleRequest): LocalDerivative {
  const rule = ruleOf(rules, request, 'vjp');
  const local = new LocalBuilder(request);
  const cotangents = request.live.map((is, index) => (is ? local.tangent(index, 'output') : undefined));
  const results = reverse(rules, request, rule, local, cotangents);
  return local.finish(request.inputTypes.map((type, index) => {
    const ct = request.active[index] === true ? results[index] : undefined;
    return ct === undefined ? undefined : fitCotangent(local.builder, rules.catalog.basis, ct, type, request);
  }));
}

/** Cotangents of the active inputs from one of half the square of the output, where the rule has them. */
export function halfSquareDerivative(rules: Rules, request: RuleRequest): LocalDerivative {
  const rule = ruleOf(rules, request, 'vjp');
  const local = new LocalBuilder(request);
  const ctx = createRuleContext(local.builder, rules, request, local);
  const ct = local.tangent(0, 'output');
  const results = rule.halfSquare === undefined ? [] : ruleResults(request, 'halfSquare', local.builder, () => rule.halfSquare?.(ctx, ct));
  return local.finish(request.inputTypes.map((type, index) => {
    const share = request.active[index] === true ? results[index] : undefined;
    return share === undefined ? undefined : fitCotangent(local.builder, rules.catalog.basis, share, type, request);
  }));
}

function reverse(rules: Rules, request: RuleRequest, rule: DerivativeRule, local: LocalBuilder, cotangents: readonly (Var | undefined)[]): readonly (Atom | undefined)[] {
  if (rule.vjp !== undefined) {
    const ctx = createRuleContext(local.builder, rules, request, onlyDeclared(local, request.operation, rule.residuals ?? {}));
    const whole = cotangents.map((ct, index) => ct ?? zeros(local.builder, rules.catalog.basis, request.outputTypes[index] as RuleRequest['outputTypes'][number]));
    return ruleResults(request, 'vjp', local.builder, () => rule.vjp?.(ctx, whole));
  }
  if (rule.transpose !== undefined && isLinearIn(rule, request)) return transposeItself(rules, request, rule, local, cotangents);
  if (rule.linearize === undefined) throw unsupported(request.operation, 'vjp', 'it is linear in some inputs only, and has neither linearize nor vjp for the others');
  return transposeOfLinearize(rules, request, local, cotangents);
}

function transposeItself(rules: Rules, request: RuleRequest, rule: DerivativeRule, local: LocalBuilder, cotangents: readonly (Var | undefined)[]): readonly (Atom | undefined)[] {
  const run = (active: readonly boolean[]): readonly (Atom | undefined)[] =>
    ruleResults({ ...request, active }, 'transpose', local.builder, () => rule.transpose?.(createRuleContext(local.builder, rules, { ...request, active }, local), cotangents));
  if (rule.linear?.how === 'together') return run(request.active);
  return request.active.map((is, index) => (is ? run(request.active.map((_, at) => at === index))[index] : undefined));
}

function transposeOfLinearize(rules: Rules, request: RuleRequest, local: LocalBuilder, cotangents: readonly (Var | undefined)[]): readonly (Atom | undefined)[] {
  const derivative = forwardDerivative(rules, request);
  for (const constraint of derivative.program.constraints) local.builder.require(constraint);
  const env = new Map<Var, Atom>();
  const linearInputs: Var[] = [];
  const inputOf: number[] = [];
  derivative.program.inputs.forEach((input, at) => {
    const { kind, index } = derivative.inputs[at] as LocalInput;
    if (kind === 'tangent') {
      linearInputs.push(input);
      inputOf.push(index);
    } else env.set(input, kind === 'input' ? local.input(index) : local.output(index));
  });
  const seeds = new Array<Atom | undefined>(derivative.program.outputs.length);
  derivative.results.forEach((at, index) => {
    if (at !== undefined) seeds[at] = cotangents[index];
  });
  const found = transposeLinear(rules, local.builder, { program: derivative.program, linearInputs, env }, seeds);
  const results = new Array<Atom | undefined>(request.inputTypes.length).fill(undefined);
  found.forEach((ct, at) => {
    results[inputOf[at] as number] = ct;
  });
  return results;
}

function ruleOf({ catalog }: Rules, request: RuleRequest, role: string): DerivativeRule {
  const rule = catalog.rule(request.operation);
  if (rule.kind === 'none') throw unsupported(request.operation, role, rule.reason);
  return rule;
}

