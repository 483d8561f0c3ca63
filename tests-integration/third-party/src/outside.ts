/** A folder outside the repository with packages as they are published: packed, then installed from their tarballs alone. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What is packed by default, by folder. */
const usual: readonly string[] = ['packages/core', 'packages/traced', 'packages/eager', 'packages/testkit', 'engines/cpu-wasm', 'examples/extension-template'];

export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** A program's end: its exit code and all that it wrote. */
export async function ended(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  try {
    const { stdout, stderr } = await run(program, [...args], { cwd, maxBuffer: 2 ** 26, env: environment() });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { readonly code?: unknown; readonly stdout?: string; readonly stderr?: string };
    return { code: typeof code === 'number' ? code : 1, output: `${stdout ?? ''}${stderr ?? ''}` };
  }
}

/** Without what the test runner and npm scripts leave to their children. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_|TEST)/.test(name)));
}

async function required(program: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, output } = await ended(program, args, cwd);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} in ${cwd} ended with ${code}:\n${output}`);
}

export class Outside {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Builds what changed, packs it and installs it. */
  static async create(packages: readonly string[] = usual): Promise<Outside> {
    await required(join(root, 'node_modules/.bin/turbo'), ['run', 'build', '--output-logs=errors-only', ...packages.map((folder) => `--filter=./${folder}`)], root);
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'tf-third-party-'));
    for (const from of packages) await required(join(root, 'node_modules/.bin/pnpm'), ['pack', '--pack-destination', folder], join(root, from));
    const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    if (tarballs.length !== packages.length) throw new Error(`packed ${packages.length} packages, got ${tarballs.join(', ')}`);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'outside', private: true, type: 'module' }));
    await required('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs.map((name) => `./${name}`)], folder);
    cpSync(join(root, 'tests-integration/third-party/outside'), folder, { recursive: true });
    return new Outside(folder);
  }

  node(...args: readonly string[]): Promise<Ended> {
    return ended(process.execPath, args, this.folder);
  }

  /** Compiles what the folder's tsconfig.json lists, with the repository's TypeScript. */
  types(): Promise<Ended> {
    return this.node(join(root, 'node_modules/typescript/bin/tsc'), '--project', 'tsconfig.json');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
