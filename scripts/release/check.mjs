// pnpm release:check [--since REF]: a change to a published package carries a changeset, and a change of the contract raises its version. Without
// --since it compares with each package's last release (its tag); a package that was never released is covered by .changeset/first-release.md.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { git, published, root } from './workspace.mjs';

/** What is not published changes nothing for users. */
const isPublished = (file) => !/(\.test|\.test-d|\.testing|\.bench)\.ts$|\/(bench|\.cache)\/|\/tsconfig[^/]*\.json$|CHANGELOG\.md$/.test(file);

const contractFiles = ['packages/core/src/contract.ts', 'packages/core/src/contract/'];
const versionFile = 'packages/core/src/types/version.ts';

/** The packages that a changeset names. */
const namedIn = (text) => [...(text.split(/^---$/m)[1] ?? '').matchAll(/^['"]?([^'":\n]+)['"]?: (?:major|minor|patch)$/gm)].map(([, name]) => name);

const has = (workspace, ref) => {
  try {
    git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], workspace);
    return true;
  } catch {
    return false;
  }
};

/** Files that differ from `ref`, committed or not. */
const changedSince = (workspace, ref) => [...git(['diff', '--name-only', ref, '--'], workspace).split('\n'), ...git(['ls-files', '--others', '--exclude-standard'], workspace).split('\n')].filter(Boolean);

const pendingChangesets = (workspace) => readdirSync(join(workspace, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md').map((name) => `.changeset/${name}`);

/** Without comments and space: what it declares. */
const declared = (text) => text.replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '').replace(/\s+/g, ' ');

const textAt = (workspace, ref, file) => {
  try {
    return git(['show', `${ref}:${file}`], workspace);
  } catch {
    return '';
  }
};

const contractOf = (text) => Number(/contractVersion = (\d+)/.exec(text)?.[1]);

/** A declaration that is gone or reads otherwise; what was added beside it is growth. */
const contractFaults = (workspace, ref, files) => {
  const read = (file) => (existsSync(join(workspace, file)) ? readFileSync(join(workspace, file), 'utf8') : '');
  if (contractOf(read(versionFile)) > contractOf(textAt(workspace, ref, versionFile))) return [];
  return files.filter((file) => contractFiles.some((path) => file.startsWith(path)) && /\.ts$/.test(file) && isPublished(file)).flatMap((file) => {
    const now = new Set(declared(read(file)).split(/[;{}]/).map((part) => part.trim()));
    const gone = declared(textAt(workspace, ref, file)).split(/[;{}]/).map((part) => part.trim()).filter((part) => part !== '' && !now.has(part));
    return gone.length === 0 ? [] : [`${file}: the contract said "${gone[0].slice(0, 100)}" at ${ref} and does not any more. Raise contractVersion in ${versionFile}, or keep what it said.`];
  });
};

/** What is wrong with the changes since the branch `branch` was left, or since the releases. */
export const checkChanges = (workspace, branch) => {
  const since = branch === undefined ? undefined : git(['merge-base', branch, 'HEAD'], workspace).trim();
  const packages = published(workspace);
  const faults = [];
  let changed = 0;
  for (const { folder, name, version } of packages) {
    const ref = since ?? `${name}@${version}`;
    if (since === undefined && !has(workspace, ref)) continue;
    const files = changedSince(workspace, ref);
    const own = files.filter((file) => file.startsWith(`${folder}/`) && isPublished(file));
    if (own.length === 0) continue;
    changed += 1;
    // Against a branch, a changeset of its own; against a release, any that is pending.
    const changesets = pendingChangesets(workspace).filter((file) => since === undefined || files.includes(file));
    const isNamed = changesets.some((file) => { const named = namedIn(readFileSync(join(workspace, file), 'utf8')); return named.includes(name) || (since !== undefined && named.length === 0); });
    if (!isNamed) faults.push(`${name} changed since ${ref} (${own[0]}${own.length > 1 ? ` and ${own.length - 1} more` : ''}) and no changeset names it. Run pnpm changeset; an empty one (pnpm changeset --empty) says that users need not know.`);
  }
  const core = packages.find(({ name }) => name === '@tf/core');
  const ref = since ?? (core && `${core.name}@${core.version}`);
  if (ref !== undefined && has(workspace, ref)) faults.push(...contractFaults(workspace, ref, changedSince(workspace, ref)));
  return { packages: packages.length, changed, faults };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--since');
  const { packages, changed, faults } = checkChanges(root, at === -1 ? undefined : process.argv[at + 1]);
  for (const fault of faults) console.log(`✗ ${fault}`);
  console.log(`${packages} packages, ${changed} changed, ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
