import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Application, type TypeDocOptions } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { importName, publishedPackages, repository } from '../site/repository.ts';

/** Writes the reference, from the docstrings of every public entry, as Markdown into a folder. */
export async function makeApi(out: string): Promise<void> {
  const entries = new Map(publishedPackages().flatMap((found) => found.entries.map(({ name, source }) => [join(repository, found.folder, source), importName(found.name, name)])));
  rmSync(out, { recursive: true, force: true });
  const options: Partial<TypeDocOptions> & Partial<PluginOptions> = {
    entryPoints: [...entries.keys()], tsconfig: join(repository, 'docs/tsconfig.api.json'), out, plugin: ['typedoc-plugin-markdown'], readme: 'none', name: 'API',
    skipErrorChecking: true, excludePrivate: true, excludeInternal: true, disableSources: true, logLevel: 'Error', githubPages: false,
    outputFileStrategy: 'members', membersWithOwnFile: ['Class', 'Function'], entryFileName: 'index', useHTMLAnchors: true, hidePageHeader: true, hideBreadcrumbs: true, hidePageTitle: false, useCodeBlocks: true, expandObjects: false, parametersFormat: 'table', propertiesFormat: 'table', interfacePropertiesFormat: 'table',
  };
  const app = await Application.bootstrapWithPlugins(options as Partial<TypeDocOptions>);
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc made nothing of the sources.');
  // TypeDoc names a module by its path; people by what they import.
  const names = new Map([...entries].map(([source, name]) => [relative(repository, source).replace(/(\/index)?\.ts$/, ''), name]));
  for (const module of project.children ?? []) {
    const name = names.get(module.name);
    if (name === undefined) throw new Error(`typedoc: ${module.name} is no public entry.`);
    module.name = name;
  }
  await app.generateOutputs(project);
}
