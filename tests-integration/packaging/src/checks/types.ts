/** Whether what `exports` says is what Node, bundlers and TypeScript find: publint, and attw as it resolves types. */
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { entriesOf, type PackedPackage } from '../packed.ts';
import type { Section } from '../section.ts';

/** TypeScript 4's resolution, which knows no `exports`, is not supported. */
const ignored: readonly string[] = ['node10'];

/** A view of its own memory alone, as publint takes it. */
function exactBytes(file: string): ArrayBuffer {
  const bytes = readFileSync(file);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

async function linted(packed: PackedPackage): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: exactBytes(packed.tarball) }, strict: true });
  return messages.map((message) => `${packed.name}: publint: ${formatMessage(message, pkg ?? {}) ?? message.code}`);
}

function said(problem: Problem): string {
  const where = 'entrypoint' in problem ? ` ${problem.entrypoint}` : '';
  const how = 'resolutionKind' in problem ? ` (${problem.resolutionKind})` : '';
  return `${problem.kind}${where}${how}`;
}

async function resolved(packed: PackedPackage): Promise<readonly string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(packed.tarball))), { excludeEntrypoints: ['./package.json'] });
  if (!('problems' in analysis)) return [`${packed.name}: attw: it has no types`];
  return analysis.problems.filter((problem) => !('resolutionKind' in problem && ignored.includes(problem.resolutionKind))).map((problem) => `${packed.name}: attw: ${said(problem)}`);
}

export async function checkTypes(packages: readonly PackedPackage[]): Promise<Section> {
  const faults: string[] = [];
  for (const packed of packages) faults.push(...(await linted(packed)));
  const typed = packages.filter((packed) => entriesOf(packed).length > 0);
  for (const packed of typed) faults.push(...(await resolved(packed)));
  return { name: 'publint and attw', counted: { linted: packages.length, 'entries typed': typed.flatMap(entriesOf).length }, faults };
}
