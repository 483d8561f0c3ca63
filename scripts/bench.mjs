// pnpm bench: installs and builds what changed, then measures the built packages, as users have them.
import { bootstrap } from './bootstrap.mjs';
import { foreground } from './steps.mjs';

// A script may put `--` before the arguments that it hands on.
const args = process.argv.slice(2).filter((arg, at) => at > 0 || arg !== '--');
process.exitCode = (await bootstrap()) ? await foreground(process.execPath, 'bench/dist/main.js', ...args) : 1;
