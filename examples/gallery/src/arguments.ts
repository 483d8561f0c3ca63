import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { GalleryExample, Scale } from './example.ts';
import { gallery } from './gallery.ts';

export interface GalleryOptions {
  readonly examples: readonly GalleryExample[];
  readonly scale: Scale;
  /** Each example writes into a folder of its name in this one. */
  readonly out: string;
}

/** A command line that makes no sense: what is wrong, and how it is meant. */
export class UsageError extends Error {
  constructor(message: string) {
    super(`${message}\n\n${usage}`);
    this.name = 'UsageError';
  }
}

/** Beside `src`; git ignores it. */
const defaultOut = fileURLToPath(new URL('../out', import.meta.url));

export const usage: string = `pnpm gallery [NAME …] [options]
  NAME …        which examples (default all): ${gallery.map(({ name }) => name).join(', ')}
  --quick       smaller problems that take seconds
  --out FOLDER  where pictures and result.json go (default examples/gallery/out)
  --list        what each example is
  --help`;

/** Reads the command line; text where that is all that is wanted. */
export function readArguments(args: readonly string[]): GalleryOptions | string {
  const { values, positionals } = parse(args);
  if (values.help) return usage;
  if (values.list) return gallery.map(({ name, title, text }) => `${name}: ${title}\n  ${text}`).join('\n\n');
  const examples = positionals.length === 0 ? gallery : positionals.map(exampleNamed);
  // pnpm runs scripts in the root folder and says where it was called.
  return { examples, scale: values.quick ? 'quick' : 'full', out: values.out === undefined ? defaultOut : resolve(process.env['INIT_CWD'] ?? '.', values.out) };
}

function exampleNamed(name: string): GalleryExample {
  const example = gallery.find((candidate) => candidate.name === name);
  if (example === undefined) throw new UsageError(`There is no example ${JSON.stringify(name)}.`);
  return example;
}

const accepted = {
  quick: { type: 'boolean', default: false },
  out: { type: 'string' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function parse(args: readonly string[]): ReturnType<typeof parseArgs<{ options: typeof accepted; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options: accepted, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
