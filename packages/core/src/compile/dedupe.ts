import type { Atom, Program, Var } from '../contract.ts';
import { isLiteral, literalText } from '../program/literal.ts';
import { paramsKey } from '../program/print.ts';
import { rewrite } from './rewrite.ts';

/** Computes equal instructions (same operation, parameters and operands) once. */
export function dedupe(program: Program): Program {
  const numbers = new Map<Atom, number>();
  const operand = (atom: Atom): string => {
    if (isLiteral(atom)) return literalText(atom);
    let number = numbers.get(atom);
    if (number === undefined) numbers.set(atom, (number = numbers.size));
    return `%${number}`;
  };
  const first = new Map<string, readonly Var[]>();
  return rewrite(program, ({ operation, params, outputs }, inputs) => {
    // Every barrier is a value of its own, so that what lies behind it is too.
    if (operation.traits.barrier === true) return undefined;
    const key = `${operation.id}{${paramsKey(params)}}(${inputs.map(operand).join()})`;
    const seen = first.get(key);
    if (seen === undefined) first.set(key, outputs);
    return seen;
  });
}
