import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { main } from './main.ts';

const cases = fileURLToPath(new URL('../cases', import.meta.url));
let dir: string;
let printed: string[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'oracle-'));
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
});

const run = (...args: readonly string[]): Promise<number> => main(['--engine', 'cpu-wasm', '--front', 'traced', ...args]);
const scalar = (value: string): string => `{"dtype":"f64","shape":[],"data":[${value}]}`;
const testCase = (id: string, op: string, output: string, more = ''): string => `{"id":"${id}","area":"own","op":"${op}","inputs":[${scalar('3')}],"tol":{"mode":"elem","rtol":0,"atol":0,"drtol":0,"datol":0},"expect":{"outputs":[${scalar(output)}]}${more}}\n`;
const write = (...lines: readonly string[]): void => writeFileSync(join(dir, 'own.jsonl'), lines.join(''));

describe('exit codes', () => {
  it('0 when all pass, and the last line counts', async () => {
    write(testCase('a', 'neg', '-3'), testCase('b', 'unheard_of', '3'));
    expect(await run('--dir', dir)).toBe(0);
    expect(printed.at(-1)).toBe('1 passed, 0 failed, 1 unsupported');
    expect(printed).toContain('  unheard_of: 1 (1)');
    expect(printed.find((text) => text.includes('engine runs'))).toMatch(/^cpu-wasm: 1 engine runs/);
  });

  it('1 for a planted fault', async () => {
    write(testCase('a', 'neg', '3'));
    expect(await run('--dir', dir)).toBe(1);
    expect(printed).toContain('failed a');
    expect(printed.at(-1)).toBe('0 passed, 1 failed, 0 unsupported');
  });

  it('1 for a line that is no case', async () => {
    write('{"id":"a"}\n', testCase('b', 'neg', '-3'));
    expect(await run('--dir', dir)).toBe(1);
    expect(printed.at(-1)).toBe('1 passed, 1 failed, 0 unsupported');
  });

  it('optional cases are counted apart and fail nothing', async () => {
    write(testCase('a', 'neg', '3', ',"optional":true'), testCase('b', 'neg', '-3'));
    expect(await run('--dir', dir)).toBe(0);
    expect(printed.slice(-2)).toEqual(['optional: 0 passed, 1 failed, 0 unsupported', '1 passed, 0 failed, 0 unsupported']);
  });

  it.each<readonly [string, RegExp, readonly string[]]>([
    ['an absent folder', /no folder/, ['--dir', '/nowhere']],
    ['a folder without cases', /no case/, ['--dir', fileURLToPath(new URL('.', import.meta.url))]],
    ['an absent area', /no opz.jsonl/, ['--dir', cases, '--area', 'opz']],
    ['an operation that no case has', /no case whose operation/, ['--dir', cases, '--area', 'ops', '--op', 'xyz']],
    ['an absent engine', /engine abacus is absent/, ['--dir', cases, '--area', 'ops', '--engine', 'abacus']],
    ['an unknown front end', /no front end lazy/, ['--dir', cases, '--front', 'lazy']],
    ['an unknown argument', /Unknown option/, ['--dir', cases, '--fast']],
    ['no folder at all', /--dir/, []],
  ])('1 for %s', async (_, message, args) => {
    expect(await run(...args)).toBe(1);
    expect(printed.join('\n')).toMatch(message);
  });
});

it('--json writes every case and the counts', async () => {
  write(testCase('a', 'neg', '-3'), testCase('b', 'unheard_of', '3'), testCase('c', 'exp', '0'));
  const json = join(dir, 'report.json');
  expect(await run('--dir', dir, '--area', 'own', '--json', json)).toBe(1);
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
    front: 'traced', runs: 2, counts: { passed: 1, failed: 1, unsupported: 1 }, heldBack: [{ operation: 'unheard_of', cases: 1, alone: 1 }],
    cases: [{ id: 'a', status: 'passed' }, { id: 'b', status: 'unsupported', missing: ['unheard_of'] }, { id: 'c', status: 'failed', faults: [expect.stringMatching(/outputs/)] }],
  });
});

it('an operation with an argument that the runner does not know fails', async () => {
  write(testCase('a', 'neg', '-3', ',"args":{"where":1}'));
  expect(await run('--dir', dir)).toBe(1);
  expect(printed.join('\n')).toMatch(/does not know what where means/);
});

describe('xla-export', () => {
  it('ends with 1 in eager mode, which has no programs', async () => {
    expect(await main(['--dir', cases, '--engine', 'xla-export', '--front', 'eager'])).toBe(1);
    expect(printed[0]).toMatch(/xla-export runs exported programs.*--front traced/);
  });

  it('ends with 1 where there is no Python with JAX', async () => {
    vi.stubEnv('TF_XLA_PYTHON', '/no/such/python');
    expect(await main(['--dir', cases, '--engine', 'xla-export', '--front', 'traced'])).toBe(1);
    expect(printed[0]).toMatch(/xla-export is absent: \/no\/such\/python has no JAX/);
    vi.unstubAllEnvs();
  });
});
