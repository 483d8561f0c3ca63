// node native/platform.mjs FOLDER [--remove]: puts the library, freshly built, into the package of a platform for packing, and takes it away again.
// What lay there longer would be older than the sources, and the package of another platform cannot be packed here.
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildLibrary } from './build.mjs';

const folder = resolve(process.argv[2] ?? '.');
const target = join(folder, 'tf.node');

const put = async () => {
  const { name, os, cpu } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!os.includes(process.platform) || !cpu.includes(process.arch)) throw new Error(`${name} is packed on ${os}-${cpu}, and this is ${process.platform}-${process.arch}.`);
  if (!(await buildLibrary({ quiet: true }))) throw new Error(`${name} has nothing to pack: its library could not be built.`);
  copyFileSync(fileURLToPath(new URL('../build/tf.node', import.meta.url)), target);
};

if (process.argv[3] === '--remove') rmSync(target, { force: true });
else await put();
