import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a new package is called, and the family of operations that it owns. */
export interface ExtensionNames {
  readonly package: string;
  readonly family: string;
  /** The folder, when none is named. */
  readonly folder: string;
}

export interface CreatedExtension extends ExtensionNames {
  /** Paths from the folder. */
  readonly files: readonly string[];
}

/** Beside the code as it is built, and there for the sources too. */
const template = new URL('../dist/template/', import.meta.url);
/** What a package cannot hold under its own name: npm leaves a .gitignore out, and a package.json would be taken for the package's. */
const renamed: Readonly<Record<string, string>> = { gitignore: '.gitignore', 'manifest.json': 'package.json' };
/** What the template is called. */
const templatePackage = '@acme/tf-logcosh';
const templateFamily = 'acme.logcosh.v1';

/**
 * The names that follow from a package's: `@me/tf-waves` owns the family `me.waves.v1`; without a scope, `tf-waves` owns `waves.waves.v1`.
 *
 * @throws Error for what npm does not take as a name.
 */
export function extensionNames(name: string): ExtensionNames {
  const found = /^(?:@([a-z0-9][\w.-]*)\/)?([a-z0-9][a-z0-9._-]*)$/.exec(name);
  if (found === null) throw new Error(`${JSON.stringify(name)} is no name of a package. Take one like @you/tf-waves.`);
  const [, scope, last = ''] = found;
  const own = idPart(last.replace(/^tf-/, ''));
  return { package: name, family: `${scope === undefined ? own : idPart(scope)}.${own}.v1`, folder: last };
}

/** Ids of families begin with a letter and have no other signs than - and _. */
function idPart(text: string): string {
  return text.replace(/[^\w-]/g, '-').replace(/^(?![a-z])/, 'x');
}

/**
 * Writes a new package into a folder, which may exist and must be empty.
 *
 * @throws Error for what is no name, and for a folder that holds something.
 */
export function createExtension(name: string, folder: string): CreatedExtension {
  const names = extensionNames(name);
  if (existsSync(folder) && readdirSync(folder).some((file) => file !== '.git')) throw new Error(`${resolve(folder)} is not empty. Name another folder.`);
  const from = fileURLToPath(template);
  const files = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(from.length));
  const written = files.map((file) => {
    const target = renamed[file] ?? file;
    const text = readFileSync(join(from, file), 'utf8').replaceAll(templatePackage, names.package).replaceAll(templateFamily, names.family);
    mkdirSync(dirname(join(folder, target)), { recursive: true });
    writeFileSync(join(folder, target), text);
    return target;
  });
  return { ...names, files: written.sort() };
}
