// node scripts/release/publish.mjs [--registry URL]: publishes each package whose version the registry does not have. In CI with provenance
// (NPM_CONFIG_PROVENANCE=true), for which each manifest names the repository that CI runs for.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packRelease } from './pack.mjs';
import { published, root } from './workspace.mjs';

const npm = (args) => spawnSync('npm', args, { encoding: 'utf8' });

const has = (name, version, registry) => {
  const { status, stdout } = npm(['view', `${name}@${version}`, 'version', ...registry]);
  return status === 0 && stdout.trim() === version;
};

/** Provenance is refused where `repository` is not where CI runs: `GITHUB_REPOSITORY` says which that is. */
const nameRepository = (workspace) => {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  if (server === undefined || repository === undefined) return;
  for (const { folder } of published(workspace)) {
    const file = join(workspace, folder, 'package.json');
    const manifest = { ...JSON.parse(readFileSync(file, 'utf8')), repository: { type: 'git', url: `git+${server}/${repository}.git`, directory: folder } };
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  }
};

/** Publishes what is new of `workspace`; gives `name@version` of each. */
export const publishNew = (workspace, registryUrl, userconfig) => {
  const registry = [...(registryUrl === undefined ? [] : [`--registry=${registryUrl}`]), ...(userconfig === undefined ? [] : [`--userconfig=${userconfig}`])];
  const fresh = published(workspace).filter(({ name, version }) => version !== '0.0.0' && !has(name, version, registry));
  if (fresh.length === 0) return [];
  const place = mkdtempSync(join(tmpdir(), 'tf-publish-'));
  try {
    return packRelease(workspace, place, { folders: fresh.map(({ folder }) => folder) }).map(({ name, version, tarball }) => {
      const { status, stdout, stderr } = npm(['publish', tarball, '--access=public', '--ignore-scripts', ...registry]);
      if (status !== 0) throw new Error(`npm publish ${name}@${version} ended with ${status}:\n${stdout}${stderr}`);
      return `${name}@${version}`;
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--registry');
  nameRepository(root);
  const names = publishNew(root, at === -1 ? undefined : process.argv[at + 1]);
  for (const name of names) console.log(`published ${name}`);
  console.log(`${names.length} packages published`);
}
