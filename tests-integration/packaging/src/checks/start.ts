/** How much more of a processor a process takes that imports tf and computes a first gradient than one that does nothing. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CleanFolder } from '../clean-folder.ts';
import type { PackedPackage } from '../packed.ts';
import type { Section } from '../section.ts';

/** Milliseconds that may be added; see the decision on published packages for what they are made of. */
const budget = 100;
const samples = 11;

/** Says at the end what the process took of processors: what else the machine does counts less there than on the clock. */
const reporting = "data:text/javascript,process.on('exit', () => console.error(JSON.stringify(process.cpuUsage())))";

function spent(file: string): number {
  const { status, stderr } = spawnSync(process.execPath, ['--import', reporting, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} ended with ${String(status)}: ${stderr}`);
  const { user, system } = JSON.parse(stderr.trim().split('\n').at(-1)!) as { readonly user: number; readonly system: number };
  return (user + system) / 1000;
}

export async function checkStart(packages: readonly PackedPackage[]): Promise<Section> {
  const folder = new CleanFolder('traced');
  await folder.installPacked(packages.filter(({ name }) => ['@tf/core', '@tf/traced', '@tf/engine-cpu-wasm'].includes(name)));
  const [bare, full] = [join(folder.path, 'bare.mjs'), join(folder.path, 'app.mjs')];
  const rounds = Array.from({ length: samples }, () => [spent(bare), spent(full)] as const);
  folder.remove();
  // The machine's other work only ever adds.
  const least = (at: 0 | 1): number => Math.min(...rounds.map((round) => round[at]));
  const added = least(1) - least(0);
  return {
    name: 'start',
    counted: { 'processes timed': 2 * samples },
    faults: added <= budget ? [] : [`import and first gradient add ${added.toFixed(0)} ms, ${budget} are allowed`],
    notes: [`bare node ${least(0).toFixed(0)} ms, with a first gradient ${least(1).toFixed(0)} ms: ${added.toFixed(0)} ms more, of processors, at least of ${samples}`],
  };
}
