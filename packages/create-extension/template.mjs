// node template.mjs: examples/extension-template as an author outside this repository has it, in dist/template/. Run before the package is packed.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const from = new URL('../../examples/extension-template/', import.meta.url);
const into = new URL('dist/template/', import.meta.url);
const json = (url) => JSON.parse(readFileSync(url, 'utf8'));
const write = (name, value) => writeFileSync(new URL(name, into), typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`);

/** What an author needs to build and test, in the versions that this repository does. */
const { devDependencies: tools } = json(new URL('../../package.json', import.meta.url));
const rangeOf = (name) => `^${json(new URL(`../${name}/package.json`, import.meta.url)).version}`;

const manifest = () => {
  const { name, version, description, license, type, sideEffects, files, publishConfig, peerDependenciesMeta } = json(new URL('package.json', from));
  const [core, testkit] = [rangeOf('core'), rangeOf('testkit')];
  return {
    name, version, description, license, type, sideEffects, files,
    exports: publishConfig.exports,
    scripts: { build: 'tsup src/index.ts src/cases.ts --format esm,cjs --dts --clean', test: 'vitest run', prepack: 'npm run build' },
    peerDependencies: { '@tf/core': core, '@tf/testkit': testkit },
    peerDependenciesMeta,
    devDependencies: { '@tf/core': core, '@tf/testkit': testkit, ...Object.fromEntries(['tsup', 'typescript', 'vitest'].map((tool) => [tool, `^${tools[tool]}`])) },
  };
};

const compilerOptions = {
  target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'esnext.disposable', 'dom'], types: [],
  strict: true, verbatimModuleSyntax: true, skipLibCheck: true, allowImportingTsExtensions: true, noEmit: true,
};

rmSync(fileURLToPath(into), { recursive: true, force: true });
mkdirSync(fileURLToPath(into), { recursive: true });
for (const name of ['src', 'conformance.test.ts']) cpSync(fileURLToPath(new URL(name, from)), fileURLToPath(new URL(name, into)), { recursive: true });
// Under another name: Node and linters take a package.json inside a package for its own.
write('manifest.json', manifest());
write('tsconfig.json', { compilerOptions, include: ['src', '*.ts'] });
write('gitignore', 'node_modules\ndist\n');
// What the example says of this repository is not true elsewhere.
write('README.md', readFileSync(new URL('README.md', from), 'utf8').replace(/\nTo make it yours:[^]*$/, '\nTo make it yours: write `infer`, `lower` and the rule in `src/index.ts`, and give `src/cases.ts` uses of it; `npm test` tries every law on them.\n'));
