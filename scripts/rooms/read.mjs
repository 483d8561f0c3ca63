// Reads one file: its imports (static, type, dynamic, re-exported), its line count and the exported names it defines.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** @typedef {{ specifier: string | undefined, line: number, typeOnly: boolean, names: string[] | '*' }} Import */

const unquote = (node) => (node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined);

const namesOfClause = (clause) => {
  if (clause === undefined) return [];
  const bindings = clause.namedBindings;
  if (bindings !== undefined && ts.isNamespaceImport(bindings)) return '*';
  const named = bindings === undefined ? [] : bindings.elements.map((element) => (element.propertyName ?? element.name).text);
  return clause.name === undefined ? named : ['default', ...named];
};

const namesOfExport = (clause) =>
  clause === undefined || ts.isNamespaceExport(clause)
    ? '*'
    : clause.elements.map((element) => (element.propertyName ?? element.name).text);

/** What a node imports, or undefined when it imports nothing. */
const importOf = (node) => {
  if (ts.isImportDeclaration(node))
    return {
      specifier: unquote(node.moduleSpecifier),
      typeOnly: node.importClause?.isTypeOnly ?? false,
      names: namesOfClause(node.importClause),
    };
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
    return { specifier: unquote(node.moduleSpecifier), typeOnly: node.isTypeOnly, names: namesOfExport(node.exportClause) };
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
    return { specifier: unquote(node.moduleReference.expression), typeOnly: node.isTypeOnly, names: '*' };
  if (ts.isImportTypeNode(node)) {
    const first = node.qualifier === undefined ? undefined : node.qualifier.getText().split('.')[0];
    return { specifier: unquote(node.argument.literal), typeOnly: true, names: first === undefined ? '*' : [first] };
  }
  if (ts.isCallExpression(node)) {
    const dynamic = node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const required = ts.isIdentifier(node.expression) && node.expression.text === 'require';
    if (dynamic || required) return { specifier: unquote(node.arguments[0]), typeOnly: false, names: '*' };
  }
  return undefined;
};

const visit = (root, see) => {
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    see(node);
    ts.forEachChild(node, (child) => void pending.push(child));
  }
};

const isReexport = (statement) =>
  (ts.isExportDeclaration(statement) && (statement.moduleSpecifier !== undefined || statement.exportClause?.elements?.length === 0)) ||
  ts.isEmptyStatement(statement);

/** Names re-exported from elsewhere: [exported name or '*', specifier, original name]. */
const reexportsOf = (source) =>
  source.statements.filter((s) => ts.isExportDeclaration(s) && s.moduleSpecifier !== undefined).flatMap((statement) => {
    const specifier = unquote(statement.moduleSpecifier);
    const clause = statement.exportClause;
    if (clause === undefined || ts.isNamespaceExport(clause)) return [{ name: '*', from: specifier, original: '*' }];
    return clause.elements.map((e) => ({ name: e.name.text, from: specifier, original: (e.propertyName ?? e.name).text }));
  });

/** Names that a file exports by declaring them itself. */
const declarationsOf = (source) =>
  new Set(
    source.statements.flatMap((statement) => {
      if (ts.isExportDeclaration(statement) && statement.moduleSpecifier === undefined)
        return statement.exportClause.elements.map((element) => element.name.text);
      if (!ts.canHaveModifiers(statement) || !ts.getModifiers(statement)?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword)) return [];
      if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map((d) => d.name.getText());
      return statement.name === undefined ? [] : [statement.name.text];
    }),
  );

export const readModule = (path) => {
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const imports = source.referencedFiles.map((file) => ({
    specifier: file.fileName.startsWith('.') ? file.fileName : `./${file.fileName}`,
    typeOnly: true,
    names: '*',
    line: lineOf(file.pos),
  }));
  const strings = [];
  visit(source, (node) => {
    const found = importOf(node);
    if (found !== undefined) imports.push({ ...found, line: lineOf(node.getStart()) });
    else if (ts.isStringLiteralLike(node)) strings.push({ text: node.text, line: lineOf(node.getStart()) });
  });
  const foreign = source.statements.find((statement) => !isReexport(statement));
  return {
    imports: imports.sort((a, b) => a.line - b.line),
    strings,
    lines: text.length === 0 ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    reexports: reexportsOf(source),
    declares: declarationsOf(source),
    firstOwnStatement: foreign === undefined ? undefined : lineOf(foreign.getStart()),
  };
};
