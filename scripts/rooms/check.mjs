// The judgement: one function per kind of import, each answering with the sentence to print or undefined.
import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, posix } from 'node:path';
import { fillIn, matchesPackage, packageFolderOf, packageNameOf } from './layout.mjs';

const describe = (target) => (target.isTest ? `a test of ${target.room.name}` : target.room.name);

/** A relative path: it stays in its package, names an existing file with its extension, and reaches an allowed room. */
const judgeRelative = (world, file, found) => {
  const target = posix.normalize(posix.join(posix.dirname(file.path), found.specifier));
  const home = packageFolderOf(world.root, file.path);
  if (target !== home && !target.startsWith(`${home}/`))
    return { says: `imports ${found.specifier}, which leaves the package`, rule: 'other packages are imported by name' };
  const onDisk = join(world.root, target);
  if (!existsSync(onDisk) || !statSync(onDisk).isFile())
    return { says: `imports ${found.specifier}, which is no file`, rule: 'an import inside a package names the file with its .ts extension' };
  const other = world.files.get(target);
  if (other === undefined) return undefined;
  if (other.isTest && !file.isTest)
    return { says: `imports ${describe(other)} (${target})`, rule: 'only tests import tests' };
  if (file.isTest) return undefined;
  const { room } = file;
  if (other.room !== room && !room.reaches.includes(other.room.name))
    return { says: `imports ${describe(other)} (${target})`, rule: room.rule };
  if (room.oneEngine && other.room === room && other.captured.engine !== file.captured.engine)
    return { says: `imports the module for ${other.captured.engine} (${target})`, rule: room.rule };
  return undefined;
};

const declaredIn = (manifest, kinds) => kinds.flatMap((kind) => Object.keys(manifest?.[kind] ?? {}));

/** A package that the room allows must also stand in the manifest, as a peer where the room says so. */
const judgeDeclaration = (world, file, name) => {
  if (name.startsWith('node:')) return undefined;
  const home = packageFolderOf(world.root, file.path);
  const manifest = [...world.packages.values()].find(({ folder }) => folder === home)?.manifest;
  if (manifest === undefined || manifest.name === name) return undefined;
  const development = file.isTest || file.room.development === true;
  const kinds = development
    ? ['dependencies', 'peerDependencies', 'devDependencies', 'optionalDependencies']
    : file.room.peers === true && name.startsWith('@tf/')
      ? ['peerDependencies']
      : ['dependencies', 'peerDependencies', 'optionalDependencies'];
  const shared = development && world.sharedDevelopment.includes(name);
  if (shared || declaredIn(manifest, kinds).includes(name)) return undefined;
  return { says: `imports ${name}, which ${home}/package.json does not declare`, rule: `it belongs in ${kinds.join(' or ')}` };
};

const isPeerExtension = (world, file, name) => {
  if (file.room.peerExtensions !== true) return false;
  const home = packageFolderOf(world.root, file.path);
  const manifest = [...world.packages.values()].find(({ folder }) => folder === home)?.manifest;
  return world.packages.get(name)?.folder.startsWith('extensions/') === true && declaredIn(manifest, ['peerDependencies']).includes(name);
};

/** The rooms of another package that a room may know, checked name by name through that package's index. */
const judgeNames = (world, file, found, name) => {
  const rooms = file.isTest ? undefined : file.room.names?.[name];
  const index = rooms === undefined ? undefined : world.indexOf(name);
  if (index === undefined) return undefined;
  if (found.names === '*') return { says: `imports all of ${name}`, rule: `${file.room.rule}; name what is imported` };
  for (const imported of found.names) {
    const origin = world.roomOfExport(index, imported);
    if (origin !== undefined && !rooms.includes(origin))
      return { says: `imports ${imported} of ${origin} from ${name}`, rule: file.room.rule };
  }
  return undefined;
};

const judgePackage = (world, file, found) => {
  const name = packageNameOf(found.specifier);
  const own = world.packages.get(name)?.folder === packageFolderOf(world.root, file.path);
  const fill = (patterns) => patterns.map((pattern) => fillIn(pattern, file.captured));
  const { room } = file;
  const allowed = [...fill(room.packages), ...(file.isTest ? [...fill(room.tests), ...world.testPackages] : [])];
  const byType = fill(room.typePackages);
  const permitted =
    (own && (file.isTest || room.development === true)) || matchesPackage(allowed, name) || isPeerExtension(world, file, name);
  if (!permitted) {
    if (!matchesPackage(byType, name)) return { says: `imports ${found.specifier}`, rule: room.rule };
    if (!found.typeOnly) return { says: `imports ${found.specifier} as a value`, rule: `${room.rule}; write \`import type\`` };
  }
  return judgeDeclaration(world, file, name) ?? judgeNames(world, file, found, name);
};

export const judgeImport = (world, file, found) => {
  if (found.specifier === undefined)
    return { says: 'imports a computed path', rule: 'the path of an import is a plain string, so that it can be checked' };
  if (isAbsolute(found.specifier) || /^[a-z]+:\/\//i.test(found.specifier))
    return { says: `imports ${found.specifier}`, rule: 'imports are relative inside a package and by name outside' };
  return found.specifier.startsWith('.') ? judgeRelative(world, file, found) : judgePackage(world, file, found);
};

/** What a file may not contain, whatever it imports. */
export const judgeFile = (world, file) => {
  const faults = [];
  const { room, module } = file;
  if (module.lines > world.lines.error)
    faults.push({ line: module.lines, says: `has ${module.lines} lines`, rule: `a file has at most ${world.lines.error}` });
  if (file.isTest) return faults;
  if (room.reexportsOnly && module.firstOwnStatement !== undefined)
    faults.push({ line: module.firstOwnStatement, says: 'has a statement of its own', rule: room.rule });
  if (room.namesFamilies === false)
    for (const { text, line } of module.strings)
      if (world.familyName.test(text))
        faults.push({ line, says: `names the family ${text}`, rule: 'core and engines read traits, never a family id' });
  return faults;
};

/** Strongly connected files (Tarjan, without recursion): each group of two or more is an import cycle. */
export const findCycles = (edges) => {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const open = new Set();
  const cycles = [];
  const enter = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    open.add(node);
    return { node, next: [...(edges.get(node) ?? [])] };
  };
  const leave = (node) => {
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    for (const member of group) open.delete(member);
    if (group.length > 1 || edges.get(node)?.has(node)) cycles.push(group);
  };
  for (const start of edges.keys()) {
    if (index.has(start)) continue;
    const frames = [enter(start)];
    while (frames.length > 0) {
      const frame = frames.at(-1);
      const next = frame.next.pop();
      if (next === undefined) {
        frames.pop();
        leave(frame.node);
        const above = frames.at(-1);
        if (above !== undefined) low.set(above.node, Math.min(low.get(above.node), low.get(frame.node)));
      } else if (!index.has(next)) frames.push(enter(next));
      else if (open.has(next)) low.set(frame.node, Math.min(low.get(frame.node), index.get(next)));
    }
  }
  return cycles;
};

/** One walk around a strongly connected group, for the message. */
export const walkCycle = (edges, group) => {
  const members = new Set(group);
  const path = [[...group].sort()[0]];
  while (true) {
    const next = [...edges.get(path.at(-1))].filter((node) => members.has(node)).sort((a, b) => path.indexOf(b) - path.indexOf(a));
    const fresh = next.find((node) => !path.includes(node)) ?? next[0];
    if (path.includes(fresh)) return [...path.slice(path.indexOf(fresh)), fresh];
    path.push(fresh);
  }
};
