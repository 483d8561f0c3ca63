// Packs what is built.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestIn, published, root } from './workspace.mjs';

const run = (command, args, cwd) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} in ${cwd} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
};

const versionLine = /^((?:var|const|let) \w*Version = ")[^"]*(";)$/m;

/** Writes a version into what was built with another: nothing else of it depends on the version, declarations least of all. */
export const rewriteBuilt = (folder) => {
  const { name, version } = manifestIn(folder);
  const files = readdirSync(join(folder, 'dist'), { recursive: true }).map((file) => join(folder, 'dist', file)).filter((file) => /\.c?js$/.test(file) && versionLine.test(readFileSync(file, 'utf8')));
  if (files.length === 0) throw new Error(`${name}: no file in dist says its version: build it first`);
  for (const file of files) writeFileSync(file, readFileSync(file, 'utf8').replace(versionLine, `$1${version}$2`));
};

/** Packs `folders` of `workspace` into `into`; gives the tarballs in the order in which they can be published. */
export const packRelease = (workspace, into, { folders = published(workspace).map(({ folder }) => folder), rewritten = [] } = {}) => {
  mkdirSync(into, { recursive: true });
  for (const folder of rewritten) rewriteBuilt(join(workspace, folder));
  run(process.execPath, [join(root, 'node_modules/pnpm/bin/pnpm.cjs'), '--recursive', ...folders.map((folder) => `--filter=./${folder}`), 'pack', '--pack-destination', into], workspace);
  const tarballs = published(workspace).filter(({ folder }) => folders.includes(folder)).map(({ name, version, folder }) => ({ name, version, folder, tarball: join(into, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`) }));
  // What others name exactly comes first: an engine's library before the engine.
  return tarballs.sort((a, b) => Number(b.name.includes('-linux-')) - Number(a.name.includes('-linux-')));
};
