// Runs commands as named, timed steps: one line when a step starts, one when it ends.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The workspace's own tools come first: turbo asks the PATH for pnpm. */
const environment = {
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter),
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
};

const onWindows = process.platform === 'win32';

/** Resolves to the exit code and, when it is held back, the output. */
const start = (command, args, held) =>
  new Promise((settle) => {
    const child = spawn(command, args, { cwd: root, env: environment, shell: onWindows, stdio: ['ignore', held ? 'pipe' : 'inherit', held ? 'pipe' : 'inherit'] });
    const parts = [];
    child.stdout?.on('data', (part) => void parts.push(part));
    child.stderr?.on('data', (part) => void parts.push(part));
    child.on('error', (error) => settle({ code: 127, output: `${command}: ${error.message}\n` }));
    child.on('close', (code) => settle({ code: code ?? 1, output: Buffer.concat(parts).toString() }));
  });

const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** Runs one step. With `held` its output is shown only when it fails. Resolves to true when it passed. */
export const step = async (name, says, [command, ...args], { held = false } = {}) => {
  console.log(`▸ ${name}: ${says}`);
  const from = performance.now();
  const { code, output } = await start(command, args, held);
  if (code !== 0 && output) console.log(output.trimEnd());
  console.log(code === 0 ? `✓ ${name} (${seconds(from)})` : `✗ ${name} failed with code ${code} (${seconds(from)})`);
  return code === 0;
};

export const note = (name, says) => console.log(`✓ ${name}: ${says}`);

/** Runs a program in the foreground and resolves to its exit code. */
export const foreground = async (command, ...args) => (await start(command, args, false)).code;
