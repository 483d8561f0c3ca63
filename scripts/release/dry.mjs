// pnpm release:dry: what a release of what is committed and what is not would publish, in a copy outside the repository. Nothing is published.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap } from '../bootstrap.mjs';
import { packRelease } from './pack.mjs';
import { raiseVersions } from './version.mjs';
import { copyWorkspace } from './workspace.mjs';

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

/** What npm would send. */
const dryRun = (tarball) => {
  const { status, stdout, stderr } = spawnSync('npm', ['publish', tarball, '--dry-run', '--json', '--access=public', '--ignore-scripts'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm publish --dry-run ${tarball} ended with ${status}:\n${stderr}`);
  const said = JSON.parse(stdout);
  return said.entryCount === undefined ? Object.values(said)[0] : said;
};

export const dryRelease = () => {
  const place = mkdtempSync(join(tmpdir(), 'tf-release-'));
  const workspace = join(place, 'workspace');
  try {
    copyWorkspace(workspace);
    const { raised, rewritten } = raiseVersions(workspace);
    const tarballs = packRelease(workspace, join(place, 'tarballs'), { folders: raised.map(({ folder }) => folder), rewritten });
    return tarballs.map(({ name, version, tarball }) => ({ name, version, from: raised.find((one) => one.name === name).from, bytes: statSync(tarball).size, files: dryRun(tarball).entryCount }));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
};

if (await bootstrap()) {
  const rows = dryRelease();
  for (const { name, from, version, bytes, files } of rows) console.log(`${name.padEnd(36)} ${from} → ${version.padEnd(8)} ${String(files).padStart(3)} files ${kilobytes(bytes).padStart(10)}`);
  console.log(`${rows.length} packages would be published; nothing was.`);
} else process.exitCode = 1;
