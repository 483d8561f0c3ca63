import { expect, test } from 'vitest';
import { examples } from './examples.ts';
import { brokenLink, fromHash, toHash } from './share.ts';

test.each([['', 'x', 'console.log("ä→𝄞")', ...examples.map(({ code }) => code)].map((code) => [code])].flat())('gives back %j', async (code) => {
  const hash = await toHash(code);
  expect(hash).toMatch(/^#[zt]=[\w-]*$/);
  expect(await fromHash(hash)).toBe(code);
});

test('packs long programs', async () => {
  expect((await toHash(examples[0]!.code)).length).toBeLessThan(examples[0]!.code.length);
});

test.each(['', '#', '#section', '#zebra'])('finds no program in %j', async (hash) => {
  expect(await fromHash(hash)).toBeUndefined();
});

test.each(['#z=****', '#z=AAAA', '#t=_w', '#z=%', '#t=A'])('says that %j is broken', async (hash) => {
  expect(await fromHash(hash)).toBe(brokenLink);
});

test('a packed program of which a part was lost is broken, and one that was only wrapped is read', async () => {
  const code = examples[0]!.code;
  const hash = await toHash(code);
  for (const length of [3, 10, Math.floor(hash.length / 2), hash.length - 2]) expect(await fromHash(hash.slice(0, length)), `${length}`).toBe(brokenLink);
  expect(await fromHash(`${hash.slice(0, 40)}\n ${hash.slice(40, 70)}%20${hash.slice(70)}`)).toBe(code);
});
