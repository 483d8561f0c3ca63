/** Libraries that are published need no later glibc than releases are said to (engines/cpu-blas-native/native/glibc.mjs, which packing asks, too). */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportPresence } from '@tf/testkit';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const engine = join(root, 'engines/cpu-blas-native');
const library = join(engine, 'build/tf.node');
const families = readdirSync(join(root, 'extensions')).map((name) => join(root, 'extensions', name, 'native-build', `${name}.so`)).filter((path) => existsSync(path));

function check(...files: readonly string[]): { readonly code: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(engine, 'native/glibc.mjs'), ...files], { encoding: 'utf8' });
  return { code: status, output: `${stdout}${stderr}` };
}

const isPresent = process.platform === 'linux' && existsSync(library) && families.length === 2;
if (reportPresence({ it }, { name: 'libraries of the native engine', isPresent, remedy: 'node engines/cpu-blas-native/native/build.mjs and node scripts/kernels.mjs on Linux' })) {
  it('the engine and the kernels of linalg and fft need glibc 2.34 at most', () => {
    const { code, output } = check(library, ...families);
    expect([code, output]).toEqual([0, output]);
    expect(output.trim().split('\n').map((line) => / 2(\.\d+)+$/.test(line))).toEqual([true, true, true]);
  });

  it('a library that needs a later one is not packed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tf-glibc-'));
    try {
      const later = join(folder, 'tf.node');
      writeFileSync(later, readFileSync(library, 'latin1').replace('\0GLIBC_2.34\0', '\0GLIBC_2.38\0'), 'latin1');
      expect(check(later)).toMatchObject({ code: 1, output: expect.stringContaining('needs glibc 2.38') as string });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
