import type { Atom, Catalog, Instruction, Var } from '../contract.ts';
import type { Builder } from '../program/builder.ts';
import { isLiteral, scalarLiteral } from '../program/literal.ts';
import { linearInputsOf } from './rule-context.ts';

/** Sums and products of sums and products further apart than this are not looked through. */
const DEPTH = 12;

/** What an elementwise instruction does with multiples of a real value: which of its inputs must be one, or whether any one may be. */
function linearity({ catalog }: Search, { operation, inputs, params, outputs }: Instruction): { readonly inputs: readonly number[]; readonly each: boolean } | undefined {
  if (operation.traits.elementwise === undefined || outputs.length !== 1) return undefined;
  const rule = catalog.rule(operation);
  if (rule.kind === 'none' || rule.linear === undefined) return undefined;
  return { inputs: linearInputsOf(rule, params, inputs.length), each: rule.linear.how === 'each' };
}

interface Search {
  readonly builder: Builder;
  readonly catalog: Catalog;
  readonly y: Var;
}

function isMultiple(search: Search, value: Atom, depth: number): boolean {
  if (value === search.y) return true;
  const made = isLiteral(value) || depth === 0 ? undefined : search.builder.maker(value);
  const how = made === undefined ? undefined : linearity(search, made);
  if (made === undefined || how === undefined || how.inputs.length === 0) return false;
  const isOne = (index: number): boolean => isMultiple(search, made.inputs[index] as Atom, depth - 1);
  return how.each ? how.inputs.some(isOne) : how.inputs.every(isOne);
}

/** The value with 1 in the place of y. */
function divided(search: Search, value: Atom, depth: number): Atom {
  if (value === search.y) return scalarLiteral(search.y.type.dtype, 1);
  const made = search.builder.maker(value) as Instruction;
  const { inputs, each } = linearity(search, made) as { readonly inputs: readonly number[]; readonly each: boolean };
  const chosen = each ? inputs.filter((index) => isMultiple(search, made.inputs[index] as Atom, depth - 1)).slice(0, 1) : inputs;
  const own = made.inputs.map((input, index) => (chosen.includes(index) ? divided(search, input, depth - 1) : input));
  return search.builder.emit(made.operation, own, made.params)[0] as Atom;
}

/**
 * c where `value` was made as c·y: a product with the real value y, or a sum of such products, as a square's cotangent is. It is found
 * in the instructions, not in numbers, so it holds where y is 0.
 */
export function factorOf(builder: Builder, catalog: Catalog, value: Atom, y: Var): Atom | undefined {
  const search: Search = { builder, catalog, y };
  return value !== y && isMultiple(search, value, DEPTH) ? divided(search, value, DEPTH) : undefined;
}
