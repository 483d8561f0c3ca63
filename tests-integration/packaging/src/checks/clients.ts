/** The same apps installed by other package managers: pnpm links strictly, yarn lays out flat; both choose platform packages by themselves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CleanFolder } from '../clean-folder.ts';
import { required } from '../program.ts';
import type { Section } from '../section.ts';
import type { Staged } from '../staged.ts';
import { nodes, tool } from '../tools.ts';
import { repository } from '../workspace.ts';
import { Findings, jsonOf } from './findings.ts';

interface Client {
  readonly name: string;
  /** What node runs. */
  readonly program: string;
  readonly arguments: readonly string[];
}

const clients: readonly Client[] = [
  { name: 'pnpm', program: join(repository, 'node_modules/pnpm/bin/pnpm.cjs'), arguments: ['add', '--ignore-workspace', '--ignore-scripts', '--reporter=silent'] },
  { name: 'yarn', program: tool('yarn/bin/yarn.js'), arguments: ['add', '--ignore-scripts', '--silent', '--non-interactive'] },
];

const node = nodes[0]!;
const slope = [[-0.25, -0.125], [-0.125, -0.0625]];

async function installed(client: Client, registry: string, app: string, names: readonly string[]): Promise<CleanFolder> {
  const folder = new CleanFolder(app);
  // Stores and caches of the machine would hide what the registry has.
  const own = { HOME: folder.path, XDG_CACHE_HOME: join(folder.path, '.cache'), XDG_DATA_HOME: join(folder.path, '.data'), YARN_CACHE_FOLDER: join(folder.path, '.yarn') };
  await required(process.execPath, [client.program, ...client.arguments, `--registry=${registry}`, ...names], { cwd: folder.path, environment: own });
  return folder;
}

export async function checkOtherClients(staged: Staged): Promise<Section> {
  const found = new Findings();
  for (const client of clients) {
    const small = await installed(client, staged.registry.url, 'traced', ['@tf/core', '@tf/engine-cpu-wasm', '@tf/traced']);
    found.expect(`a first gradient, by ${client.name}`, await jsonOf(small, node, 'app.mjs'), [2, 4, 6]);
    found.expect(`what ${client.name} was asked for`, Object.keys((JSON.parse(readFileSync(join(small.path, 'package.json'), 'utf8')) as { readonly dependencies: object }).dependencies).sort(), ['@tf/core', '@tf/engine-cpu-wasm', '@tf/traced']);
    small.remove();
    const native = await installed(client, staged.registry.url, 'native-eager', ['@tf/core', '@tf/eager', '@tf/linalg', '@tf/engine-cpu-blas-native']);
    const said = (await jsonOf(native, node, 'app.mjs')) as { readonly slope?: unknown; readonly absent?: string };
    if (said.absent === undefined) found.expect(`the gradient of a sum of an inverse, by ${client.name}`, said.slope, slope);
    else found.matches(`why there is no engine, by ${client.name}`, said.absent, /no BLAS and LAPACK/);
    native.remove();
  }
  return found.section('pnpm and yarn');
}
