// Finds the code that the documentation shows: ts fences of the READMEs and docs/, and TSDoc examples of shipped sources.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const left = new Set(['node_modules', 'dist', '.cache', '.turbo']);

const walk = (folder) =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        if (left.has(entry.name)) return [];
        return entry.isDirectory() ? walk(join(folder, entry.name)) : [join(folder, entry.name)];
      });

const fencePattern = /^([ \t]*)```(?:ts|typescript)\b[^\n]*\n([\s\S]*?)^[ \t]*```[ \t]*$/gm;

const lineAt = (text, index) => text.slice(0, index).split('\n').length;

/** Every ts fence of a text: its code, and the line of its first line of code. */
const fencesOf = (text) =>
  [...text.matchAll(fencePattern)].map(({ index, 1: indent, 2: code }) => ({
    code: code.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join('\n'),
    line: lineAt(text, index) + 1,
  }));

/** The text of a doc comment, line for line, without its stars. */
const undecorated = (comment) => comment.replace(/^[ \t]*\/\*\*[ \t]?|[ \t]*\*\/$/g, '').split('\n').map((line) => line.replace(/^[ \t]*\* ?/, ''));

/** An example without a fence is code from the line below its tag to the next tag. */
const bareExamplesOf = (lines) =>
  lines.flatMap((line, start) => {
    if (!/^@example\b/.test(line)) return [];
    const length = lines.slice(start + 1).findIndex((later) => /^@[a-z]/i.test(later));
    const body = lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
    return body.some((text) => /^\s*```/.test(text)) ? [] : [{ code: body.join('\n'), line: start + 2 }];
  });

const examplesOf = (text) =>
  [...text.matchAll(/^[ \t]*\/\*\*[\s\S]*?\*\//gm)].flatMap(({ 0: comment, index }) => {
    const lines = undecorated(comment);
    const first = lineAt(text, index);
    return [...fencesOf(lines.join('\n')), ...bareExamplesOf(lines)].map(({ code, line }) => ({ code, line: first + line - 1 }));
  });

const read = (root, path, blocksOf) =>
  blocksOf(readFileSync(path, 'utf8').replaceAll('\r\n', '\n')).map((block) => ({ ...block, path: relative(root, path).replaceAll('\\', '/') }));

const isShipped = (path) => path.endsWith('.ts') && !/\.(test|test-d|bench)\.ts$/.test(path);

export const collectBlocks = (root) => {
  const packages = ['packages', 'engines', 'extensions'].flatMap((room) => (existsSync(join(root, room)) ? readdirSync(join(root, room)).map((name) => join(root, room, name)) : []));
  const examples = existsSync(join(root, 'examples')) ? readdirSync(join(root, 'examples')).map((name) => join(root, 'examples', name)) : [];
  const readmes = [root, ...packages, ...examples].map((folder) => join(folder, 'README.md'));
  // What docs/api shows is in the sources, where it is executed.
  const pages = walk(join(root, 'docs')).filter((path) => !relative(root, path).replaceAll('\\', '/').startsWith('docs/api/'));
  const markdown = [...readmes, ...pages].filter((path) => path.endsWith('.md') && existsSync(path));
  const sources = packages
    .flatMap((folder) => walk(join(folder, 'src')))
    .filter(isShipped);
  return [...markdown.flatMap((path) => read(root, path, fencesOf)), ...sources.flatMap((path) => read(root, path, examplesOf))];
};
