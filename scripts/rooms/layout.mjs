// Which room a file belongs to, and which packages the workspace has.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';

const ignored = new Set(['node_modules', 'dist', '.cache', '.turbo', 'coverage']);
/** Types alone, and what scripts/kernels.mjs makes of a kernel's code, are none. */
const isCode = (name) => /\.[cm]?[jt]sx?$/.test(name) && !/\.(d\.[cm]?ts|wasm\.mjs)$/.test(name);

const walk = (folder) => {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return ignored.has(entry.name) ? [] : walk(join(folder, entry.name));
    return entry.isFile() ? [join(folder, entry.name)] : [];
  });
};

const toPosix = (path) => path.split(sep).join(posix.sep);

export const codeFiles = (root, scope) =>
  scope.flatMap((folder) => walk(join(root, folder))).filter(isCode).map((path) => toPosix(relative(root, path))).sort();

/** `*` is one segment's part, `**` any depth, `{engine}` a captured part of one segment. */
const patternOf = (glob) =>
  new RegExp(
    `^${glob
      .replace(/[.+^$()|[\]\\]/g, '\\$&')
      .replace(/\*\*/g, '\u0000')
      .replace(/\*/g, '[^/]*')
      .replace(/\u0000/g, '.*')
      .replace(/\{(\w+)\}/g, '(?<$1>[^/]+?)')}$`,
  );

const compileRoom = ([name, room]) => ({
  reaches: [],
  packages: [],
  typePackages: [],
  tests: [],
  ...room,
  name,
  inside: room.files.filter((glob) => !glob.startsWith('!')).map(patternOf),
  outside: room.files.filter((glob) => glob.startsWith('!')).map((glob) => patternOf(glob.slice(1))),
});

export const compileRooms = (config) => Object.entries(config.rooms).map(compileRoom);

/** A test lives in the room of the file that it is named after. */
export const subjectOf = (path, suffixes) => {
  const extension = path.slice(path.lastIndexOf('.'));
  const stem = path.slice(0, -extension.length);
  const suffix = suffixes.find((end) => stem.endsWith(end));
  return suffix === undefined ? { subject: path, isTest: false } : { subject: stem.slice(0, -suffix.length) + extension, isTest: true };
};

/** Every room that claims the file, with what its globs captured. */
export const roomsOf = (rooms, path) =>
  rooms.flatMap((room) => {
    if (room.outside.some((pattern) => pattern.test(path))) return [];
    const match = room.inside.map((pattern) => pattern.exec(path)).find((found) => found !== null);
    return match === undefined ? [] : [{ room, captured: { ...match.groups } }];
  });

export const fillIn = (text, captured) => text.replace(/\{(\w+)\}/g, (_, key) => captured[key] ?? '');

/** In a package pattern `*` stands for anything. */
export const matchesPackage = (patterns, name) =>
  patterns.some((pattern) => new RegExp(`^${pattern.replace(/[.+^$()|[\]\\]/g, '\\$&').replace(/\*/g, '.*')}$`).test(name));

/** `@tf/core/x` → `@tf/core`; `node:fs/promises` stays whole. */
export const packageNameOf = (specifier) => {
  if (specifier.startsWith('node:')) return specifier;
  return specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
};

const manifestAt = (root, folder) => {
  const path = join(root, folder, 'package.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
};

/** The folder of the nearest package.json, as a path relative to the root. */
export const packageFolderOf = (root, path) => {
  for (let folder = dirname(path); folder !== '.' && folder !== ''; folder = dirname(folder))
    if (existsSync(join(root, folder, 'package.json'))) return folder;
  return path.split('/').slice(0, 2).join('/');
};

export const workspacePackages = (root, files) => {
  const folders = new Set(files.map((file) => packageFolderOf(root, file)));
  const found = [...folders].map((folder) => ({ folder, manifest: manifestAt(root, folder) }));
  return new Map(found.filter(({ manifest }) => manifest?.name).map((entry) => [entry.manifest.name, entry]));
};
