import { join } from 'node:path';
import { createExtension, extensionNames } from './create-extension.ts';

/** Where `main` writes: the console. */
export interface Printer {
  log(text: string): void;
  error(text: string): void;
}

const usage = 'npm create @tf/extension PACKAGE [FOLDER], for instance: npm create @tf/extension @you/tf-waves';

/** The program: its arguments in, the exit code out. */
export function main(args: readonly string[], cwd: string, printer: Printer): number {
  const [name, folder, ...more] = args;
  if (name === undefined || name.startsWith('-') || more.length > 0) {
    printer.error(usage);
    return 2;
  }
  try {
    const into = folder ?? extensionNames(name).folder;
    const { family, files } = createExtension(name, join(cwd, into));
    printer.log(`${name}, which owns the family ${family}: ${files.length} files in ${into}\n\n  cd ${into}\n  npm install\n  npm test\n  npm run build\n\nReplace log cosh in src/index.ts by what you need; src/cases.ts says what is tested.`);
    return 0;
  } catch (error) {
    printer.error((error as Error).message);
    return 1;
  }
}
