/** The public types of each entry as text that is reviewed: `api/ENTRY.api.md`, made by API Extractor from the declarations that are published. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompilerState, Extractor, ExtractorConfig, type ExtractorLogLevel } from '@microsoft/api-extractor';
import type { CleanFolder } from '../clean-folder.ts';
import { entriesOf, type PackedPackage, targetsOf } from '../packed.ts';
import type { Section } from '../section.ts';

export const reportFolder: string = fileURLToPath(new URL('../../api/', import.meta.url));

interface Entry {
  readonly name: string;
  readonly folder: string;
  readonly types: string;
}

function typedEntries(folder: CleanFolder, packages: readonly PackedPackage[]): readonly Entry[] {
  return packages.flatMap((packed) => {
    const at = join(folder.path, 'node_modules', packed.name);
    const types = new Map(targetsOf(packed.manifest).filter(({ conditions }) => conditions === 'import.types').map(({ subpath, path }) => [packed.name + subpath.slice(1), path]));
    return entriesOf(packed).map((name): Entry => ({ name, folder: at, types: join(at, types.get(name) ?? '') }));
  });
}

function fileOf(entry: string): string {
  return `${entry.replace(/^@tf\//, '').replace(/\//g, '.')}.api.md`;
}

const quiet = { default: { logLevel: 'none' as ExtractorLogLevel } };

function configOf({ name, folder, types }: Entry, into: string): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions: { target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'esnext.disposable', 'dom'], types: [], skipLibCheck: true } } },
      apiReport: { enabled: true, reportFileName: fileOf(name), reportFolder: into, reportTempFolder: join(into, 'temporary'), includeForgottenExports: true },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { compilerMessageReporting: quiet, extractorMessageReporting: quiet, tsdocMessageReporting: quiet },
    },
  });
}

/** Writes a report for each entry into a folder. */
function extract(entries: readonly Entry[], into: string): void {
  const configs = entries.map((entry) => configOf(entry, into));
  const compilerState = CompilerState.create(configs[0]!, { additionalEntryPoints: entries.slice(1).map(({ types }) => types) });
  for (const [at, config] of configs.entries()) {
    Extractor.invoke(config, { localBuild: true, compilerState, messageCallback: (message) => void (message.handled = true) });
    const file = join(into, fileOf(entries[at]!.name));
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^## API Report File for .*$/m, `## \`${entries[at]!.name}\``).replace(/^> Do not edit.*$/m, '> Made by `pnpm api` from the published declarations. Do not edit: read the diff.').replace(/^\/\/ \((undocumented|No @packageDocumentation.*)\)\n/gm, ''));
  }
}

function firstDifference(was: string, now: string): string {
  const [before, after] = [was.split('\n'), now.split('\n')];
  const at = after.findIndex((line, index) => line !== before[index]);
  return at === -1 ? `line ${after.length}: ${JSON.stringify(before[after.length])} is gone` : `line ${at + 1}: ${JSON.stringify(before[at] ?? '')} → ${JSON.stringify(after[at])}`;
}

/** Compares the reports with those that are kept in `kept`; with `write`, keeps them instead. */
export function checkApi(folder: CleanFolder, packages: readonly PackedPackage[], { write = false, kept = reportFolder }: { readonly write?: boolean; readonly kept?: string } = {}): Section {
  const entries = typedEntries(folder, packages);
  const into = mkdtempSync(join(realpathSync(tmpdir()), 'tf-api-'));
  mkdirSync(join(into, 'temporary'));
  if (write) mkdirSync(kept, { recursive: true });
  extract(entries, into);
  const files = entries.map(({ name }) => fileOf(name));
  const faults = files.flatMap((file) => {
    const now = readFileSync(join(into, file), 'utf8');
    const was = existsSync(join(kept, file)) ? readFileSync(join(kept, file), 'utf8') : '';
    if (write) writeFileSync(join(kept, file), now);
    return was === now ? [] : [`api/${file}: the public types changed, ${firstDifference(was, now)}. Run pnpm api, and read what it changes there.`];
  });
  const left = existsSync(kept) ? readdirSync(kept).filter((name) => name.endsWith('.api.md') && !files.includes(name)) : [];
  if (write) for (const name of left) rmSync(join(kept, name));
  rmSync(into, { recursive: true });
  return { name: 'public types', counted: { entries: entries.length }, faults: write ? faults : [...faults, ...left.map((name) => `api/${name} is of an entry that there is no more`)] };
}
