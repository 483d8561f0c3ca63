// An esbuild plugin for published packages: a call that a module makes while it is loaded has no side effect (the packages say so, and importing
// them is tested to change nothing), which a bundler can only know when the call itself says it. Else a bundle keeps every table of operations.
import { readFile } from 'node:fs/promises';
import ts from 'typescript';

/** What no bundler keeps anyhow. */
const isPlain = (node) => ts.isFunctionLike(node) || ts.isClassExpression(node) || ts.isLiteralExpression(node) || ts.isIdentifier(node);

/** Values that loading the module computes: a call, but also a spread or a property, each of which could run code. */
const valuesOf = (source) =>
  source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ name, initializer }) => (initializer === undefined || isPlain(initializer) || !ts.isIdentifier(name) ? [] : [initializer]));

/** A class's computed names, its base and its static fields could run code too. */
const isComputing = (node) =>
  ts.isClassDeclaration(node) && node.name !== undefined &&
  (node.heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword) === true ||
    node.members.some((member) => ts.isClassStaticBlockDeclaration(member) || (member.name !== undefined && ts.isComputedPropertyName(member.name)) || (ts.isPropertyDeclaration(member) && member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) === true)));

/** Without `export`, `abstract` and what else only declarations have. */
const classText = (node, source) => `class ${source.text.slice(node.name.getStart(source), node.end)}`;

const isExported = (node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

/** Each such value becomes one call that says so. */
export const markPureCalls = (path, text) => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const values = valuesOf(source).map((node) => ({ from: node.getStart(source), to: node.end, by: `/* @__PURE__ */ (() => (${node.getText(source)}))()` }));
  const classes = source.statements.filter(isComputing).map((node) => ({
    from: node.getStart(source), to: node.end, by: `${isExported(node) ? 'export ' : ''}const ${node.name.text} = /* @__PURE__ */ (() => (${classText(node, source)}))();`,
  }));
  return [...values, ...classes].sort((a, b) => b.from - a.from).reduce((marked, { from, to, by }) => marked.slice(0, from) + by + marked.slice(to), text);
};

export const pureCalls = {
  name: 'pure-calls',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({ contents: markPureCalls(path, await readFile(path, 'utf8')), loader: 'ts' }));
  },
};

/** A tsup plugin: the same for namespaces that are exported as one value, which esbuild fills by a statement. */
export const pureNamespaces = {
  name: 'pure-namespaces',
  renderChunk(code) {
    const filling = /^var __export = \(target, (\w+)\) => \{\n([^]*?)\n\};$/m;
    return { code: code.replace(filling, 'var __export = (target, $1) => {\n$2\n  return target;\n};').replace(/^var (\w+) = \{\};\n__export\(\1, \{/gm, 'var $1 = /* @__PURE__ */ __export({}, {') };
  },
};
