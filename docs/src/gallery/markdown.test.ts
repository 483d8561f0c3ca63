import { expect, test } from 'vitest';
import { exampleMarkdown } from './markdown.ts';
import type { ShownExample } from './shown.ts';

const shown: ShownExample = { name: 'n', title: 'T', text: 'Words.', seconds: 3, numbers: [{ what: 'small | number', value: 1 }], pictures: [], code: [] };

test('a page says how long the full size takes, and what it found where it was recorded', () => {
  expect(exampleMarkdown(shown)).toContain('up to about two minutes');
  expect(exampleMarkdown(shown)).not.toContain('in full\n');
  const text = exampleMarkdown({ ...shown, full: { recorded: '2026-11-30', seconds: 1205, numbers: [{ what: 'large number', value: 2 }] } });
  expect(text).toContain('about 20 minutes: what it finds stands below');
  expect(text).toMatch(/## What it finds in full\n\nRecorded on 2026-11-30 in Node, in 20 minutes, by `node_modules\/.bin\/pnpm gallery n`[\s\S]*\| large number \| 2 \|/);
  expect(text).toContain('small \\| number');
});
