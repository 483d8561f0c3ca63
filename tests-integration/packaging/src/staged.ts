/** Releases of a copy of this workspace to a registry of this machine's own. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { required } from './program.ts';
import { Registry } from './registry.ts';
import { repository } from './workspace.ts';

export interface Raised {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

export class Staged {
  readonly registry: Registry;
  readonly #place: string;

  private constructor(registry: Registry, place: string) {
    this.registry = registry;
    this.#place = place;
  }

  /** Copies the workspace and starts the registry, which is empty. */
  static async create(): Promise<Staged> {
    const place = mkdtempSync(join(realpathSync(tmpdir()), 'tf-staged-'));
    const staged = new Staged(await Registry.start(), place);
    await staged.#run('copy', staged.#workspace);
    return staged;
  }

  get #workspace(): string {
    return join(this.#place, 'workspace');
  }

  /** What `changeset` would have asked for. */
  change(name: string, bump: 'patch' | 'minor' | 'major'): void {
    writeFileSync(join(this.#workspace, `.changeset/staged-${name.replace(/\W/g, '-')}.md`), `---\n'${name}': ${bump}\n---\n\nStaged.\n`);
  }

  /** Raises versions as the changesets say and publishes what is new. */
  async release(): Promise<{ readonly raised: readonly Raised[]; readonly published: readonly string[] }> {
    const raised = (await this.#run('raise', this.#workspace)) as readonly Raised[];
    const published = (await this.#run('publish', this.#workspace, this.registry.url, this.registry.userconfig)) as readonly string[];
    return { raised, published };
  }

  async #run(...args: readonly string[]): Promise<unknown> {
    const output = await required(process.execPath, [join(repository, 'scripts/release/stage.mjs'), ...args], { cwd: repository });
    return JSON.parse(output.trim().split('\n').at(-1)!) as unknown;
  }

  remove(): void {
    this.registry.stop();
    rmSync(this.#place, { recursive: true, force: true });
  }
}
