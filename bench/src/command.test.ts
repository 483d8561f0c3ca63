import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeBench, fakeSource } from './bench.testing.ts';
import { runCommand, type World } from './command.ts';
import type { ContenderSource } from './contender.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const absent: ContenderSource = { name: 'torch', kind: 'python', open: () => Promise.reject(new Error('No module named torch')) };

function worldOf(own: readonly ContenderSource[]): World & { readonly said: string[]; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tf-bench-test-'));
  folders.push(folder);
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const readmePath = join(folder, 'README.md');
  writeFileSync(readmePath, '<!-- bench:begin -->\n<!-- bench:end -->\n');
  return { ...fakeBench(own, [fakeSource('peer', 'javascript'), absent]), readmePath, resultsFolder: join(folder, 'results'), print: say, complain: say, progress: { write: () => {} }, said, folder };
}

describe('pnpm bench', () => {
  it('ends with 0 when everyone who was named ran, and writes JSON and a chart', async () => {
    const world = worldOf([fakeSource('tf', 'tf')]);
    expect(await runCommand(['--group', 'dispatch', '--peers', 'peer'], world)).toBe(0);
    expect(['dispatch.json', 'dispatch.svg'].map((name) => existsSync(join(world.resultsFolder, name)))).toEqual([true, true]);
  });

  it('ends with 1 when a named peer is absent, and says so; with 0 when nobody named it', async () => {
    const world = worldOf([fakeSource('tf', 'tf')]);
    expect(await runCommand(['--group', 'dispatch', '--peers', 'torch'], world)).toBe(1);
    expect(world.said.at(-1)).toBe('✗ torch was named and is absent: No module named torch');
    expect(await runCommand(['--group', 'dispatch'], world)).toBe(0);
  });

  it('ends with 1 when a result of ours is wrong', async () => {
    expect(await runCommand(['--group', 'dispatch'], worldOf([fakeSource('tf', 'tf', 1.1)]))).toBe(1);
  });

  it('ends with 1 for arguments that make no sense, and lists what there is', async () => {
    const world = worldOf([]);
    expect(await runCommand(['--group', 'sparse'], world)).toBe(1);
    expect(await runCommand(['--peers', 'nobody'], world)).toBe(1);
    expect(world.said[0]).toContain('none of dispatch, matmul, chain, reduce, mlp');
    expect(world.said[1]).toContain('none of peer, torch');
  });

  it('writes one file where --json says, and nothing else', async () => {
    const world = worldOf([fakeSource('tf', 'tf')]);
    const path = join(world.folder, 'here.json');
    expect(await runCommand(['--group', 'dispatch', '--json', path], world)).toBe(0);
    const report = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    expect(Object.keys(report)).toEqual(['date', 'commit', 'machine', 'contenders', 'absent', 'rows']);
    expect(existsSync(world.resultsFolder)).toBe(false);
  });

  it('refuses a README that differs from the results, and writes it', async () => {
    const world = worldOf([fakeSource('tf traced', 'tf')]);
    expect(await runCommand(['--group', 'dispatch'], world)).toBe(0);
    expect(await runCommand(['--check-table'], world)).toBe(1);
    expect(world.said.at(-1)).toContain('Run pnpm bench --table');
    expect(await runCommand(['--table'], world)).toBe(0);
    expect(await runCommand(['--check-table'], world)).toBe(0);
    expect(readFileSync(world.readmePath, 'utf8')).toContain('| eager operation, length 64, float32 (µs/op) |');
    writeFileSync(world.readmePath, readFileSync(world.readmePath, 'utf8').replace('peer ', 'peer 9'));
    expect(await runCommand(['--check-table'], world)).toBe(1);
  });
});
