import { expect, test } from 'vitest';
import { forSmallScreens, narrowName } from './narrow-pictures.ts';

test('diagrams have a file for small screens, charts can be moved sideways, other images stay', () => {
  expect(narrowName('a/b.svg')).toBe('a/b.narrow.svg');
  expect(forSmallScreens('/made/gallery/x/y.svg', '<img>')).toBe('<picture><source media="(max-width: 560px)" srcset="/made/gallery/x/y.narrow.svg"><img></picture>');
  expect(forSmallScreens('/made/figures/y.svg', '<img>')).toContain('/made/figures/y.narrow.svg');
  expect(forSmallScreens('/made/bench/y.svg', '<img>')).toMatch(/^<span class="tf-wide" tabindex="0".*<img><\/span>$/);
  expect(forSmallScreens('/made/gallery/x/y.png', '<img>')).toBe('<img>');
});
