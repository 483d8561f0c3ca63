import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type DemoOptions, defaultOptions } from './arguments.ts';
import { type DemoResult, runDemo } from './demo.ts';

const out = await mkdtemp(join(tmpdir(), 'penguins-'));

async function run(options: Partial<DemoOptions>): Promise<DemoResult & { readonly text: string }> {
  const lines: string[] = [];
  const output = { line: (text: string) => void lines.push(text), progress: () => ({ done() {}, finish: (text: string) => void lines.push(text) }) };
  return { ...(await runDemo({ ...defaultOptions, steps: 60, seeds: [1], out, ...options }, output)), text: lines.join('\n') };
}

describe('the demo', () => {
  it('trains both modes to the same parameters and says so', async () => {
    const { passed, text, checks, pictures } = await run({ seeds: [1, 2] });
    expect(checks.filter(({ holds }) => !holds)).toEqual([]);
    expect([passed, checks.length]).toEqual([true, 10]);
    expect(text).toContain('gradients bitwise equal: true');
    expect(text).toMatch(/held-out accuracy: seed 1 (0\.9[5-9]|1\.0)\d*, seed 2 (0\.9[5-9]|1\.0)/);
    expect(text).toContain('tf.core.tanh');
    for (const path of pictures) expect(text).toContain(`picture: ${path}`);
    expect(pictures.map((path) => existsSync(path))).toEqual([true, true]);
  });

  it.each(['tanh', 'dot', 'select', 'exp'])('notices that the derivative of %s has the wrong sign', async (flip) => {
    const { passed, checks } = await run({ flip, steps: 2 });
    expect(passed).toBe(false);
    expect(checks.filter(({ holds }) => !holds).map(({ claim }) => claim)).toContain('seed 1: gradient within 1e-6 of central differences');
    // Both modes follow the same wrong rule: they still agree.
    expect(checks[0]).toMatchObject({ holds: true });
  });

  it('does not call itself good when too few steps leave it untrained', async () => {
    const { passed, checks } = await run({ steps: 1 });
    expect(passed).toBe(false);
    expect(checks.filter(({ holds }) => !holds).map(({ claim }) => claim)).toEqual(['seed 1: held-out accuracy at least 0.95']);
  });
});

describe('the program', () => {
  const { argv, exitCode } = process;
  afterEach(() => {
    vi.restoreAllMocks();
    vi.resetModules();
    process.argv = argv;
    process.exitCode = exitCode;
  });

  it.each([
    [0, ['--quick', '--out', out]],
    [1, ['--quick', '--out', out, '--flip', 'tanh']],
    [1, ['--seeds', 'many']],
    [1, ['--flip', 'tangh']],
    [1, ['--nonsense']],
  ])('exits with %i for %j', async (code, args) => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    process.argv = [argv[0]!, 'main.js', ...args];
    await import('./main.ts');
    expect(process.exitCode).toBe(code);
    expect(errors.mock.calls.length).toBe(args.includes('--quick') ? 0 : 1);
  });
});
