import { checkApi } from './checks/api.ts';
import { checkNativeApp, checkNewerCore, checkOwnFamily, checkSmallApp, publishAll } from './checks/apps.ts';
import { checkBundlers } from './checks/bundlers.ts';
import { checkOtherClients } from './checks/clients.ts';
import { checkImports } from './checks/imports.ts';
import { checkManifests } from './checks/manifests.ts';
import { checkSizes } from './checks/sizes.ts';
import { checkStart } from './checks/start.ts';
import { checkSupply } from './checks/supply.ts';
import { checkTypes } from './checks/types.ts';
import { type Installed, installPublished } from './installed.ts';
import type { Section } from './section.ts';
import { Staged } from './staged.ts';
import { installTools, nodes, others } from './tools.ts';

interface Step {
  readonly name: string;
  readonly run: (installed: Installed) => Section | Promise<Section>;
}

const steps: readonly Step[] = [
  { name: 'tarballs', run: ({ packages }) => checkManifests(packages) },
  { name: 'types', run: ({ packages }) => checkTypes(packages) },
  { name: 'sizes', run: ({ folder, packages }) => checkSizes(folder, packages) },
  { name: 'api', run: ({ folder, packages }) => checkApi(folder, packages) },
  { name: 'supply', run: ({ packages }) => checkSupply(packages) },
  { name: 'start', run: ({ packages }) => checkStart(packages) },
  { name: 'bundlers', run: ({ folder }) => checkBundlers(folder) },
  ...[...nodes, ...others].map((runtime): Step => ({ name: `imports ${runtime.name}`, run: ({ folder, packages }) => checkImports(folder, packages, runtime) })),
];

/** In this order: each releases what the next one builds on. */
const stagedSteps: readonly { readonly name: string; readonly run: (staged: Staged) => Promise<Section> }[] = [
  { name: 'publish', run: publishAll },
  { name: 'app a', run: checkSmallApp },
  { name: 'clients', run: checkOtherClients },
  { name: 'app b d', run: checkNativeApp },
  { name: 'app c', run: checkOwnFamily },
  { name: 'app e f', run: checkNewerCore },
];

const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`;

type Timed = Section & { readonly time: string };

/** Runs the steps whose names contain one of `only`; all of them when none is named. Those of a registry are one: `registry`. */
export async function runAll(only: readonly string[]): Promise<number> {
  const started = performance.now();
  const isWanted = (name: string): boolean => only.length === 0 || only.some((word) => name.includes(word));
  await installTools();
  const installed = await installPublished();
  const sections: Timed[] = [];
  try {
    for (const { name, run } of steps.filter(({ name }) => isWanted(name))) sections.push(await timed(name, () => run(installed)));
  } finally {
    installed.remove();
  }
  if (isWanted('registry')) sections.push(...(await withRegistry()));
  return table(sections, seconds(started));
}

async function withRegistry(): Promise<readonly Timed[]> {
  const staged = await Staged.create();
  const sections: Timed[] = [];
  try {
    for (const { name, run } of stagedSteps) sections.push(await timed(name, () => run(staged)));
  } finally {
    staged.remove();
  }
  return sections;
}

async function timed(name: string, run: () => Section | Promise<Section>): Promise<Timed> {
  const from = performance.now();
  const section = await tried(name, run);
  const time = seconds(from);
  console.log(`${section.faults.length === 0 ? '✓' : '✗'} ${section.name} (${time})`);
  for (const line of [...section.faults.map((fault) => `✗ ${fault}`), ...(section.notes ?? [])]) console.log(`    ${line}`);
  return { ...section, time };
}

async function tried(name: string, run: () => Section | Promise<Section>): Promise<Section> {
  try {
    return await run();
  } catch (error) {
    return { name, counted: {}, faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  }
}

function table(sections: readonly Timed[], time: string): number {
  const width = Math.max(...sections.map(({ name }) => name.length));
  const faults = sections.reduce((sum, section) => sum + section.faults.length, 0);
  const checked = sections.reduce((sum, { counted }) => sum + Object.values(counted).reduce((a, b) => a + b, 0), 0);
  console.log('');
  for (const section of sections) {
    const what = Object.entries(section.counted).map(([thing, count]) => `${count} ${thing}`).join(', ');
    console.log(`${section.name.padEnd(width)}  ${section.time.padStart(8)}  ${String(section.faults.length).padStart(3)} faults  ${what}`);
  }
  console.log(`\n${checked} things checked in ${time}, ${faults} faults`);
  return faults === 0 && checked > 0 ? 0 : 1;
}
