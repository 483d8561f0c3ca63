import { describe, expect, it } from 'vitest';
import { buildCatalog } from './catalog.ts';
import type { Extension, Operation, Rule } from './contract.ts';
import { isTfError } from './errors.ts';
import { coreExtension, createCatalog } from './primitives/extension.ts';
import { coreVersion } from './types/version.ts';

const operation = (name: string, family = 'acme.signal.v1'): Operation => ({ id: `${family}.${name}`, family, name, traits: {}, infer: (inputs) => inputs });
const none: Rule = { kind: 'none', reason: 'it is a test' };
const acme: Extension = { contract: 1, family: 'acme.signal.v1', package: '@acme/signal', version: '2.1.0', operations: [operation('chirp')], rules: { chirp: none } };

const refusal = (...extensions: readonly Extension[]): string => {
  try {
    createCatalog(extensions);
  } catch (error) {
    if (isTfError(error, 'ExtensionError')) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('a catalog', () => {
  it('has the operations and rules of its extensions', () => {
    const catalog = createCatalog([acme]);
    expect(catalog.operation('acme.signal.v1.chirp')).toBe(acme.operations[0]);
    expect(catalog.rule(acme.operations[0] as Operation)).toBe(none);
    expect(catalog.operation('acme.signal.v1.warble')).toBeUndefined();
    expect(catalog.operation('toString')).toBeUndefined();
    expect(catalog.basis).toBe(coreExtension.basis);
    expect(Object.isFrozen(catalog) && Object.isFrozen(catalog.extensions)).toBe(true);
  });

  it('grows into another one and stays as it is', () => {
    const base = createCatalog();
    const more = base.with(acme);
    expect(base.operation('acme.signal.v1.chirp')).toBeUndefined();
    expect(more.operation('acme.signal.v1.chirp')).toBe(acme.operations[0]);
    expect(more.operation('tf.core.exp')).toBe(base.operation('tf.core.exp'));
  });

  it('names the family to register when it has no rule', () => {
    const thrown = (() => {
      try {
        createCatalog().rule(operation('chirp'));
      } catch (error) {
        return error;
      }
      return undefined;
    })();
    expect(thrown).toMatchObject({ name: 'UnregisteredFamilyError', fields: { family: 'acme.signal.v1', op: 'acme.signal.v1.chirp', role: 'rule' } });
    expect(String(thrown)).toContain('createCatalog');
  });

  it('has every operation of core with a rule and an id of its own', () => {
    const ids = coreExtension.operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const core of coreExtension.operations) expect(createCatalog().rule(core)).toBeDefined();
  });
});

describe('an extension', () => {
  const rule = (given: object): Extension => ({ ...acme, rules: { chirp: { kind: 'rule', ...given } as Rule } });
  const cases: readonly (readonly [string, readonly Extension[], RegExp])[] = [
    ['for another contract', [{ ...acme, contract: 2 as 1 }], new RegExp(`^@acme/signal@2\\.1\\.0: speaks contract 2, this is @tf/core ${coreVersion.replaceAll('.', '\\.')} with contract 1`)],
    ['of a family that has an owner', [acme, { ...acme, package: '@other/signal', version: '1.0.0' }], /^@other\/signal@1\.0\.0: the family acme\.signal\.v1 is already registered by @acme\/signal@2\.1\.0/],
    ['registered twice', [acme, acme], /already registered/],
    ['whose family has no prefix', [{ ...acme, family: 'signal', operations: [operation('chirp', 'signal')] }], /"signal" must begin with its owner's prefix/],
    ['with an operation of another family', [{ ...acme, operations: [operation('chirp', 'acme.other')] }], /acme\.other\.chirp does not belong to the family acme\.signal\.v1/],
    ['whose operation id is not family and name', [{ ...acme, operations: [{ ...operation('chirp'), id: 'acme.signal.v1.warble' }] }], /acme\.signal\.v1\.warble does not belong/],
    ['with an operation of another version', [{ ...acme, operations: [{ ...operation('chirp'), version: '2.0.9' }] }], /^@acme\/signal@2\.1\.0: the operation acme\.signal\.v1\.chirp says that it is of version 2\.0\.9/],
    ['that defines an operation twice', [{ ...acme, operations: [operation('chirp'), operation('chirp')] }], /chirp is defined twice/],
    ['with an operation without a rule', [{ ...acme, rules: {} }], /chirp has no rule/],
    ['with an operation called as a method of objects', [{ ...acme, operations: [operation('toString')], rules: {} }], /toString has no rule/],
    ['with a rule for no operation', [{ ...acme, rules: { chirp: none, warble: none } }], /a rule for warble, which is no operation/],
    ['with an empty rule', [rule({})], /none of linearize, transpose and vjp/],
    ['with a transpose of nothing linear', [rule({ transpose: () => [] })], /does not say in which inputs it is linear/],
    ['with a vjp without residuals', [rule({ vjp: () => [] })], /declares no residuals/],
  ];

  it.each(cases)('%s is refused by name', (_, extensions, says) => {
    expect(refusal(...extensions)).toMatch(says);
  });

  it('put right is accepted', () => {
    expect(refusal(acme)).toBe('accepted');
    expect(refusal({ ...acme, operations: [{ ...operation('chirp'), version: '2.1.0' }] })).toBe('accepted');
    expect(refusal(rule({ vjp: () => [], residuals: {} }))).toBe('accepted');
  });

  it('must include one with a basis', () => {
    expect(() => buildCatalog([acme])).toThrow(expect.objectContaining({ name: 'ExtensionError' }));
  });
});
