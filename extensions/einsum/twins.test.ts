import type { DerivativeRule, Extension, Var } from '@tf/core';
import { brokenExtensionLaws } from '@tf/testkit';
import { expect, it } from 'vitest';
import { einsumCases } from './src/cases.ts';
import { contract } from './src/contract.ts';
import type { ContractLabels } from './src/operations.ts';
import { einsumExtension } from './src/index.ts';

function ruleOf(name: string): DerivativeRule {
  return einsumExtension.rules[name] as DerivativeRule;
}

const labelsOf = (params: unknown): ContractLabels => params as ContractLabels;

/** Rules that are wrong in one place, the case that shows it, and the law that must say so. */
const twins: readonly (readonly [string, string, string, Readonly<Record<string, DerivativeRule>>])[] = [
  ['a contraction whose adjoint forgets to conjugate', 'ij,jk->ik of [[2,3],[3,2]], complex', 'adjoint', {
    contract: {
      ...ruleOf('contract'),
      transpose: (ctx, [ct]) => {
        const { lhs, rhs, out } = labelsOf(ctx.params);
        return [ctx.active[0] === true ? (contract(ct as Var, out, ctx.input(1), rhs, lhs) as Var) : undefined, ctx.active[1] === true ? (contract(ctx.input(0), lhs, ct as Var, out, rhs) as Var) : undefined];
      },
    },
  }],
  ['an adjoint that confuses two axes of one size', 'bij,bjk->bik of [[2,2,3],[2,3,2]]', 'adjoint', {
    contract: {
      ...ruleOf('contract'),
      transpose: (ctx, [ct]) => {
        const { lhs, rhs, out } = labelsOf(ctx.params);
        const turned = [out[1] as number, out[0] as number, out[2] as number];
        return [ctx.active[0] === true ? (contract(ct as Var, turned, ctx.input(1), rhs, lhs) as Var) : undefined, ctx.active[1] === true ? (contract(ctx.input(0), lhs, ct as Var, out, rhs) as Var) : undefined];
      },
    },
  }],
  ['a diagonal whose batch axis takes part in it', 'ii->i of [[3,3]]', 'batch', { diagonal: { ...ruleOf('diagonal'), batch: 'leading' } }],
];

for (const [name, shown, law, rules] of twins) {
  it(`the law "${law}" rejects ${name}, and accepts the rule as it is`, async () => {
    const cases = einsumCases.filter((given) => given.name === shown);
    expect(cases).toHaveLength(1);
    const wrong: Extension = { ...einsumExtension, rules: { ...einsumExtension.rules, ...rules } };
    expect((await brokenExtensionLaws({ extension: wrong, cases })).map((error) => error.law)).toContain(law);
    expect(await brokenExtensionLaws({ extension: einsumExtension, cases })).toEqual([]);
  });
}
