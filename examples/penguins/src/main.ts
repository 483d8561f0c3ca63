import { readArguments, usage, UsageError } from './arguments.ts';
import { runDemo } from './demo.ts';
import { createOutput } from './progress.ts';

try {
  const options = readArguments(process.argv.slice(2));
  if (options === undefined) console.log(usage);
  else process.exitCode = (await runDemo(options, createOutput(process.stdout))).passed ? 0 : 1;
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
