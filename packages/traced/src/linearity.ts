import { type AdContext, type Atom, type DerivativeRule, elementCount, hostForm, type Instruction, isInexact, isLiteral, isOperand, linearInputsOf, type Operand, paramsKey, requestFor, TfError, type TypedArray, type Var } from '@tf/core';
import { contextFor } from './context.ts';
import { requireTangent } from './differentiate.ts';
import { type Extraction, extractDependent } from './extract.ts';
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
  const dependent = new Set<Atom>();
  for (const [value, at] of extraction.values) if (wrt.includes(value as never)) dependent.add(variableAt(extraction, at));
  const zero = new ZeroSearch(context);
  const isZero = (atom: Atom): boolean => zero.has(isLiteral(atom) ? atom : (extraction.positions[atom.id] as TracedValue));
  for (const instruction of extraction.program.instructions) {
    checkInstruction(op, context, instruction, dependent, isZero);
    for (const output of instruction.outputs) dependent.add(output);
  }
  for (const output of extraction.program.outputs) {
    if (!dependent.has(output) && !isZero(output)) throw notLinear(op, op, undefined, `a result ${output.type.key} is a constant other than zero`);
  }
}

/** Inputs come first in a program, and each variable's number is its position. */
function variableAt({ program }: Extraction, at: number): Var {
  return program.inputs[at] as Var;
}

function checkInstruction(op: string, context: AdContext, instruction: Instruction, dependent: ReadonlySet<Atom>, isZero: (atom: Atom) => boolean): void {
  const { operation, inputs, outputs } = instruction;
  const refuse = (reason: string): never => {
    throw notLinear(op, operation.id, operation.family, reason);
  };
  const rule = context.catalog.rule(operation);
  if (rule.kind === 'none') return refuse(rule.reason);
  const active = inputs.map((input) => dependent.has(input));
  const linear = linearInputsOf(rule, instruction.params, inputs.length);
  if (active.some((is, at) => is && !linear.includes(at))) return refuse('it is not linear in what depends on the arguments');
  if (!outputs.every((output) => isInexact(output.type.dtype))) return refuse(`it gives ${outputs.map(({ type }) => type.key).join(', ')}, which carries no tangent`);
  const count = active.filter((is) => is).length;
  if (rule.linear?.how === 'each') return count > 1 ? refuse('it multiplies values that both depend on the arguments') : undefined;
  const constant = linear.find((at) => active[at] === false && !isZero(inputs[at] as Atom));
  if (constant !== undefined) return refuse(`input ${constant} is a constant other than zero, which makes the result affine`);
  if (isAffine(context, rule, instruction, active)) return refuse('its parameters put other values than zero beside its input, which makes it affine');
}

/** A linear operation is its own linearisation; one that linearises to itself with other parameters (`pad`) is affine. */
function isAffine(context: AdContext, rule: DerivativeRule, instruction: Instruction, active: readonly boolean[]): boolean {
  if (rule.linearize === undefined) return false;
  const { program } = context.local('forward', requestFor(instruction, active, instruction.outputs.map(() => true)));
  const [only] = program.instructions;
  return program.instructions.length === 1 && only?.operation.id === instruction.operation.id && paramsKey(only.params) !== paramsKey(instruction.params);
}

function notLinear(op: string, operation: string, family: string | undefined, reason: string): TfError {
  return new TfError('UnsupportedRuleError', `${op}: the function is not linear: ${operation}: ${reason}. Use vjp for the derivative at a point.`, { op: operation, role: 'transpose', reason, ...(family === undefined ? {} : { family }) });
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
    const instruction = { operation, params, inputs, outputs, number: 0 } as unknown as Instruction;
    if (isAffine(this.#context, rule, instruction, inputs.map((_, at) => linear.includes(at)))) return undefined;
    return linear.map((at) => inputs[at] as TracedAtom);
  }
}

function nodeOf(value: TracedAtom): NodeOrigin | undefined {
  return isLiteral(value) || value.origin.kind !== 'node' ? undefined : value.origin;
}

function allZero(data: TypedArray): boolean {
  return data.every((element: number | bigint) => Number(element) === 0);
}

function isZeroData(value: unknown): boolean {
  if (typeof value === 'number') return value === 0;
  const form = isOperand(value) ? hostForm(value as Operand) : undefined;
  return form?.form === 'data' && allZero(form.data);
}
