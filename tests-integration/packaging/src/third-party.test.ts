import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CleanFolder } from './clean-folder.ts';
import { pack } from './packed.ts';

describe('an extension that others publish, installed from tarballs in a clean folder', { timeout: 300_000 }, () => {
  let outside: CleanFolder;

  beforeAll(async () => {
    const packed = await pack(['packages/core', 'packages/traced', 'packages/eager', 'packages/testkit', 'engines/cpu-wasm', 'examples/extension-template']);
    outside = new CleanFolder('third-party');
    await outside.installPacked(packed.packages);
    packed.remove();
  }, 300_000);

  afterAll(() => {
    outside?.remove();
  });

  /** How many tests Node's runner says passed and failed. */
  async function suite(): Promise<{ readonly passed: number; readonly failed: number; readonly output: string }> {
    const { output } = await outside.node('--test', '--test-reporter=tap', 'suite.mjs');
    const count = (what: string): number => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? NaN);
    return { passed: count('pass'), failed: count('fail'), output };
  }

  test('nothing comes from the repository', () => {
    for (const name of ['@tf/core', '@tf/testkit', '@acme/tf-logcosh']) {
      const at = realpathSync(join(outside.path, 'node_modules', name));
      expect(at.startsWith(outside.path)).toBe(true);
      expect(readFileSync(join(at, 'package.json'), 'utf8')).not.toMatch(/workspace:|@tf\/source/);
    }
  });

  test('its suite is green there', async () => {
    const { passed, failed, output } = await suite();
    expect([failed, output]).toEqual([0, output]);
    expect(passed).toBeGreaterThanOrEqual(15);
  });

  test('a small app uses it in both modes, with types', async () => {
    expect(await outside.types()).toEqual({ code: 0, output: '' });
    const { code, output } = await outside.node('app.mjs');
    expect([code, output]).toEqual([0, output]);
    const { traced, eager, refusal } = JSON.parse(output) as { readonly traced: number[]; readonly eager: number[]; readonly refusal: string };
    expect(eager).toEqual(traced);
    [0, 1, -2].forEach((x, i) => {
      expect(traced[i]).toBeCloseTo(Math.tanh(x), 14);
    });
    expect(refusal).toMatch(/acme\.logcosh\.v1/);
  });

  test('a wrong derivative there is rejected there, by the law that it breaks', async () => {
    const dist = join(outside.path, 'node_modules/@acme/tf-logcosh/dist');
    const slope = 'tanh(ctx.input(0))';
    const [file, ...others] = readdirSync(dist).map((name) => join(dist, name)).filter((path) => path.endsWith('.js') && readFileSync(path, 'utf8').includes(slope));
    expect(others).toEqual([]);
    const right = readFileSync(file!, 'utf8');
    const wrong = right.replace(slope, 'abs(ctx.input(0))');
    writeFileSync(file!, wrong);
    const { failed, output } = await suite();
    writeFileSync(file!, right);
    expect(failed).toBeGreaterThan(0);
    expect(output).toMatch(/not ok \d+ - derivative/);
  });
});
