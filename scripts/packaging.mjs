// pnpm packaging [STEP …]: installs and builds what changed, then checks everything about the packages as they are published.
import { bootstrap } from './bootstrap.mjs';
import { foreground } from './steps.mjs';

// A script may put `--` before the arguments that it hands on.
const args = process.argv.slice(2).filter((arg, at) => at > 0 || arg !== '--');
process.exitCode = (await bootstrap()) ? await foreground(process.execPath, 'scripts/source.mjs', 'tests-integration/packaging', ...args) : 1;
