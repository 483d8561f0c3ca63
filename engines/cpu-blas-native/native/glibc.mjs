// node native/glibc.mjs FILE …: the glibc that each library needs; fails where one needs a later one than releases may (docs/decisions/2026-11-30-native-packages.md).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** That of Debian 12's compilers, since dlopen moved into libc: also that of Ubuntu 22.04 and RHEL 9. */
export const latest = '2.34';

const numberOf = (version) => version.split('.').reduce((sum, part) => 1000 * sum + Number(part), 0) * (version.split('.').length === 2 ? 1000 : 1);

/** The latest version that the library's table of symbols names, undefined where it names none. */
export const glibcOf = (file) => {
  const versions = [...readFileSync(file, 'latin1').matchAll(/\0GLIBC_(2(?:\.\d+)+)(?=\0)/g)].map(([, version]) => version);
  return versions.sort((a, b) => numberOf(a) - numberOf(b)).at(-1);
};

export const checkGlibc = (file) => {
  const needed = glibcOf(file);
  if (needed !== undefined && numberOf(needed) > numberOf(latest)) throw new Error(`${file} needs glibc ${needed}; releases are for ${latest} and later. Build it on a system with that glibc, or move the bound here and in the decision.`);
  return needed;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) for (const file of process.argv.slice(2)) console.log(`${file} ${checkGlibc(file) ?? 'none'}`);
