import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export interface DemoOptions {
  readonly seeds: readonly number[];
  readonly steps: number;
  /** The derivative rule whose sign is to be turned round, to see the checks fail. */
  readonly flip: string | undefined;
  /** Where the pictures go. */
  readonly out: string;
}

/** A command line that makes no sense: what is wrong, and how it is meant. */
export class UsageError extends Error {
  constructor(message: string) {
    super(`${message}\n\n${usage}`);
    this.name = 'UsageError';
  }
}

/** Beside `src` and `dist`; git ignores it. */
const pictureFolder = fileURLToPath(new URL('../out', import.meta.url));

export const defaultOptions: DemoOptions = { seeds: [1, 2, 3], steps: 200, flip: undefined, out: pictureFolder };
const quickOptions: DemoOptions = { ...defaultOptions, seeds: [1], steps: 100 };

export const usage = `npm run demo -- [options]
  --seeds 1,2,3   one training run for each (default ${defaultOptions.seeds.join()})
  --steps ${defaultOptions.steps}     steps of gradient descent (default)
  --quick         one seed, ${quickOptions.steps} steps
  --flip tanh     turn the sign of one derivative rule round: the demo must notice and exit 1
  --out FOLDER    where the pictures go (default examples/penguins/out)
  --help`;

/** Reads the command line; undefined when help is wanted. */
export function readArguments(args: readonly string[]): DemoOptions | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const base = values.quick ? quickOptions : defaultOptions;
  return {
    seeds: values.seeds === undefined ? base.seeds : values.seeds.split(',').map((text) => wholeNumber('--seeds', text, 0)),
    steps: values.steps === undefined ? base.steps : wholeNumber('--steps', values.steps, 1),
    flip: values.flip,
    out: values.out ?? base.out,
  };
}

const accepted = {
  seeds: { type: 'string' },
  steps: { type: 'string' },
  quick: { type: 'boolean', default: false },
  flip: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function parse(args: readonly string[]): ReturnType<typeof parseArgs<{ options: typeof accepted }>>['values'] {
  try {
    return parseArgs({ args: [...args], options: accepted }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least && value < 2 ** 32) return value;
  throw new UsageError(`${option}: ${JSON.stringify(text)} is no whole number from ${least} to 2³² − 1.`);
}
