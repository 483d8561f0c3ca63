import type { Atom, Catalog, Instruction, Program, Var } from '../contract.ts';
import type { Builder } from '../program/builder.ts';
import { isLiteral } from '../program/literal.ts';
import { fitCotangent } from './fit.ts';
import { createRuleContext, isLinearInput, type Rules, unsupported } from './rule-context.ts';
import { ruleResults } from './rule-results.ts';

/** Adds cotangents of one value as visible instructions, in the order in which they arrive. */
export class CotangentSums {
  readonly #builder: Builder;
  readonly #catalog: Catalog;
  readonly #sums = new Map<Atom, Atom>();

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

  /** The sum of a cotangent that is 0 but for a few places, which need not be made whole for that. */
  #accumulated(sum: Atom, ct: Atom): Atom | undefined {
    const made = this.#builder.recent(ct);
    const { asAccumulation } = made?.operation.traits ?? {};
    if (made === undefined || asAccumulation === undefined) return undefined;
    const form = asAccumulation(made.params, made.inputs.map((input) => this.#builder.isZero(input)));
    if (form === undefined) return undefined;
    return this.#builder.emit(form.operation, [sum, ...form.inputs.map((input) => made.inputs[input] as Atom)], form.params)[0];
  }
}

export interface LinearPart {
  /** Its linear inputs; all others have values in `env`. */
  readonly program: Program;
  readonly linearInputs: readonly Var[];
  /** Values of the other inputs in the builder; filled with the values computed from them. */
  readonly env: Map<Var, Atom>;
}

/**
 * Appends the adjoint of a linear program to `builder`: cotangents of its linear inputs from cotangents of its outputs.
 * What does not depend on the linear inputs is computed first. A program that is not linear, or uses an operation without
 * a transpose, is an `UnsupportedRuleError`.
 */
export function transposeLinear(rules: Rules, builder: Builder, part: LinearPart, cotangents: readonly (Atom | undefined)[]): readonly (Atom | undefined)[] {
  const { program, linearInputs, env } = part;
  const linear = new Set<Atom>(linearInputs);
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
  program.outputs.forEach((output, index) => {
    const ct = cotangents[index];
    if (ct !== undefined && linear.has(output)) sums.add(output, ct);
  });
  for (const instruction of steps.reverse()) transposeInstruction(rules, builder, instruction, linear, sums, value);
  return linearInputs.map((input) => sums.get(input));
}

function transposeInstruction(rules: Rules, builder: Builder, instruction: Instruction, linear: ReadonlySet<Atom>, sums: CotangentSums, value: (atom: Atom) => Atom): void {
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
  const ctx = createRuleContext(builder, rules, request, { input: (index) => (active[index] === true ? absent() : value(inputs[index] as Atom)), output: absent });
  const shares = ruleResults(request, 'transpose', rule.transpose(ctx, cotangents as readonly (Var | undefined)[]));
  for (const index of wanted) {
    const share = shares[index];
    if (share !== undefined) sums.add(inputs[index] as Atom, fitCotangent(builder, catalog.basis, share, (inputs[index] as Atom).type, request));
  }
}
