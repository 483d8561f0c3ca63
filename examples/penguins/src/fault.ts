import { AdContext, buildCatalog, type Catalog, coreExtension, createCatalog, type DerivativeRule, neg, type Rule, type Var } from '@tf/core';
import { UsageError } from './arguments.ts';

/** The rules that the demo trains with: those of core, or those with one sign turned round. */
export function demoContext(flip: string | undefined): AdContext {
  return new AdContext({ catalog: flip === undefined ? createCatalog() : flippedCatalog(flip) });
}

/**
 * Core's rules, the one of `name` with its sign turned round: a planted fault that the demo's own checks must notice.
 *
 * @throws UsageError when core has no such rule.
 */
export function flippedCatalog(name: string): Catalog {
  const rule = Object.hasOwn(coreExtension.rules, name) ? coreExtension.rules[name] : undefined;
  if (rule === undefined || rule.kind === 'none') {
    const known = Object.entries(coreExtension.rules).filter(([, { kind }]) => kind === 'rule').map(([own]) => own);
    throw new UsageError(`--flip: core has no derivative rule ${JSON.stringify(name)}; it has ${known.sort().join(', ')}.`);
  }
  return buildCatalog([{ ...coreExtension, rules: { ...coreExtension.rules, [name]: negated(rule) } }]);
}

type Tangents = readonly (Var | undefined)[];

function negated(rule: DerivativeRule): Rule {
  return {
    ...rule,
    ...(rule.linearize === undefined ? {} : { linearize: (...args: Parameters<typeof rule.linearize>): Tangents => turned(rule.linearize!(...args)) }),
    ...(rule.transpose === undefined ? {} : { transpose: (...args: Parameters<typeof rule.transpose>): Tangents => turned(rule.transpose!(...args)) }),
    ...(rule.vjp === undefined ? {} : { vjp: (...args: Parameters<typeof rule.vjp>): Tangents => turned(rule.vjp!(...args)) }),
  };
}

function turned(tangents: Tangents): Tangents {
  return tangents.map((tangent) => (tangent === undefined ? undefined : neg(tangent)));
}
