/** Programs run as a user runs them: without what the test runner and npm scripts leave to their children. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Ended {
  readonly code: number;
  readonly output: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
}

function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_|TEST)/.test(name))), ...more };
}

/** A program's end: its exit code and all that it wrote. */
export async function ended(program: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  try {
    const { stdout, stderr } = await run(program, [...args], { cwd: options.cwd, maxBuffer: 2 ** 26, timeout: 600_000, env: environment(options.environment) });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr, message } = error as { readonly code?: unknown; readonly stdout?: string; readonly stderr?: string; readonly message: string };
    return { code: typeof code === 'number' ? code : 1, output: `${stdout ?? ''}${stderr ?? ''}` || message };
  }
}

/** What a program that must end well wrote. */
export async function required(program: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { code, output } = await ended(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} in ${options.cwd} ended with ${code}:\n${output}`);
  return output;
}
