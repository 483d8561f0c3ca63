import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository: string = fileURLToPath(new URL('../../../', import.meta.url));

export type Tree = Readonly<Record<string, string>>;

const manifest = (name: string, peers: readonly string[] = []): string =>
  JSON.stringify({ name, peerDependencies: Object.fromEntries(peers.map((peer) => [peer, '*'])) });

const core = 'packages/core/src';

/** A small workspace with one file in every room, which breaks no rule. */
export const soundTree: Tree = {
  'packages/core/package.json': manifest('@tf/core'),
  [`${core}/index.ts`]: [
    `export type { Contract } from './contract.ts';`,
    `export { error } from './errors.ts';`,
    `export { plan } from './compile/plan.ts';`,
    `export { exp } from './primitives/exp.ts';`,
    `export { vjp } from './transform/vjp.ts';`,
  ].join('\n'),
  [`${core}/contract.ts`]: `import type { Shape } from './types/shape.ts';\nexport type Contract = Shape;\n`,
  [`${core}/errors.ts`]: `export const error = 'TF';\n`,
  [`${core}/types/shape.ts`]: `export type Shape = readonly number[];\n`,
  [`${core}/loop/kernel.ts`]: `export const kernel = 1;\n`,
  [`${core}/program/builder.ts`]: `export const builder = 1;\n`,
  [`${core}/catalog.ts`]: `export const catalog = 1;\n`,
  [`${core}/primitives/exp.ts`]: `export const exp = 1;\n`,
  [`${core}/compositions/softmax.ts`]: `import { exp } from '../primitives/exp.ts';\nexport const softmax = exp;\n`,
  [`${core}/tensor/create.ts`]: `export const create = 1;\n`,
  [`${core}/transform/vjp.ts`]: `export const vjp = 1;\n`,
  [`${core}/compile/plan.ts`]: `export const plan = 1;\n`,
  'packages/traced/package.json': manifest('@tf/traced', ['@tf/core']),
  'packages/traced/src/index.ts': `export const traced = 1;\n`,
  'packages/eager/package.json': manifest('@tf/eager', ['@tf/core']),
  'packages/eager/src/index.ts': `export const eager = 1;\n`,
  'packages/testkit/package.json': manifest('@tf/testkit', ['@tf/core']),
  'packages/testkit/src/index.ts': `export const testkit = 1;\n`,
  'packages/optim/package.json': manifest('@tf/optim', ['@tf/core', '@tf/traced']),
  'packages/optim/src/index.ts': `export const optim = 1;\n`,
  'extensions/fft/package.json': manifest('@tf/fft', ['@tf/core', '@tf/engine-cpu-wasm']),
  'extensions/fft/src/index.ts': `export const fft = 1;\n`,
  'extensions/fft/src/modules/cpu-wasm.ts': `export const onWasm = 1;\n`,
  'extensions/fft/src/modules/cuda-native.ts': `export const onCuda = 1;\n`,
  'extensions/fft/cases.ts': `export const cases = 1;\n`,
  'extensions/einsum/package.json': manifest('@tf/einsum', ['@tf/core']),
  'extensions/einsum/src/index.ts': `export const einsum = 1;\n`,
  'engines/cpu-wasm/package.json': manifest('@tf/engine-cpu-wasm', ['@tf/core']),
  'engines/cpu-wasm/src/index.ts': `export const engine = 1;\n`,
  'engines/cuda-native/package.json': manifest('@tf/engine-cuda-native', ['@tf/core']),
  'engines/cuda-native/src/index.ts': `export const engine = 1;\n`,
  'tests-integration/agreement/package.json': manifest('@tf/test-agreement', ['@tf/core', '@tf/traced']),
  'tests-integration/agreement/src/index.ts': `import '@tf/traced';\n`,
};

const write = (root: string, tree: Tree): void => {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
};

/** A temporary folder that is removed when its scope ends. */
export class TemporaryFolder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'tf-rooms-'));

  add(tree: Tree): this {
    write(this.path, tree);
    return this;
  }

  copy(...paths: readonly string[]): this {
    const left = new Set(['node_modules', 'dist', '.cache', '.turbo']);
    for (const path of paths)
      cpSync(join(repository, path), join(this.path, path), { recursive: true, filter: (from) => !left.has(basename(from)) });
    return this;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** Runs Node without blocking, so that several checks share the cores. */
export const runNode = (...args: readonly string[]): Promise<Outcome> =>
  new Promise((settle, fail) => {
    const child = spawn(process.execPath, args, { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] });
    const parts: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => void parts.push(part));
    child.on('error', fail);
    child.on('close', (code) => settle({ code, output: parts.join('') }));
  });

/** `pnpm rooms` once over many workspaces: the sound one with each of these changes. Answers with what each printed. */
export const checkRooms = async (changes: readonly Tree[]): Promise<readonly string[]> => {
  using folder = new TemporaryFolder();
  const roots = changes.map((change, index) => {
    write(join(folder.path, `${index}`), { ...soundTree, ...change });
    return join(folder.path, `${index}`);
  });
  const { output } = await runNode('scripts/rooms.mjs', ...roots.flatMap((root) => ['--root', root]));
  return output.split(/^== .*\n/m).slice(1);
};
