// The site of docs/.
//   node scripts/site.mjs build   builds it into docs/dist
//   node scripts/site.mjs dev     serves it while it is written
//   node scripts/site.mjs test    executes every block, builds the site, checks its links, and opens it in Chromium
import { join } from 'node:path';
import { root, step } from './steps.mjs';

const vitepress = (command) => [join(root, 'docs', 'node_modules', '.bin', 'vitepress'), command, 'docs'];

const kernels = ['build', 'packages and kernels (cached)', ['turbo', 'run', 'build']];
const make = ['made', 'reference, pictures, gallery runs, charts', ['node', 'scripts/source.mjs', 'docs']];
const build = ['site', 'pages, playground, search', vitepress('build')];

const commands = {
  build: [kernels, make, build],
  dev: [kernels, make, ['site', 'served while it is written', vitepress('dev')]],
  test: [
    kernels,
    ['blocks', 'every fence and every example', ['node', 'scripts/docs.mjs']],
    make,
    build,
    ['pages', 'links, and every page in Chromium', ['vitest', 'run', '--config', 'vitest.site.config.ts']],
  ],
};

const steps = commands[process.argv[2] ?? 'build'];
if (steps === undefined) {
  console.log(`usage: node scripts/site.mjs ${Object.keys(commands).join('|')}`);
  process.exit(2);
}
let green = true;
for (const each of steps) green = green && (await step(...each));
process.exitCode = green ? 0 : 1;
