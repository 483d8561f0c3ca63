import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { areasOf, loadSet } from './set.ts';

const cases = fileURLToPath(new URL('../cases', import.meta.url));
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'oracle-'));
  cpSync(cases, dir, { recursive: true });
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('the set is as handed: every case keeps to the format', () => {
  const { lines, verified } = loadSet({ dir: cases, areas: areasOf(cases), prefix: '' });
  expect(lines.flatMap((line) => ('fault' in line ? [`${line.id} ${line.fault}`] : []))).toEqual([]);
  expect(verified).toBe(true);
  expect(Object.fromEntries(areasOf(cases).map((area) => [area, lines.filter((line) => line.area === area).length]))).toEqual({ ad: 46, einsum: 152, fft: 86, linalg: 178, ops: 223 });
});

it('a changed file is noticed by its checksum', () => {
  const path = join(dir, 'ad.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('0.5', '0.6'));
  expect(() => loadSet({ dir, areas: ['ad'], prefix: '' })).toThrow(/SHA256SUMS/);
  expect(loadSet({ dir, areas: ['fft'], prefix: '' }).verified).toBe(true);
});

it('a file without a sum is refused where sums are listed, and taken where none are', () => {
  writeFileSync(join(dir, 'own.jsonl'), readFileSync(join(dir, 'fft.jsonl')));
  expect(() => loadSet({ dir, areas: ['own'], prefix: '' })).toThrow(/SHA256SUMS/);
  rmSync(join(dir, 'SHA256SUMS'));
  expect(loadSet({ dir, areas: ['own'], prefix: '' }).verified).toBe(false);
});

it('an absent folder, an absent file and an empty selection are refused', () => {
  expect(() => loadSet({ dir: join(dir, 'nowhere'), areas: ['ops'], prefix: '' })).toThrow(/no folder/);
  expect(() => loadSet({ dir, areas: ['opz'], prefix: '' })).toThrow(/no opz.jsonl/);
  expect(() => loadSet({ dir, areas: ['ops'], prefix: 'nothing-like-it' })).toThrow(/no case/);
  expect(() => loadSet({ dir, areas: [], prefix: '' })).toThrow(/no case/);
});

it('a prefix selects operations', () => {
  const { lines } = loadSet({ dir, areas: ['ops'], prefix: 'log1' });
  expect([...new Set(lines.map(({ op }) => op))]).toEqual(['log10', 'log1p']);
});

it('a line that is no case keeps its name and its reason; two of one name are refused', () => {
  rmSync(join(dir, 'SHA256SUMS'));
  writeFileSync(join(dir, 'own.jsonl'), '{"id":"own.1","area":"own","op":"exp","inputs":[]}\nnothing\n');
  expect(loadSet({ dir, areas: ['own'], prefix: '' }).lines).toMatchObject([{ id: 'own.1', op: 'exp', fault: expect.stringMatching(/expect/) }, { id: 'own:2', fault: expect.stringMatching(/format/) }]);
  writeFileSync(join(dir, 'own.jsonl'), 'nothing "id":"a"\nnothing "id":"a"\n');
  expect(() => loadSet({ dir, areas: ['own'], prefix: '' })).toThrow(/two cases/);
});
