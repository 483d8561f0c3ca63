import { coreExtension, type DerivativeRule, type Extension, neg, type Rule, type Var } from '@tf/core';
import { describe, expect, it } from 'vitest';
import { createCoreCases } from './core-cases.ts';
import { brokenExtensionLaws, type ExtensionCase, subjectsOf } from './extension-suite.ts';

type Part = 'linearize' | 'transpose';

/** Nothing flows through these, so a sign cannot be wrong; a loop without a last step has no reverse, so no case differentiates it. */
const constant = ['sign', 'floor', 'ceil', 'round', 'trunc', 'floorDivide', 'stopGradient', 'while'];

/** Core with one part of one rule giving the negative. */
function flipped(operation: string, part: Part): Extension {
  const rule = coreExtension.rules[operation] as DerivativeRule;
  const own = rule[part] as NonNullable<DerivativeRule['transpose']>;
  const negative: DerivativeRule['transpose'] = (ctx, given) => own(ctx, given).map((result) => (result === undefined ? undefined : (neg(result) as Var)));
  return { ...coreExtension, rules: { ...coreExtension.rules, [operation]: { ...rule, [part]: negative } } };
}

/** The first cases that use an operation: enough to see a wrong sign. */
function casesOf(operation: string, cases: readonly ExtensionCase[]): readonly ExtensionCase[] {
  const uses = (given: ExtensionCase): boolean => subjectsOf({ cases: [given] }).some(({ program }) => program.instructions.some((instruction) => instruction.operation.name === operation));
  return cases.filter(uses).slice(0, 5);
}

describe('a flipped sign in any rule of core is rejected', () => {
  const cases = createCoreCases();
  const parts = Object.entries(coreExtension.rules).flatMap(([operation, rule]: [string, Rule]) =>
    (['linearize', 'transpose'] as const).filter((part) => rule.kind === 'rule' && rule[part] !== undefined && !constant.includes(operation)).map((part) => [operation, part] as const));

  it.each(parts)('%s, %s', async (operation, part) => {
    const broken = await brokenExtensionLaws({ extension: flipped(operation, part), cases: casesOf(operation, cases) });
    expect(broken.map(({ law }) => law)).toEqual(expect.arrayContaining([expect.stringMatching(/^(derivative|adjoint|second-order)$/)]));
  });

  it('there are as many as core has rules with derivatives', () => {
    expect(parts.length).toBeGreaterThan(35);
  });
});
