/** Every entry imported, imported again and required, from where it was installed, by a JavaScript engine of choice. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CleanFolder } from '../clean-folder.ts';
import { entriesOf, type PackedPackage, targetsOf } from '../packed.ts';
import { ended } from '../program.ts';
import type { Section } from '../section.ts';
import type { Runtime } from '../tools.ts';

interface Said {
  readonly entries: number;
  readonly faults: readonly string[];
}

/** The file that `exports` names: imported once more by its path, it is a second copy. */
function secondCopy({ name, manifest }: PackedPackage, entry: string): string {
  const target = targetsOf(manifest).find(({ subpath, conditions }) => name + subpath.slice(1) === entry && conditions === 'import.default');
  return `./node_modules/${name}/${target?.path ?? ''}?again`;
}

function script(packages: readonly PackedPackage[]): string {
  const lines = packages.flatMap((packed) => entriesOf(packed).map((entry) => `  ${JSON.stringify(entry)}: { import: () => import(${JSON.stringify(entry)}), again: () => import(${JSON.stringify(secondCopy(packed, entry))}), require: () => require(${JSON.stringify(entry)}) },`));
  return `import { createRequire } from 'node:module';\nimport { judge } from './judge.mjs';\nconst require = createRequire(import.meta.url);\nawait judge({\n${lines.join('\n')}\n});\n`;
}

/** `folder` holds `apps/imports` and the packages. */
export async function checkImports(folder: CleanFolder, packages: readonly PackedPackage[], { name, program, before }: Runtime): Promise<Section> {
  const file = join(folder.path, 'entries.mjs');
  writeFileSync(file, script(packages));
  const { code, output } = await ended(program, [...before, file], { cwd: folder.path });
  const last = output.trim().split('\n').at(-1) ?? '';
  const said = code === 0 && last.startsWith('{') ? (JSON.parse(last) as Said) : undefined;
  return { name: `import and require, ${name}`, counted: { entries: said?.entries ?? 0 }, faults: said?.faults ?? [`${name} ended with ${code}: ${output.slice(-2000)}`] };
}
