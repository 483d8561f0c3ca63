import { expect, test } from 'vitest';
import { brokenLinks, pagesOf } from '../src/site/links.ts';
import { built, requireBuilt } from './built.ts';

test('every link of the built site leads somewhere', () => {
  requireBuilt();
  expect(pagesOf(built).length).toBeGreaterThan(20);
  // A link in the frame of every page would be told as often as there are pages.
  const once = new Map(brokenLinks(built).map((broken) => [`${broken.link}: ${broken.reason}`, broken.page]));
  expect([...once].map(([broken, page]) => `${page}: ${broken}`)).toEqual([]);
});
