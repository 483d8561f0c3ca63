import type { Atom, Catalog, Instruction, Program, Var } from '../contract.ts';
import type { Builder } from '../program/builder.ts';
import { isLiteral } from '../program/literal.ts';
import { ValueMap, ValueSet } from '../program/numbered-map.ts';
import type { ValueEnv } from '../program/walk.ts';
import { fitCotangent } from './fit.ts';
import { createRuleContext, isLinearInput, type Rules, unsupported } from './rule-context.ts';
import { ruleResults } from './rule-results.ts';

/** Adds cotangents of one value as visible instructions, in the order in which they arrive. */
export class CotangentSums {
  readonly #builder: Builder;
  readonly #catalog: Catalog;
  readonly #sums = new ValueMap<Atom>();

  constructor(builder: Builder, catalog: Catalog) {
    this.#builder = builder;
    this.#catalog = catalog;
  }

  get(value: Atom): Atom | undefined {
    return this.#sums.get(value);
  }

  add(value: Atom, ct: Atom): void {
    const sum = this.#sums.get(value);
    this.#sums.set(value, sum === undefined ? ct : (this.#accumulated(sum, ct) ?? (this.#builder.emit(this.#catalog.basis.add, [sum, ct], {})[0] as Atom)));
  }

  /** What stands for the cotangent so far and what is added to it. */
  replace(value: Atom, sum: Atom): void {
    this.#sums.set(value, sum);
  }

  /** The sum of a cotangent that is 0 but for a few places, which need not be made whole for that. */
  #accumulated(sum: Atom, ct: Atom): Atom | undefined {
    return this.#adding(ct, MAXIMUM_DEPTH)?.(sum);
  }

  /** What adds such a cotangent to a sum: one that was put among zeros, that was accumulated so from several, or that was rearranged since. */
  #adding(ct: Atom, depth: number): Adding | undefined {
    const builder = this.#builder;
    const made = depth === 0 ? undefined : builder.maker(ct);
    if (made === undefined) return undefined;
    const { operation, inputs, params } = made;
    const { asAccumulation, undo } = operation.traits;
    const [first, ...others] = inputs as readonly [Atom, ...Atom[]];
    if (undo !== undefined) {
      const inner = this.#adding(first, depth - 1);
      return inner && ((sum) => one(builder.emit(operation, [inner(one(builder.emit(operation, [sum], undo(params, first.type))))], params)));
    }
    if (asAccumulation === undefined) return undefined;
    const form = asAccumulation(params, inputs.map((input) => builder.isZero(input)));
    if (form !== undefined) return (sum) => one(builder.emit(form.operation, [sum, ...form.inputs.map((input) => inputs[input] as Atom)], form.params));
    const onto = asAccumulation(params, inputs.map((_, at) => at === 0));
    const before = onto?.operation === operation ? this.#adding(first, depth - 1) : undefined;
    return before && ((sum) => one(builder.emit(operation, [before(sum), ...others], params)));
  }
}

type Adding = (sum: Atom) => Atom;

/** As many steps back from a cotangent are looked at. */
const MAXIMUM_DEPTH = 64;

function one([output]: readonly Atom[]): Atom {
  return output as Atom;
}

export interface LinearPart {
  /** Its linear inputs; all others have values in `env`. */
  readonly program: Program;
  readonly linearInputs: readonly Var[];
  /** Values of the other inputs in the builder; filled with the values computed from them. */
  readonly env: ValueEnv<Atom>;
  /** Sums to which the cotangents of linear inputs are added. */
  readonly starts?: ReadonlyMap<Var, Atom>;
}

/**
 * Appends the adjoint of a linear program to `builder`: cotangents of its linear inputs from cotangents of its outputs.
 * What does not depend on the linear inputs is computed first. A program that is not linear, or uses an operation without
 * a transpose, is an `UnsupportedRuleError`.
 */
export function transposeLinear(rules: Rules, builder: Builder, part: LinearPart, cotangents: readonly (Atom | undefined)[]): readonly (Atom | undefined)[] {
  const { program, linearInputs, env } = part;
  const linear = new ValueSet(linearInputs);
  const value = (atom: Atom): Atom => (isLiteral(atom) ? atom : (env.get(atom) as Atom));
  const steps: Instruction[] = [];
  for (const instruction of program.instructions) {
    if (instruction.inputs.some((input) => linear.has(input))) {
      steps.push(instruction);
      for (const output of instruction.outputs) linear.add(output);
    } else {
      const outputs = builder.replay(instruction, instruction.inputs.map(value));
      instruction.outputs.forEach((output, index) => env.set(output, outputs[index] as Var));
    }
  }
  const sums = new CotangentSums(builder, rules.catalog);
  part.starts?.forEach((start, input) => sums.add(input, start));
  program.outputs.forEach((output, index) => {
    const ct = cotangents[index];
    if (ct !== undefined && linear.has(output)) sums.add(output, ct);
  });
  for (const instruction of steps.reverse()) transposeInstruction(rules, builder, instruction, linear, sums, value);
  return linearInputs.map((input) => sums.get(input));
}

function transposeInstruction(rules: Rules, builder: Builder, instruction: Instruction, linear: ValueSet, sums: CotangentSums, value: (atom: Atom) => Atom): void {
  const { operation, inputs, outputs, params } = instruction;
  const cotangents = outputs.map((output) => sums.get(output));
  if (cotangents.every((ct) => ct === undefined)) return;
  const active = inputs.map((input) => linear.has(input));
  const { catalog } = rules;
  const rule = catalog.rule(operation);
  const wanted = active.flatMap((is, index) => (is ? [index] : []));
  if (rule.kind === 'none') throw unsupported(operation, 'transpose', rule.reason);
  if (rule.transpose === undefined || rule.linear === undefined) throw unsupported(operation, 'transpose', 'a derivative uses it on tangents, and it has no transpose');
  if (!wanted.every((index) => isLinearInput(rule, params, index)) || (rule.linear.how === 'each' && wanted.length > 1)) throw unsupported(operation, 'transpose', 'a derivative uses it on tangents in a way that is not linear');
  const request = { operation, params, inputTypes: inputs.map((input) => input.type), outputTypes: outputs.map((output) => output.type), active, live: cotangents.map((ct) => ct !== undefined) };
  const absent = (): Atom => {
    throw unsupported(operation, 'transpose', 'its transpose reads a value that is a tangent here');
  };
  const taken = new Set<number>();
  const running = (index: number): Var | undefined => {
    const input = inputs[index] as Atom;
    const sum = active[index] === true && inputs.indexOf(input) === inputs.lastIndexOf(input) ? sums.get(input) : undefined;
    if (sum === undefined || isLiteral(sum)) return undefined;
    taken.add(index);
    return sum;
  };
  const ctx = createRuleContext(builder, rules, request, { input: (index) => (active[index] === true ? absent() : value(inputs[index] as Atom)), output: absent, running });
  const shares = ruleResults(request, 'transpose', builder, () => rule.transpose?.(ctx, cotangents as readonly (Var | undefined)[]));
  for (const index of wanted) {
    const share = shares[index];
    if (share === undefined) continue;
    const input = inputs[index] as Atom;
    const fitted = fitCotangent(builder, catalog.basis, share, input.type, request);
    if (taken.has(index)) sums.replace(input, fitted);
    else sums.add(input, fitted);
  }
}
