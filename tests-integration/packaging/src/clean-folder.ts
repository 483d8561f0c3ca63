/** A folder outside the repository where packages are installed as a user installs them. */
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PackedPackage } from './packed.ts';
import { type Ended, ended, required } from './program.ts';
import { repository } from './workspace.ts';

const apps = fileURLToPath(new URL('../apps/', import.meta.url));

export class CleanFolder {
  readonly path: string;

  /** Empty but for the files of `apps/NAME` and a manifest. */
  constructor(app?: string, manifest: Readonly<Record<string, unknown>> = {}) {
    this.path = mkdtempSync(join(realpathSync(tmpdir()), 'tf-clean-'));
    if (app !== undefined) cpSync(join(apps, app), this.path, { recursive: true });
    writeFileSync(join(this.path, 'package.json'), JSON.stringify({ name: 'outside', private: true, type: 'module', ...manifest }));
  }

  /** Installs tarballs alone, without any registry. */
  async installPacked(packages: readonly PackedPackage[]): Promise<void> {
    await required('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packages.map(({ tarball }) => tarball)], { cwd: this.path });
  }

  /** `npm ARGUMENTS` with a registry that knows nothing but what was published to it. */
  npm(registry: string, ...args: readonly string[]): Promise<string> {
    return required('npm', [...args, `--registry=${registry}`, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], { cwd: this.path });
  }

  node(...args: readonly string[]): Promise<Ended> {
    return ended(process.execPath, args, { cwd: this.path });
  }

  /** Compiles what the folder's tsconfig.json lists, with the repository's TypeScript. */
  types(project = 'tsconfig.json'): Promise<Ended> {
    return this.node(join(repository, 'node_modules/typescript/bin/tsc'), '--project', project);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
