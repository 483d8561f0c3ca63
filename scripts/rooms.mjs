// Checks rooms.json: every code file lies in exactly one room and imports only what its room may.
//   node scripts/rooms.mjs [--root DIR]...
import { existsSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCycles, judgeFile, judgeImport, walkCycle } from './rooms/check.mjs';
import { codeFiles, compileRooms, roomsOf, subjectOf, workspacePackages } from './rooms/layout.mjs';
import { readModule } from './rooms/read.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));

const readConfig = (root) => {
  const own = join(root, 'rooms.json');
  return JSON.parse(readFileSync(existsSync(own) ? own : join(repository, 'rooms.json'), 'utf8'));
};

const rootManifest = (root) => {
  const path = join(root, 'package.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
};

/** Follows re-exports from a package's index to the room that defines a name. */
const exportFinder = (files) => {
  const find = (path, name, seen) => {
    const file = files.get(path);
    if (file === undefined || seen.has(path)) return undefined;
    seen.add(path);
    for (const { name: exported, from, original } of file.module.reexports) {
      if (exported !== name && exported !== '*') continue;
      if (!from?.startsWith('.')) continue;
      const target = posix.normalize(posix.join(posix.dirname(path), from));
      const origin = find(target, exported === '*' ? name : original, seen);
      if (origin !== undefined) return origin;
      if (exported === name) return files.get(target)?.room.name;
    }
    return file.module.declares.has(name) ? file.room.name : undefined;
  };
  return (path, name) => find(path, name, new Set());
};

const placeFiles = (root, config, rooms, paths, report) => {
  const files = new Map();
  for (const path of paths) {
    const { subject, isTest } = subjectOf(path, config.tests.suffixes);
    const claims = roomsOf(rooms, subject);
    if (claims.length === 1) files.set(path, { path, isTest, ...claims[0], module: readModule(join(root, path)) });
    else if (claims.length === 0)
      report(path, 1, 'no room', 'belongs to no room', isTest ? 'a test is named after the file it tests' : 'rooms.json lists every room');
    else report(path, 1, claims.map(({ room }) => room.name).join(' and '), 'belongs to more than one room', 'a file has one room');
  }
  return files;
};

const relativeEdges = (files) =>
  new Map(
    [...files.values()].map(({ path, module }) => [
      path,
      new Set(
        module.imports
          .filter(({ specifier }) => specifier?.startsWith('.'))
          .map(({ specifier }) => posix.normalize(posix.join(posix.dirname(path), specifier)))
          .filter((target) => files.has(target)),
      ),
    ]),
  );

const check = (root) => {
  const config = readConfig(root);
  const rooms = compileRooms(config);
  const paths = codeFiles(root, config.scope);
  const violations = [];
  const report = (path, line, room, says, rule) => violations.push({ path, line, text: `${path}:${line} [${room}] ${says}: ${rule}` });
  const files = placeFiles(root, config, rooms, paths, report);
  const packages = workspacePackages(root, paths);
  const world = {
    root,
    files,
    packages,
    lines: config.lines,
    familyName: new RegExp(config.familyName),
    testPackages: config.tests.packages,
    sharedDevelopment: Object.keys(rootManifest(root).devDependencies ?? {}),
    indexOf: (name) => packages.get(name) && `${packages.get(name).folder}/src/index.ts`,
    roomOfExport: exportFinder(files),
  };
  const place = (file) => (file.isTest ? `test of ${file.room.name}` : file.room.name);
  let imports = 0;
  for (const file of files.values()) {
    for (const { line, says, rule } of judgeFile(world, file)) report(file.path, line, place(file), says, rule);
    for (const found of file.module.imports) {
      imports += 1;
      const fault = judgeImport(world, file, found);
      if (fault !== undefined) report(file.path, found.line, place(file), fault.says, fault.rule);
    }
  }
  const edges = relativeEdges(files);
  for (const group of findCycles(edges)) {
    const walked = walkCycle(edges, group);
    report(walked[0], 1, place(files.get(walked[0])), `imports itself: ${walked.join(' → ')}`, 'imports have no cycles, of values or of types');
  }
  const long = [...files.values()].filter(({ module }) => module.lines > config.lines.warn && module.lines <= config.lines.error);
  return { violations, long, files: paths.length, rooms: new Set([...files.values()].map(({ room }) => room.name)).size, imports };
};

const rootsOf = (args) => {
  const roots = args.flatMap((arg, index) => (args[index - 1] === '--root' ? [resolve(arg)] : []));
  return roots.length === 0 ? [repository] : roots;
};

const inOrder = (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line);

/** Prints what was found under one root; true when nothing is wrong. */
const checkAndPrint = (root) => {
  const { violations, long, files, rooms, imports } = check(root);
  for (const { path, module } of long) console.log(`warning: ${path} has ${module.lines} lines; aim for fewer than 400`);
  for (const { text } of violations.sort(inOrder)) console.log(text);
  if (files === 0) console.log('no files: nothing was checked');
  console.log(`${files} files in ${rooms} rooms, ${imports} imports checked, ${violations.length} violations`);
  return violations.length === 0 && files > 0;
};

const roots = rootsOf(process.argv.slice(2));
for (const root of roots) {
  if (roots.length > 1) console.log(`== ${root}`);
  if (!checkAndPrint(root)) process.exitCode = 1;
}
