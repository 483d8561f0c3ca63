/** The tests in C of steps that are written in C: native/test. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const runner = join(fileURLToPath(new URL('../native/test/', import.meta.url)), 'run.mjs');
/** Compiling takes its time on a busy machine. */
const patience = 600_000;
/** What is missing, by status. */
const absent: ReadonlyMap<number, string> = new Map([[2, 'no BLAS and LAPACK: apt-get install libopenblas0-pthread'], [3, 'no C compiler: apt-get install gcc libc6-dev']]);

describe('steps in C', () => {
  test.for(['data', 'contract'])('%s', { timeout: patience }, (name, { skip }) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [runner, name, 'quick'], { encoding: 'utf8' });
    const missing = absent.get(status ?? -1);
    if (missing !== undefined) skip(missing);
    expect(status, `${stdout}${stderr}`).toBe(0);
    expect(stdout).toMatch(/^[1-9]\d* checks, 0 failed$/m);
  });
});
