// node native/platform.mjs FOLDER: puts the library, freshly built, into the package of a platform before it is packed. It stays there, as two
// may be packing at once; a checkout runs what it has built itself. The package of another platform cannot be packed here.
import { copyFileSync, readFileSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildLibrary } from './build.mjs';
import { checkGlibc } from './glibc.mjs';

const folder = resolve(process.argv[2] ?? '.');
const target = join(folder, 'tf.node');

const { name, os, cpu } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
if (!os.includes(process.platform) || !cpu.includes(process.arch)) throw new Error(`${name} is packed on ${os}-${cpu}, and this is ${process.platform}-${process.arch}.`);
if (!(await buildLibrary({ quiet: true }))) throw new Error(`${name} has nothing to pack: its library could not be built.`);
checkGlibc(fileURLToPath(new URL('../build/tf.node', import.meta.url)));
const own = `${target}.${process.pid}`;
copyFileSync(fileURLToPath(new URL('../build/tf.node', import.meta.url)), own);
renameSync(own, target);
