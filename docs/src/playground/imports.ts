import { nearestNames } from '@tf/core';
import { parser } from '@lezer/javascript';
import { eraseTypes, type SourcePlace } from './source.ts';

/** Something that a program takes from a module. */
interface Import extends SourcePlace {
  readonly module: string;
  /** What it has in the module; absent where the whole module is meant. */
  readonly name?: string;
  /** What the whole module is called in the program. */
  readonly namespace?: string;
}

/** An import that leads nowhere, with what to write instead. */
export class ImportFault extends Error {
  override readonly name = 'ImportError';
  readonly place: SourcePlace | undefined;

  constructor(message: string, place?: SourcePlace) {
    super(message);
    this.place = place;
  }
}

export type Modules = Readonly<Record<string, object>>;

/** What the static imports of a program take as values: types are no part of a module that runs. Nothing where it cannot be parsed. */
export function importsOf(code: string): readonly Import[] {
  const text = eraseTypes(code);
  const found: Import[] = [];
  const root = parser.parse(text).topNode;
  for (const node of [...root.getChildren('ImportDeclaration'), ...root.getChildren('ExportDeclaration')]) {
    const source = node.getChild('String');
    if (source === null) continue;
    const of = ({ from, to }: { readonly from: number; readonly to: number }): string => text.slice(from, to);
    const module = of(source).slice(1, -1);
    const before = found.length;
    const clause = of({ from: node.from, to: source.from });
    const namespace = /\*\s*as\s+([\w$]+)/.exec(clause)?.[1];
    // `import name from`: the default of the module.
    const direct = node.name === 'ImportDeclaration' ? node.getChild('VariableDefinition') : null;
    if (direct !== null && !clause.slice(0, direct.from - node.from).includes('*')) found.push({ module, name: 'default', ...placeIn(text, direct.from) });
    const group = node.getChild('ImportGroup') ?? node.getChild('ExportGroup');
    for (let item = group?.firstChild ?? null, isLocal = false; item !== null; item = item.nextSibling) {
      if (/^(?:VariableName|VariableDefinition|String|default)$/.test(item.name) && !isLocal) found.push({ module, name: of(item).replaceAll(/^['"]|['"]$/g, ''), ...placeIn(text, item.from) });
      // After `as` stands the name that the program gives.
      isLocal = item.name === 'as';
    }
    if (found.length === before || namespace !== undefined) found.push({ module, ...(namespace === undefined ? {} : { namespace }), ...placeIn(text, source.from) });
  }
  return found;
}

function placeIn(text: string, at: number): SourcePlace {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

/** Refuses the first import that leads nowhere, as a browser does before a module runs. */
export function checkImports(code: string, modules: Modules): void {
  for (const { module, name, line, column } of importsOf(code)) {
    const found = moduleOf(module, modules, { line, column });
    if (name !== undefined && !Object.hasOwn(found, name)) throw new ImportFault(missingName(module, name, modules), { line, column });
  }
}

/** A module by its name. */
export function moduleOf(name: string, modules: Modules, place?: SourcePlace): object {
  const found = Object.hasOwn(modules, name) ? modules[name] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(modules);
  if (/^[a-z][a-z0-9+.-]*:/i.test(name)) throw new ImportFault(`The playground imports nothing from addresses such as '${name}'; fetch gets data from those that allow it. There are: ${known.join(', ')}.`, place);
  if (/^[./]/.test(name)) throw new ImportFault(`A program of the playground is one file: there is no '${name}' beside it. Write what it needs into the program.`, place);
  const near = nearestNames(name, known);
  throw new ImportFault(`The playground has no package '${name}'. ${near.length > 0 && near.length < 4 ? `Did you mean ${orList(near)}? ` : ''}There are: ${known.join(', ')}.`, place);
}

/** That a module has no such name: where it is, or which is like it. */
export function missingName(module: string, name: string, modules: Modules): string {
  const said = `'${module}' has no export '${name}'.`;
  const names = exportsOf(module, modules);
  if (name === 'default') return `${said} Write import * as name from '${module}', or name what you need: import { ${names[0] ?? 'x'} } from '${module}'.`;
  const elsewhere = Object.keys(modules).filter((other) => exportsOf(other, modules).includes(name));
  if (elsewhere.length > 0) return `${said} It is in ${orList(elsewhere)}.`;
  const near = nearestNames(name, names);
  if (near.length > 0 && near.length < 6) return `${said} Did you mean ${orList(near)}?`;
  const others = Object.keys(modules).flatMap((other) => nearestNames(name, exportsOf(other, modules)).map((like) => `'${like}' of '${other}'`));
  if (others.length > 0 && others.length < 4) return `${said} Did you mean ${others.join(' or ')}?`;
  return `${said} ${names.length > 12 ? `Its page in the reference lists its ${names.length} exports.` : `It has ${names.join(', ')}.`}`;
}

/** What a mistake that the browser found can be mended with; undefined where that is not known. */
export function remedyOf({ name, message }: Error, code: string, modules: Modules): string | undefined {
  if (name === 'ReferenceError') {
    const [, missing] = /^(?:Can't find variable: )?([\w$]+)(?: is not defined)?$/.exec(message) ?? [];
    if (missing === undefined) return undefined;
    const homes = Object.keys(modules).filter((module) => exportsOf(module, modules).includes(missing));
    return homes.length === 0 ? undefined : `Import it: ${homes.map((module) => `import { ${missing} } from '${module}'`).join(' or ')}.`;
  }
  const [, object, member] = /([\w$]+)\.([\w$]+) is not a (?:function|constructor)/.exec(message) ?? [];
  if (name !== 'TypeError' || object === undefined || member === undefined) return undefined;
  const whole = importsOf(code).find(({ namespace }) => namespace === object);
  return whole === undefined || Object.hasOwn(moduleOf(whole.module, modules), member) ? undefined : missingName(whole.module, member, modules);
}

function exportsOf(module: string, modules: Modules): readonly string[] {
  return Object.keys(modules[module] ?? {});
}

function orList(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(' or ');
}
