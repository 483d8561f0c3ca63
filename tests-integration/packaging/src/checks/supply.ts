/** What installing and running tf brings along: nothing from the network, nothing unlicensed, nothing that the lock file does not pin. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PackedPackage, textOf } from '../packed.ts';
import type { Section } from '../section.ts';
import { repository } from '../workspace.ts';

/** What reaches for the network, runs text as code or starts programs. */
const reaching = /\b(fetch|XMLHttpRequest|WebSocket|EventSource|importScripts|eval)\s*\(|new Function\s*\(|["'](?:node:)?(?:https?|http2|net|dns|tls|dgram|child_process|vm)["']/g;
/** Who may: the engine fetches kernels from the address that their package names, where there are no files; exported programs are run by Python, under the entry for Node. */
const allowed: Readonly<Record<string, readonly string[]>> = { '@tf/engine-cpu-wasm': ['fetch('], '@tf/export-stablehlo': ["'child_process'"] };
/** What is compiled in from elsewhere, and the notice that its licence asks for. */
const notices: readonly { readonly files: RegExp; readonly notice: string; readonly says: RegExp }[] = [
  { files: /^(wasm\/linalg-.*\.wasm(\.mjs)?|native-build\/linalg\.so)$/, notice: 'wasm/LICENSE-LAPACK.txt', says: /University of Tennessee[^]*THIS SOFTWARE IS PROVIDED/ },
];

function codeFaults(packed: PackedPackage): readonly string[] {
  const code = packed.files.filter((file) => /^(dist|bin|wasm)\/(?!template).*\.[cm]?js$/.test(file));
  return code.flatMap((file) => [...new Set([...textOf(packed, file).replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '').matchAll(reaching)].map(([found]) => found.replace(/\s/g, '')))].filter((found) => allowed[packed.name]?.includes(found) !== true).map((found) => `${packed.name}: ${file} has ${found}`));
}

function noticeFaults(packed: PackedPackage): readonly string[] {
  return notices.filter(({ files }) => packed.files.some((file) => files.test(file))).flatMap(({ notice, says }) => (packed.files.includes(notice) && says.test(textOf(packed, notice)) ? [] : [`${packed.name}: what is compiled in asks for ${notice}`]));
}

/** Packages that a lock file names without saying what their bytes are. */
function lockFaults(file: string): { readonly pinned: number; readonly faults: readonly string[] } {
  const text = readFileSync(join(repository, file), 'utf8');
  if (file.endsWith('.yaml')) {
    const resolutions = [...(text.split(/^packages:$/m)[1]?.split(/^snapshots:$/m)[0] ?? '').matchAll(/^ {2}(\S.*):\n {4}resolution: (.*)$/gm)];
    return { pinned: resolutions.length, faults: resolutions.filter(([, , resolution]) => !resolution!.includes('integrity: sha512-')).map(([, name]) => `${file}: ${name} has no integrity`) };
  }
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, { readonly integrity?: string }>> };
  const named = Object.entries(packages).filter(([path]) => path !== '');
  return { pinned: named.length, faults: named.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true).map(([path]) => `${file}: ${path} has no integrity`) };
}

export function checkSupply(packages: readonly PackedPackage[]): Section {
  const locks = ['pnpm-lock.yaml', 'tests-integration/packaging/tools/package-lock.json', 'bench/peers/package-lock.json'].filter((file) => existsSync(join(repository, file))).map(lockFaults);
  return {
    name: 'supply chain',
    counted: { packages: packages.length, 'pinned by lock files': locks.reduce((sum, { pinned }) => sum + pinned, 0) },
    faults: [...packages.flatMap((packed) => [...codeFaults(packed), ...noticeFaults(packed)]), ...locks.flatMap(({ faults }) => faults)],
  };
}
