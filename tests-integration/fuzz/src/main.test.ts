import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { Coverage, operationsOf } from './coverage.ts';
import { Dealer } from './generate/features.ts';
import type { Regime } from './generate/inputs.ts';
import { stepKinds } from './generate/recipe.ts';
import { demandedOf, main } from './main.ts';
import { report, type Report } from './report.ts';
import { createSubject } from './subject.ts';

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

test('the summary is written, and a run that is too short for every operation to be dealt asks for none', { timeout: 60_000 }, async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'fuzz-')), 'summary.json');
  const { lines, code } = await run('--programs', '2', '--seed', '1', '--json', file);
  expect(lines.slice(-2)).toEqual(['too few programs to ask that every operation be among them', '2 programs, 0 disagreements']);
  expect(code).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ seed: 1, programs: 2, disagreements: 0, coverage: { programs: 2 } });
});

test('operations that are too rare fail the run', () => {
  const { catalog } = createSubject();
  const coverage = new Coverage();
  const ids = operationsOf(catalog);
  for (const id of ids) coverage.operations.add(id, id === 'tf.core.acos' ? 1 : 2);
  const ofRounds = (rounds: number): Report => report({ coverage, found: [], disagreements: 0, rounds }, { catalog, seed: 1, bar: demandedOf({ rounds }), runs: 0, seconds: 0 });
  expect([0, 1, 3].map((rounds) => ofRounds(rounds).ok)).toEqual([true, true, true]);
  expect(ofRounds(4).ok).toBe(false);
  expect(ofRounds(4).lines.filter((line) => line.startsWith('too rare: '))).toEqual(['too rare: tf.core.acos in 1 programs, at least 2 are wanted']);
});

describe('rounds of the decks', () => {
  const kinds = Object.keys(stepKinds);
  const regimes: readonly Regime[] = ['tame', 'ties', 'tame', 'special', 'tame', 'mixed', 'tame', 'tame'];
  const dealt = (programs: number, from: number): { readonly rounds: number; readonly fewest: number } => {
    const dealer = new Dealer(kinds, 3);
    const counts = new Map(kinds.map((kind) => [kind, 0]));
    let before = dealer.deals();
    for (let index = 0; index < programs; index++) {
      if (index === from) before = dealer.deals();
      for (const kind of dealer.deal(regimes[index % regimes.length] as Regime)) if (index >= from) counts.set(kind, (counts.get(kind) as number) + 1);
    }
    return { rounds: dealer.rounds(before), fewest: Math.min(...counts.values()) };
  };

  test.each([[40, 0], [80, 0], [333, 0], [800, 0], [800, 70], [800, 400], [801, 799]])('every kind was dealt at least as often: %i programs, from %i', (programs, from) => {
    const { rounds, fewest } = dealt(programs, from);
    expect(rounds).toBeLessThanOrEqual(fewest);
    // No more is lost than what each of the four decks has begun and not ended, at either end.
    expect(rounds).toBeGreaterThanOrEqual(fewest - 8);
  });

  test('ask for nothing of a short run, and of a long one that every operation be in one program of 84', () => {
    expect(demandedOf(dealt(40, 0))).toBe(0);
    expect(demandedOf(dealt(4000, 0))).toBeGreaterThan(4000 / 84);
  });
});

test.each([[['--programs', '0', '--seed', '1']], [['--programs', '5']], [['--programs', '5', '--seed', '1', '--from', '5']], [['--programs', '5', '--seed', 'x']], [['--what']]])('wrong use %j is refused with the usage', async (args) => {
  const { lines, code } = await run(...args);
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatch(/^pnpm fuzz --programs/);
});
