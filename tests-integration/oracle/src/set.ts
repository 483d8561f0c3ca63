import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { baseName, type Case, parseCase } from './format.ts';

/** A line of the set: a case, or why it is none. */
export type Line =
  | { readonly id: string; readonly area: string; readonly op: string; readonly test: Case }
  | { readonly id: string; readonly area: string; readonly op: string; readonly fault: string };

export interface Selection {
  readonly dir: string;
  /** Files `<area>.jsonl`. */
  readonly areas: readonly string[];
  /** Operations whose names begin so. */
  readonly prefix: string;
}

/** Nothing can be judged: the folder, a file or its contents are not what was handed. */
export class SetError extends Error {}

const checksumFile = 'SHA256SUMS';

/** The areas that a folder holds. */
export function areasOf(dir: string): readonly string[] {
  if (!existsSync(dir) || !statSync(dir).isDirectory()) throw new SetError(`there is no folder ${dir}`);
  return readdirSync(dir).filter((file) => file.endsWith('.jsonl')).map((file) => file.slice(0, -'.jsonl'.length)).sort();
}

function checksums(dir: string): ReadonlyMap<string, string> | undefined {
  const path = join(dir, checksumFile);
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, 'utf8').split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => line.split(/\s+\*?/, 2)).map(([sum, file]) => [file as string, sum as string]));
}

/** Reads a file, and compares it with the sum it was handed with when the folder lists sums. */
function readArea(dir: string, area: string, sums: ReadonlyMap<string, string> | undefined): string {
  const file = `${area}.jsonl`;
  const path = join(dir, file);
  if (!existsSync(path)) throw new SetError(`${dir} holds no ${file}; there are ${areasOf(dir).join(', ') || 'no areas'}`);
  const bytes = readFileSync(path);
  if (sums !== undefined && createHash('sha256').update(bytes).digest('hex') !== sums.get(file)) throw new SetError(`${path} is not what ${checksumFile} says: a case was changed, or the sum is missing`);
  return bytes.toString('utf8');
}

function readLine(text: string, area: string, number: number): Line {
  const named = /"id":\s*"([^"]+)"/.exec(text)?.[1] ?? `${area}:${number}`;
  const op = /"op":\s*"([^"]+)"/.exec(text)?.[1] ?? '?';
  try {
    const test = parseCase(text);
    return { id: test.id, area, op: test.op, test };
  } catch (thrown) {
    return { id: named, area, op, fault: `format: ${thrown instanceof Error ? thrown.message : String(thrown)}` };
  }
}

export interface LoadedSet {
  readonly lines: readonly Line[];
  /** Whether the folder lists checksums, which were then compared. */
  readonly verified: boolean;
}

/** Reads the selected cases. Throws a SetError when there are none. */
export function loadSet({ dir, areas, prefix }: Selection): LoadedSet {
  areasOf(dir);
  const sums = checksums(dir);
  const all = areas.flatMap((area) => readArea(dir, area, sums).split('\n').flatMap((text, at) => (text.trim() === '' ? [] : [readLine(text, area, at + 1)])));
  const seen = new Set<string>();
  for (const { id } of all) {
    if (seen.has(id)) throw new SetError(`two cases are called ${id}`);
    seen.add(id);
  }
  const lines = all.filter(({ op }) => op.startsWith(prefix) || baseName(op).startsWith(prefix));
  if (lines.length === 0) throw new SetError(`${dir} holds no case${prefix === '' ? '' : ` whose operation begins with ${prefix}`} in ${areas.join(', ') || 'any area'}`);
  return { lines, verified: sums !== undefined };
}
