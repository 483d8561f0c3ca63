import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../site/repository.ts';

/** The charts of `bench/results`, and the table that `pnpm bench --table` wrote into the README. */
export function makeBench(out: string): void {
  cpSync(join(repository, 'bench/results'), out, { recursive: true });
  const [, table] = /<!-- bench:begin -->([\s\S]*?)<!-- bench:end -->/.exec(readFileSync(join(repository, 'README.md'), 'utf8')) ?? [];
  if (table === undefined) throw new Error('README.md has no table of benchmarks between its marks.');
  writeFileSync(join(out, 'table.txt'), table.trim().replace('](bench)', '](../bench/README.md)'));
}
