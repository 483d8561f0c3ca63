/** The tests in C of steps that are written in C: native/test. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
/** Compiling takes its time on a busy machine. */
const patience = 600_000;

describe('steps in C', () => {
  test.for(['data_test', 'contract_test', 'calls_test'])('%s', { timeout: patience }, (name, { skip }) => {
    const built = spawnSync(process.execPath, [path('../native/build.mjs'), name], { encoding: 'utf8' });
    expect(built.status, `${built.stdout}${built.stderr}`).toBe(0);
    const program = path(`../build/${name}`);
    if (!existsSync(program)) skip('no C compiler: apt-get install gcc libc6-dev');
    const { status, stdout, stderr } = spawnSync(program, ['quick'], { encoding: 'utf8' });
    if (status === 2) skip('no BLAS and LAPACK: apt-get install libopenblas0-pthread');
    expect(status, `${stdout}${stderr}`).toBe(0);
    expect(stdout).toMatch(/^[1-9]\d* checks, 0 failed$/m);
  });
});
