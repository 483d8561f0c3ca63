/** What checks of apps share: gathering what they find, and running an app. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CleanFolder } from '../clean-folder.ts';
import { ended } from '../program.ts';
import type { Section } from '../section.ts';
import type { Runtime } from '../tools.ts';

/** What a check finds, gathered while it goes. */
export class Findings {
  readonly faults: string[] = [];
  readonly notes: string[] = [];
  checked = 0;

  expect(what: string, got: unknown, wanted: unknown): void {
    this.checked += 1;
    if (!isDeepStrictEqual(got, wanted)) this.faults.push(`${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
  }

  matches(what: string, got: string, wanted: RegExp): void {
    this.checked += 1;
    if (!wanted.test(got)) this.faults.push(`${what}: ${got.slice(-1500)} does not match ${String(wanted)}`);
  }

  section(name: string): Section {
    return { name, counted: { facts: this.checked }, faults: this.faults, notes: this.notes };
  }
}

/** What an app prints on its last line; all that it prints when it fails. */
export async function jsonOf(folder: CleanFolder, { program, before }: Runtime, file: string): Promise<unknown> {
  const { code, output } = await ended(program, [...before, join(folder.path, file)], { cwd: folder.path });
  return code === 0 ? (JSON.parse(output.trim().split('\n').at(-1)!) as unknown) : output.slice(-1500);
}
