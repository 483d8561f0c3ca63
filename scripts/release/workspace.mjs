// The workspace as releases see it: published packages, and copies of it in which versions may be raised.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What building leaves that is packed or needed to pack. */
const outputs = ['dist', 'wasm', 'native-build', 'build', 'tf.node'];

const rooms = ['packages', 'engines', 'extensions'];

export const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Published packages, by folder from the root. */
export const published = (workspace = root) =>
  rooms.flatMap((room) => readdirSync(join(workspace, room)).map((name) => `${room}/${name}`))
    .filter((folder) => existsSync(join(workspace, folder, 'package.json')))
    .map((folder) => ({ folder, ...manifestIn(join(workspace, folder)) }))
    .filter((manifest) => manifest.private !== true);

export const git = (args, cwd = root) => execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });

/** A copy of what git would have, with what was built and installed, in a repository of its own. */
export const copyWorkspace = (into) => {
  const files = git(['ls-files', '-z', '--cached', '--others', '--exclude-standard']).split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  const copy = (file) => {
    mkdirSync(dirname(join(into, file)), { recursive: true });
    cpSync(join(root, file), join(into, file), { recursive: true, verbatimSymlinks: true });
  };
  files.forEach(copy);
  for (const { folder } of published()) outputs.map((name) => join(folder, name)).filter((path) => existsSync(join(root, path))).forEach(copy);
  const folders = [...new Set(files.filter((file) => file.endsWith('/package.json')).map(dirname))];
  for (const folder of folders) if (existsSync(join(root, folder, 'node_modules')) && lstatSync(join(root, folder, 'node_modules')).isDirectory()) copy(join(folder, 'node_modules'));
  symlinkSync(join(root, 'node_modules'), join(into, 'node_modules'));
  git(['init', '--quiet', '--initial-branch=main'], into);
  commitAll(into, 'The workspace as it is');
};

export const commitAll = (workspace, message) => {
  git(['add', '--all'], workspace);
  git(['-c', 'user.name=tf', '-c', 'user.email=tf@localhost', '-c', 'commit.gpgsign=false', 'commit', '--quiet', '--allow-empty', '--message', message], workspace);
};
