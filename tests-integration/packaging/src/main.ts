/** `pnpm packaging`: everything about the packages as they are published, with a table of what was checked; `pnpm api`: keeps the public types. */
import { checkApi } from './checks/api.ts';
import { installPublished } from './installed.ts';
import { runAll } from './run-all.ts';

export async function main(args: readonly string[]): Promise<number> {
  if (args[0] === 'api') return keepApi();
  return runAll(args);
}

async function keepApi(): Promise<number> {
  const installed = await installPublished();
  try {
    const { counted, faults } = checkApi(installed.folder, installed.packages, { write: true });
    for (const fault of faults) console.log(fault.replace(/ Run pnpm api.*$/, ''));
    console.log(`${counted['entries']} entries, ${faults.length} changed`);
    return 0;
  } finally {
    installed.remove();
  }
}
