// npm run demo: bootstrap, then the penguins from the built packages.
import { bootstrap } from './bootstrap.mjs';
import { foreground } from './steps.mjs';

process.exitCode = (await bootstrap()) ? await foreground(process.execPath, 'examples/penguins/dist/main.js', ...process.argv.slice(2)) : 1;
