import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { main } from './main.ts';

/** What the command prints, and its exit code. */
async function run(...args: readonly string[]): Promise<{ readonly lines: readonly string[]; readonly code: number }> {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  try {
    return { code: await main(args), lines };
  } finally {
    log.mockRestore();
  }
}

test('one program repeats by its number, and the last line counts', { timeout: 60_000 }, async () => {
  const { lines, code } = await run('--seed', '1', '--only', '3');
  expect(lines.at(-1)).toBe('1 programs, 0 disagreements');
  expect(code).toBe(0);
});

test('a run can begin at a later program', { timeout: 60_000 }, async () => {
  const { lines } = await run('--programs', '5', '--from', '3', '--seed', '1');
  expect(lines.at(-1)).toBe('2 programs, 0 disagreements');
});

test('operations that are too rare fail the run, and the summary is written', { timeout: 60_000 }, async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'fuzz-')), 'summary.json');
  const { lines, code } = await run('--programs', '2', '--seed', '1', '--json', file);
  expect(lines.at(-1)).toBe('2 programs, 0 disagreements');
  expect(lines.some((line) => line.startsWith('too rare: '))).toBe(true);
  expect(code).toBe(1);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ seed: 1, programs: 2, disagreements: 0, coverage: { programs: 2 } });
});

test.each([[['--programs', '0', '--seed', '1']], [['--programs', '5']], [['--programs', '5', '--seed', '1', '--from', '5']], [['--programs', '5', '--seed', 'x']], [['--what']]])('wrong use %j is refused with the usage', async (args) => {
  const { lines, code } = await run(...args);
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatch(/^pnpm fuzz --programs/);
});
