import { coreExtension, createCatalog } from '@tf/core';
import { describe, expect, it } from 'vitest';
import { demoContext, flippedCatalog } from './fault.ts';

describe('the planted fault', () => {
  it('changes one rule and no other', () => {
    const [flipped, sound] = [flippedCatalog('tanh'), createCatalog()];
    const changed = coreExtension.operations.filter((operation) => flipped.rule(operation) !== sound.rule(operation));
    expect(changed.map(({ name }) => name)).toEqual(['tanh']);
    expect(demoContext(undefined).catalog.rule(changed[0]!)).toBe(sound.rule(changed[0]!));
  });

  it.each(['tangh', 'equal', 'toString'])('refuses %s, which has no derivative rule, and names those that have', (name) => {
    expect(() => flippedCatalog(name)).toThrow(/no derivative rule .* it has .*tanh/);
  });
});
