// Packs what is built, after the JavaScript of code that changed since was written again: declarations do not depend on versions.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { published, root } from './workspace.mjs';

const run = (command, args, cwd) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} in ${cwd} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
};

/** Writes the JavaScript of a package again. */
export const rebuild = (folder) => {
  const dist = join(folder, 'dist');
  for (const file of readdirSync(dist, { recursive: true }).filter((name) => /\.c?js$/.test(name))) rmSync(join(dist, file));
  run(process.execPath, [join(root, 'node_modules/tsup/dist/cli-default.js'), '--config', '../../tsup.config.ts', '--no-dts', '--no-clean', '--silent'], folder);
};

/** Packs `folders` of `workspace` into `into`; gives the tarballs in the order in which they can be published. */
export const packRelease = (workspace, into, { folders = published(workspace).map(({ folder }) => folder), rewritten = [] } = {}) => {
  mkdirSync(into, { recursive: true });
  for (const folder of rewritten) rebuild(join(workspace, folder));
  run(process.execPath, [join(root, 'node_modules/pnpm/bin/pnpm.cjs'), '--recursive', ...folders.map((folder) => `--filter=./${folder}`), 'pack', '--pack-destination', into], workspace);
  const tarballs = published(workspace).filter(({ folder }) => folders.includes(folder)).map(({ name, version, folder }) => ({ name, version, folder, tarball: join(into, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`) }));
  // What others name exactly comes first: an engine's library before the engine.
  return tarballs.sort((a, b) => Number(b.name.includes('-linux-')) - Number(a.name.includes('-linux-')));
};
