/** The check on changes finds a change without a changeset, and a contract that was changed and not raised. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ended } from './program.ts';
import { repository } from './workspace.ts';

const place = mkdtempSync(join(realpathSync(tmpdir()), 'tf-changes-'));
const contract = 'packages/core/src/contract/rule.ts';

function write(file: string, text: string): void {
  mkdirSync(dirname(join(place, file)), { recursive: true });
  writeFileSync(join(place, file), text);
}

function git(...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=tf', '-c', 'user.email=tf@localhost', '-c', 'commit.gpgsign=false', ...args], { cwd: place, stdio: 'ignore' });
}

/** The script as it is, on a repository of its own. */
async function check(...args: readonly string[]): Promise<string> {
  const { output } = await ended(process.execPath, [join(place, 'scripts/release/check.mjs'), ...args], { cwd: place });
  return output;
}

beforeAll(() => {
  for (const script of ['check.mjs', 'workspace.mjs']) write(`scripts/release/${script}`, readFileSync(join(repository, 'scripts/release', script), 'utf8'));
  for (const room of ['engines', 'extensions']) mkdirSync(join(place, room));
  write('packages/core/package.json', JSON.stringify({ name: '@tf/core', version: '1.0.0' }));
  write('packages/core/src/types/version.ts', 'export const contractVersion = 1;\n');
  write(contract, 'export interface Rule {\n  readonly kind: string;\n}\n');
  write('.changeset/config.json', '{}');
  git('init', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--message', 'released');
  git('tag', '@tf/core@1.0.0');
});

afterAll(() => {
  rmSync(place, { recursive: true });
});

test('a change to a published package carries a changeset, against a branch and against the last release', async () => {
  expect(await check()).toBe('1 packages, 0 changed, 0 faults\n');
  write('packages/core/src/exp.ts', 'export const exp = 1;\n');
  for (const args of [[], ['--since', 'main']]) expect(await check(...args)).toMatch(/^✗ @tf\/core changed since .* and no changeset names it/);
  write('.changeset/exp.md', "---\n'@tf/core': minor\n---\n\nexp.\n");
  for (const args of [[], ['--since', 'main']]) expect(await check(...args)).toBe('1 packages, 1 changed, 0 faults\n');
});

test('the contract grows freely, and what it said changes only with its version', async () => {
  write(contract, '/** Rules. */\nexport interface Rule {\n  readonly kind: string;\n  readonly batch?: string;\n}\n');
  expect(await check()).toBe('1 packages, 1 changed, 0 faults\n');
  write(contract, 'export interface Rule {\n  readonly kind: number;\n}\n');
  expect(await check()).toMatch(/rule\.ts: the contract said "readonly kind: string" at @tf\/core@1\.0\.0 and does not any more\. Raise contractVersion/);
  write('packages/core/src/types/version.ts', 'export const contractVersion = 2;\n');
  expect(await check()).toBe('1 packages, 1 changed, 0 faults\n');
});

test('every change of this repository since its packages were released carries a changeset', async () => {
  const { code, output } = await ended(process.execPath, [join(repository, 'scripts/release/check.mjs')], { cwd: repository });
  expect([code, output]).toEqual([0, expect.stringMatching(/^1\d packages, \d+ changed, 0 faults\n$/)]);
});
