/** What the parts of a rule give: the one place where they are called, so that nothing wrong with it gets further. */
import type { Atom } from '../contract.ts';
import { authored, foreignResult, wrongPart } from '../program/authored.ts';
import type { Builder } from '../program/builder.ts';
import { isLiteral } from '../program/literal.ts';
import { describe } from '../types/argument.ts';
import { isOperand } from '../types/operand.ts';
import type { RuleRequest } from './rule-context.ts';

/** The parts of a rule that give values, one per output of the operation or one per input. */
export type RulePart = 'linearize' | 'transpose' | 'vjp' | 'halfSquare';

type Request = Pick<RuleRequest, 'operation' | 'inputTypes' | 'outputTypes' | 'active'>;

/**
 * What a part of a rule gives, as one value or `undefined` per output (`linearize`) or input (all others). A transpose may leave
 * out what follows the last operand that it was asked for: it is not linear there.
 *
 * @throws ExtensionError for anything else, which names the part, what it takes and what came; ForeignValueError for values that are
 * not of the program that is built.
 */
export function ruleResults({ operation, inputTypes, outputTypes, active }: Request, part: RulePart, builder: Builder, run: () => unknown): readonly (Atom | undefined)[] {
  const given = authored(operation, part, run);
  const expected = part === 'linearize' ? outputTypes.length : inputTypes.length;
  const least = part === 'transpose' ? active.lastIndexOf(true) + 1 : expected;
  const side = part === 'linearize' ? 'output' : 'input';
  const count = `${expected} ${expected === 1 ? 'value' : 'values'}, one per ${side}`;
  if (!Array.isArray(given)) throw wrongPart(operation, part, `gave ${describe(given)}`, `It gives a list of ${count}; undefined where nothing flows`, { expected, got: describe(given) });
  if (given.length < least || given.length > expected) throw wrongPart(operation, part, `gave a list of ${given.length}`, `It gives ${count}; undefined where nothing flows`, { expected, got: given.length });
  // Not forEach, which passes over holes.
  for (let at = 0; at < given.length; at++) {
    const value: unknown = given[at];
    if (value === undefined) continue;
    if (!isOperand(value) && !isLiteral(value)) throw wrongPart(operation, part, `gave ${describe(value)} for ${side} ${at}`, 'It gives a Var, or undefined where nothing flows', { [side]: at, got: describe(value) });
    if (!builder.owns(value as Atom)) throw foreignResult(operation, part, value, `${side} ${at}`);
  }
  return given as readonly (Atom | undefined)[];
}
