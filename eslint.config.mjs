import tseslint from 'typescript-eslint';

const tests = ['**/*.test.ts', '**/*.test-d.ts', '**/*.testing.ts', '**/*.bench.ts', 'tests-integration/**/*.ts'];
const shipped = ['packages/*/src/**/*.ts', 'engines/*/src/**/*.ts', 'extensions/*/src/**/*.ts'];
const creationClock = 'packages/core/src/program/clock.ts';

const noDefaultExport = ['ExportDefaultDeclaration', 'ExportSpecifier[exported.name="default"]'].map((selector) => ({
  selector,
  message: 'Export by name: a default export has a different name in every importer.',
}));

/** State belongs to a context, a runtime or an engine; a module has none (architecture.md, State). */
const noModuleState = ['Program', 'Program > ExportNamedDeclaration'].flatMap((scope) => [
  {
    selector: `${scope} > VariableDeclaration[kind=/^(let|var)$/]`,
    message: 'No module-level state: hold it in a context, a runtime or an engine.',
  },
  {
    selector: `${scope} > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Map|Set|WeakMap|WeakSet)$/][arguments.length=0]`,
    message: 'No module-level registry or cache: hold it in a context, a runtime or an engine.',
  },
]);

/** A push is not refused by chance: other seeds are for `pnpm fuzz`. */
const propertiesWithoutSeed = {
  selector: `CallExpression[callee.object.name="fc"][callee.property.name="assert"]:not([arguments.1.type="Identifier"])${[0, 1, 2]
    .map((at) => `:not([arguments.1.properties.${at}.key.name="seed"])`)
    .join('')}`,
  message: 'Name the seed of the property, `{ seed: 1 }`: a run of the tests must not depend on chance.',
};

export default tseslint.config(
  { ignores: ['**/node_modules/**', '**/dist/**', '**/.cache/**', '**/.turbo/**', '**/*.wasm.mjs', '**/*.wasm.d.mts', 'coverage/**', 'out/**', 'pictures/**'] },
  {
    files: ['**/*.{ts,mts,mjs,js}'],
    languageOptions: { parser: tseslint.parser },
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { noInlineConfig: true },
    rules: {
      eqeqeq: 'error',
      'no-debugger': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' }],
      'max-lines': ['error', 800],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
    },
  },
  { files: ['**/*.{ts,mts,mjs}'], ignores: tests, rules: { 'max-lines-per-function': ['error', 60] } },
  { files: ['**/src/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...noDefaultExport] } },
  { files: tests, rules: { 'no-restricted-syntax': ['error', ...noDefaultExport, propertiesWithoutSeed] } },
  {
    files: shipped,
    ignores: [...tests, creationClock],
    rules: { 'no-console': 'error', 'no-restricted-syntax': ['error', ...noDefaultExport, ...noModuleState] },
  },
);
