import { type AdContext, type Atom, elementCount, hostForm, isInexact, isLiteral, isOperand, linearInputsOf, type Operand, ValueMap, type Var } from '@tf/core';
import { contextFor } from './context.ts';
import { requireTangent } from './differentiate.ts';
import { type Extraction, extractDependent } from './extract.ts';
import { allZero, type LinearState, LinearStates, notLinear } from './linear-states.ts';
import type { NodeOrigin, TracedAtom, TracedValue } from './origin.ts';
import type { OpenedMap } from './opened.ts';

/**
 * Checks that a result is linear in the values that it was opened by: each operation on the way is linear in what depends
 * on them, and what is put beside them (`x + c`, `select(p, x, c)`) is zero. Reads rules only, so it needs no point.
 *
 * @throws UnsupportedRuleError naming the first operation that is not linear.
 */
export function requireLinear(op: string, { outputs, wrt, flat }: OpenedMap): void {
  const results = outputs.flatMap((output, at): readonly TracedValue[] => {
    const leaf = flat.leaves[at];
    if (output === undefined && isOperand(leaf)) requireTangent(`${op}: the result`, leaf.type);
    return output === undefined ? [] : [output];
  });
  const { context } = contextFor(op, [...results, ...wrt], undefined);
  const extraction = extractDependent(results, wrt);
  const zero = new ZeroSearch(context);
  const known = new ValueMap<LinearState>();
  for (const value of wrt) {
    const at = extraction.positionOf(value);
    if (at !== undefined) known.set(variableAt(extraction, at), 'linear');
  }
  const stateOf = (atom: Atom): LinearState => known.get(atom) ?? (zero.has(isLiteral(atom) ? atom : (extraction.positions[atom.id] as TracedValue)) ? 'zero' : 'constant');
  const states = new LinearStates(op, context);
  for (const instruction of extraction.program.instructions) {
    const found = states.ofInstruction(instruction, stateOf);
    instruction.outputs.forEach((output, at) => known.set(output, found[at] as LinearState));
  }
  for (const output of extraction.program.outputs) {
    if (stateOf(output) === 'constant') throw notLinear(op, op, undefined, `a result ${output.type.key} is a constant other than zero`);
  }
}

/** Inputs come first in a program, and each variable's number is its position. */
function variableAt({ program }: Extraction, at: number): Var {
  return program.inputs[at] as Var;
}

/** Finds out which constants are zero: literals and data of zeros, and what linear operations make of them. */
class ZeroSearch {
  readonly #context: AdContext;
  readonly #known = new Map<TracedAtom, boolean>();

  constructor(context: AdContext) {
    this.#context = context;
  }

  has(value: TracedAtom): boolean {
    const work: TracedAtom[] = [value];
    for (let next = work[work.length - 1]; next !== undefined; next = work[work.length - 1]) {
      const found = work.length;
      if (!this.#known.has(next)) for (const input of this.#needed(next)) if (!this.#known.has(input)) work.push(input);
      if (work.length > found) continue;
      work.pop();
      if (!this.#known.has(next)) this.#known.set(next, this.#decide(next));
    }
    return this.#known.get(value) === true;
  }

  /** The inputs that decide; none when nothing can be said. */
  #needed(value: TracedAtom): readonly TracedAtom[] {
    const node = nodeOf(value);
    return node === undefined ? [] : (this.#linear(node) ?? []);
  }

  #decide(value: TracedAtom): boolean {
    if (isLiteral(value)) return allZero(value.data);
    if (elementCount(value.type.shape) === 0) return true;
    if (value.origin.kind === 'bound') return isZeroData(value.origin.value);
    const inputs = value.origin.kind === 'node' ? this.#linear(value.origin) : undefined;
    return inputs !== undefined && inputs.length > 0 && inputs.every((input) => this.#known.get(input) === true);
  }

  #linear({ operation, inputs, params, outputs }: NodeOrigin): readonly TracedAtom[] | undefined {
    const rule = this.#context.catalog.rule(operation);
    if (rule.kind === 'none' || rule.linear?.how !== 'together' || !outputs.every(({ type }) => isInexact(type.dtype))) return undefined;
    const linear = linearInputsOf(rule, params, inputs.length);
    return linear.map((at) => inputs[at] as TracedAtom);
  }
}

function nodeOf(value: TracedAtom): NodeOrigin | undefined {
  return isLiteral(value) || value.origin.kind !== 'node' ? undefined : value.origin;
}

function isZeroData(value: unknown): boolean {
  if (typeof value === 'number') return value === 0;
  const form = isOperand(value) ? hostForm(value as Operand) : undefined;
  return form?.form === 'data' && allZero(form.data);
}
