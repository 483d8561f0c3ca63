/** What a rule may say: checked when a catalog is made, so that a slip of the pen is no silent difference later. */
import type { DerivativeRule, Operation, Rule } from '../contract.ts';
import { describe } from '../types/argument.ts';

/** Refuses an extension: why, and with which further fields. */
export type Refuse = (why: string, fields?: Readonly<Record<string, unknown>>) => never;

const functions = ['linearize', 'transpose', 'vjp', 'halfSquare', 'augment'] as const;
const ruleKeys: readonly string[] = ['kind', ...functions, 'linear', 'residuals', 'batch', 'caveats'];
const noRuleKeys: readonly string[] = ['kind', 'reason', 'batch', 'caveats'];

/** Refuses a rule that is none, by the operation and the key that is wrong. */
export function checkRule(operation: Operation, rule: Rule, refuse: Refuse): void {
  const wrong = (key: string, value: unknown, takes: string): never => refuse(`the rule of ${operation.id} has ${key}: ${quoted(value)}; it takes ${takes}.`, { op: operation.id, key });
  const given: unknown = rule;
  if (typeof given !== 'object' || given === null) return refuse(`the rule of ${operation.id} is ${describe(given)}; it takes { kind: 'rule', … } or { kind: 'none', reason }.`, { op: operation.id });
  const { kind } = given as { readonly kind?: unknown };
  if (kind !== 'rule' && kind !== 'none') wrong('kind', kind, "'rule' or 'none'");
  const known = kind === 'rule' ? ruleKeys : noRuleKeys;
  for (const key of Object.keys(given)) if (!known.includes(key)) refuse(`the rule of ${operation.id} has the key ${key}, which no rule of kind '${String(kind)}' has; it takes ${known.join(', ')}.`, { op: operation.id, key });
  if (rule.batch !== undefined) checkBatch(rule.batch, wrong);
  if (rule.kind === 'rule') checkParts(operation, rule, refuse, wrong);
  else if (typeof rule.reason !== 'string' || rule.reason === '') wrong('reason', rule.reason, "why there is no derivative: 'the result is an index'");
}

type Wrong = (key: string, value: unknown, takes: string) => never;

function checkBatch(batch: unknown, wrong: Wrong): void {
  const { kind, reason } = (typeof batch === 'object' && batch !== null ? batch : {}) as { readonly kind?: unknown; readonly reason?: unknown };
  if (typeof batch === 'function' || batch === 'leading' || batch === 'loop' || (kind === 'none' && typeof reason === 'string' && reason !== '')) return;
  wrong('batch', batch, "'leading', 'loop', a function of BatchContext, or { kind: 'none', reason }");
}

function checkParts(operation: Operation, rule: DerivativeRule, refuse: Refuse, wrong: Wrong): void {
  for (const key of functions) if (rule[key] !== undefined && typeof rule[key] !== 'function') wrong(key, rule[key], 'a function');
  if (rule.linearize === undefined && rule.transpose === undefined && rule.vjp === undefined) refuse(`the rule of ${operation.id} has none of linearize, transpose and vjp.`);
  if (rule.transpose !== undefined && rule.linear === undefined) refuse(`the rule of ${operation.id} has a transpose but does not say in which inputs it is linear.`);
  if (rule.vjp !== undefined && rule.residuals === undefined) refuse(`the rule of ${operation.id} has a vjp but declares no residuals.`);
  if (rule.residuals !== undefined) checkResiduals(operation, rule.residuals, wrong);
}

function checkResiduals({ arity }: Operation, residuals: unknown, wrong: Wrong): void {
  const takes = 'positions of what the vjp reads: { inputs: [0], outputs: [0] }';
  if (typeof residuals !== 'object' || residuals === null || Array.isArray(residuals)) return wrong('residuals', residuals, takes);
  const most = arity === undefined ? Infinity : typeof arity === 'number' ? arity : arity[1];
  for (const [side, positions] of Object.entries(residuals as Readonly<Record<string, unknown>>)) {
    if (side !== 'inputs' && side !== 'outputs') wrong('residuals', residuals, takes);
    if (positions === undefined) continue;
    const isPosition = (at: unknown): boolean => typeof at === 'number' && Number.isSafeInteger(at) && at >= 0 && (side === 'outputs' || at < most);
    if (!Array.isArray(positions) || !positions.every(isPosition)) wrong(`residuals.${side}`, positions, side === 'inputs' && most !== Infinity ? `positions of its ${most} inputs` : 'a list of positions, which count from 0');
  }
}

function quoted(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : typeof value === 'string' ? `'${value}'` : describe(value);
}
