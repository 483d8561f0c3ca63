import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFolder } from './places.ts';

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: repositoryFolder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** What a checkout is compared with where nobody says: its last commit if files differ from it, else where it left `origin/main`, else the commit before. */
export function usualBase(): string {
  if (git('status', '--porcelain', '--untracked-files=no') !== '') return 'HEAD';
  try {
    const left = git('merge-base', 'HEAD', 'origin/main');
    if (left !== git('rev-parse', 'HEAD')) return left;
  } catch {
    // A clone without that branch.
  }
  return 'HEAD~1';
}

export interface Base {
  readonly commit: string;
  readonly folder: string;
}

/** A built checkout of another commit, kept for the next time: in `node_modules/.cache`, which git ignores. Throws where that cannot be had. */
export function checkOutBase(revision: string, onProgress: (text: string) => void): Base {
  const commit = git('rev-parse', '--verify', `${revision}^{commit}`);
  const folder = join(repositoryFolder, 'node_modules/.cache/bench-base', commit.slice(0, 12));
  if (!existsSync(join(folder, 'package.json'))) {
    onProgress(`checking out ${commit.slice(0, 7)}`);
    git('worktree', 'prune');
    git('worktree', 'add', '--detach', '--force', folder, commit);
  }
  onProgress(`building ${commit.slice(0, 7)}`);
  const built = "import('./scripts/bootstrap.mjs').then(({ bootstrap }) => bootstrap()).then((done) => process.exit(done ? 0 : 1))";
  const { status } = spawnSync(process.execPath, ['-e', built], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`building ${commit.slice(0, 7)} in ${folder} failed`);
  return { commit, folder };
}
