/** What was compiled for the machine: compilers fuse products and sums that they were told not to (gcc 12, complex numbers, AVX-512), and bits would depend on the machine. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportPresence } from '@tf/testkit';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const objects = join(root, 'engines/cpu-blas-native/build/objects');
const filesIn = (folder: string, pattern: RegExp): readonly string[] => (existsSync(folder) ? readdirSync(folder).filter((name) => pattern.test(name)).map((name) => join(folder, name)) : []);
const own = filesIn(objects, /\.o$/);
const families = filesIn(join(root, 'extensions'), /./).flatMap((folder) => filesIn(join(folder, 'native-build'), /\.so$/));

/** Products of matrices round once on purpose, at every level that can (native/product.h). */
const isMeant = (path: string): boolean => /\/product_[12]\.o$/.test(path);

/** vfmadd132ps, vfnmsub231sd, vfmaddsub213pd … by function. */
function fusedIn(path: string): readonly string[] {
  const { stdout, status, stderr } = spawnSync('objdump', ['-d', '--no-show-raw-insn', path], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`objdump ${path}: ${stderr}`);
  const found = new Set<string>();
  for (const section of stdout.split(/\n\n/)) {
    const [, instruction] = /\t(vfn?m(?:add|sub)(?:add|sub)?(?:132|213|231)?[ps][sdh])\b/.exec(section) ?? [];
    if (instruction !== undefined) found.add(`${path.slice(root.length)} ${/<(.+)>:/.exec(section)?.[1] ?? ''}: ${instruction}`);
  }
  return [...found];
}

const isPresent = process.arch === 'x64' && own.length > 0 && families.length > 0 && spawnSync('objdump', ['--version']).status === 0;
if (reportPresence({ it }, { name: 'objects of the native engine', isPresent, remedy: 'node engines/cpu-blas-native/native/build.mjs and node scripts/kernels.mjs on a machine with x64 and objdump (apt-get install binutils)' })) {
  it('no object but those of products has a fused multiplication and addition', { timeout: 240_000 }, () => {
    expect([...own, ...families].filter((path) => !isMeant(path)).flatMap(fusedIn)).toEqual([]);
  });

  it('products have them, so they are seen', { timeout: 120_000 }, () => {
    const meant = own.filter(isMeant);
    expect(meant).toHaveLength(2);
    for (const path of meant) expect(fusedIn(path).length).toBeGreaterThan(5);
  });
}
