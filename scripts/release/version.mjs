// node scripts/release/version.mjs [WORKSPACE]: `changeset version`, and the versions that code says of itself after it.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { published, root } from './workspace.mjs';

const versionLine = /^(export const \w*Version: string = ')([^']*)(';)$/m;

/** Writes the version of each package into its `version.ts`; gives the folders whose code changed. */
export const writeVersions = (workspace) =>
  published(workspace).filter(({ folder, version }) => {
    let changed = false;
    const sources = readdirSync(join(workspace, folder), { recursive: true }).filter((file) => /^src[/\\](.*[/\\])?version\.ts$/.test(file));
    for (const file of sources) {
      const path = join(workspace, folder, file);
      const text = readFileSync(path, 'utf8');
      const raised = text.replace(versionLine, `$1${version}$3`);
      if (raised !== text) writeFileSync(path, raised);
      changed ||= raised !== text;
    }
    return changed;
  }).map(({ folder }) => folder);

/** Raises versions as the changesets say; gives name → [before, after] of those that changed. */
export const raiseVersions = (workspace) => {
  const before = new Map(published(workspace).map(({ name, version }) => [name, version]));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules/@changesets/cli/bin.js'), 'version'], { cwd: workspace, encoding: 'utf8' });
  if (status !== 0) throw new Error(`changeset version ended with ${status}:\n${stdout}${stderr}`);
  const rewritten = writeVersions(workspace);
  const raised = published(workspace).filter(({ name, version }) => before.get(name) !== version).map(({ name, folder, version }) => ({ name, folder, from: before.get(name), to: version }));
  return { raised, rewritten };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { raised } = raiseVersions(resolve(process.argv[2] ?? root));
  for (const { name, from, to } of raised) console.log(`${name} ${from} → ${to}`);
  console.log(`${raised.length} packages raised`);
}
