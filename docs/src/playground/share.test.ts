import { expect, test } from 'vitest';
import { examples } from './examples.ts';
import { fromHash, toHash } from './share.ts';

test.each([['', 'x', 'console.log("ä→𝄞")', ...examples.map(({ code }) => code)].map((code) => [code])].flat())('gives back %j', async (code) => {
  const hash = await toHash(code);
  expect(hash).toMatch(/^#[zt]=[\w-]*$/);
  expect(await fromHash(hash)).toBe(code);
});

test('packs long programs', async () => {
  expect((await toHash(examples[0]!.code)).length).toBeLessThan(examples[0]!.code.length);
});

test.each(['', '#', '#section', '#z=****', '#z=AAAA', '#t=_w'])('finds no program in %j', async (hash) => {
  expect(await fromHash(hash)).toBeUndefined();
});
