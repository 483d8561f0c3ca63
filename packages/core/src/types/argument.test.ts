import { describe as group, expect, it, test } from 'vitest';
import { createCatalog, coreExtension } from '../primitives/extension.ts';
import { AdContext } from '../transform/context.ts';
import { checkOptions, describe, requireCount, requireFlag } from './argument.ts';

const any = (value: unknown): never => value as never;
const catalog = createCatalog();
const argumentError = (says: RegExp): object => expect.objectContaining({ name: 'ArgumentError', message: expect.stringMatching(says) });

const misuse: readonly (readonly [call: string, run: () => unknown, says: RegExp])[] = [
  ['AdContext()', () => new AdContext(any(undefined)), /^AdContext: options is undefined; it takes an object with catalog, hash, maximumEntries, maximumBytes: new AdContext\(/],
  ['AdContext({})', () => new AdContext(any({})), /^AdContext: catalog is undefined; it takes a catalog\. Make one: createCatalog/],
  ['AdContext({ catalog: {} })', () => new AdContext(any({ catalog: {} })), /^AdContext: catalog is an Object; it takes a catalog/],
  ['AdContext({ catalogue })', () => new AdContext(any({ catalogue: catalog })), /^AdContext: there is no option "catalogue"\. Write catalog\./],
  ['AdContext({ maximum })', () => new AdContext(any({ catalog, maximum: 1 })), /Write maximumBytes\.|Write maximumEntries/],
  ['AdContext({ hash: 5 })', () => new AdContext(any({ catalog, hash: 5 })), /^AdContext: hash is number 5; it takes a function/],
  ...[NaN, 'x', 0, 1.5, -1, Infinity].flatMap((value) => (['maximumEntries', 'maximumBytes'] as const).map((name) => [`AdContext({ ${name}: ${value} })`, () => new AdContext(any({ catalog, [name]: value })), new RegExp(`^AdContext: ${name} is .*; it takes a positive integer`)] as const)),
  ['createCatalog(5)', () => createCatalog(any(5)), /^createCatalog: extensions is number 5; it takes a list of extensions\. Write createCatalog\(\[extension\]\)/],
  ['createCatalog(extension)', () => createCatalog(any(coreExtension)), /^createCatalog: extensions is an Object/],
  ['createCatalog([5])', () => createCatalog(any([5])), /^createCatalog: an entry of extensions is number 5; it takes an extension/],
  ['createCatalog([{}])', () => createCatalog(any([{}])), /^createCatalog: an entry of extensions is an Object/],
  ['catalog.with(null)', () => catalog.with(any(null)), /^createCatalog: an entry of extensions is null/],
];

test.each(misuse)('%s is refused', (_, run, says) => {
  expect(run).toThrow(argumentError(says));
});

group('an unknown option', () => {
  const options = { inputs: () => undefined, requiresGrad: requireFlag, argnums: () => undefined, maximumOperations: requireCount };
  it.each([
    ['input', 'Write inputs.'], ['requires', 'Write requiresGrad.'], ['argnum', 'Write argnums.'], ['argNums', 'Write argnums.'], ['maxOperations', 'Write maximumOperations.'],
    ['foo', 'It takes inputs, requiresGrad, argnums, maximumOperations.'], ['', 'It takes inputs'],
  ])('%o is answered with what may have been meant', (name, answer) => {
    expect(() => checkOptions('f', { [name]: 1 }, options)).toThrow(`f: there is no option ${JSON.stringify(name)}. ${answer}`);
  });
});

it('values are described without asking them for their text', () => {
  class Engine {}
  expect([null, undefined, [], {}, new Engine(), Object.create(null) as unknown, 1n, 'x', () => 1].map(describe)).toEqual(['null', 'undefined', 'an empty list', 'an Object', 'an Engine', 'an Object', 'bigint 1', 'string x', 'a function']);
});
