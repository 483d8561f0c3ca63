import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenLinks } from './links.ts';

function brokenIn(files: Readonly<Record<string, string>>): ReturnType<typeof brokenLinks> {
  const folder = mkdtempSync(join(tmpdir(), 'tf-links-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return brokenLinks(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('follows links to pages, folders, anchors and pictures', () => {
  expect(brokenIn({
    'index.html': '<a href="deep/page.html#there">1</a> <a href="/deep/">2</a> <img src="p.svg"> <a href="https://example.org/none">3</a> <a href="#top">4</a> <h1 id="top">5</h1>',
    'deep/page.html': '<h2 id="there">6</h2> <a href="../index.html">7</a>',
    'deep/index.html': '<p>8</p>',
    'p.svg': '<svg/>',
  })).toEqual([]);
});

test('reports a page, an anchor and a picture that are not there', () => {
  expect(brokenIn({ 'index.html': '<a href="gone.html">1</a> <a href="page.html#gone">2</a> <img src="/gone.svg">', 'page.html': '<p id="here">3</p>' })).toEqual([
    { page: 'index.html', link: 'gone.html', reason: 'no such file' },
    { page: 'index.html', link: 'page.html#gone', reason: 'no such anchor' },
    { page: 'index.html', link: '/gone.svg', reason: 'no such file' },
  ]);
});
