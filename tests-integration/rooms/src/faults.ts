import type { Tree } from './tree.ts';

/** One rule broken in one file, the line that `pnpm rooms` prints for it, and the same file put right. */
export interface Fault {
  readonly claim: string;
  readonly path: string;
  readonly wrong: string;
  readonly says: string;
  readonly right: string;
  /** Files that only the wrong or only the right version needs beside it. */
  readonly besideRight?: Tree;
  readonly besideWrong?: Tree;
}

const core = 'packages/core/src';
const manifest = (name: string, ...peers: readonly string[]): string =>
  JSON.stringify({ name, peerDependencies: Object.fromEntries(peers.map((peer) => [peer, '*'])) });

const lowest = 'core/contract, core/errors and core/types import each other only';
const program = 'core/program imports contract, errors, types and loop; never transform, compile or primitives';
const operations = 'core/primitives and core/compositions import program and below; never transform or compile';
const transform = 'core/transform imports program and below and the catalog; never compile, nor a family by name';
const compile = 'core/compile imports program and below and the catalog; never transform or an engine';
const fronts = 'traced and eager import @tf/core; never each other, extensions or engines';
const extension = 'an extension imports @tf/core as a peer; never front ends, engines, or another extension that is not its peer';
const module =
  'a module imports its own families and, by `import type`, the API of the one engine that it is named after; never other engines';
const engine = 'an engine imports the contract and compile types of @tf/core; never extensions, front ends or other engines';
const testkit = 'testkit imports @tf/core, and the test runner is injected; never engines or extensions';
const inside = 'other packages are imported by name';

/** A file of core that reaches a room above it; the twin reaches one below. */
const upward = (room: string, file: string, from: string, to: string, below: string, rule: string): Fault => ({
  claim: `${room} that imports ${from}`,
  path: `${core}/${file}`,
  wrong: `import '${to}';\n`,
  says: `${core}/${file}:1 [${room}] imports ${from} (${core}/${to.replace(/^(\.\.?\/)+/, '')}): ${rule}`,
  right: `import '${below}';\n`,
});

/** A package imported by name where it may not be. */
const byName = (room: string, path: string, name: string, rule: string, right = '@tf/core'): Fault => ({
  claim: `${room} that imports ${name}`,
  path,
  wrong: `import '${name}';\n`,
  says: `${path}:1 [${room}] imports ${name}: ${rule}`,
  right: `import '${right}';\n`,
});

/** The rows of the table in order: who may import whom. */
export const rows: readonly Fault[] = [
  upward('core/contract', 'contract.ts', 'core/program', './program/builder.ts', './types/shape.ts', lowest),
  upward('core/errors', 'errors.ts', 'core/loop', './loop/kernel.ts', './types/shape.ts', lowest),
  upward('core/types', 'types/shape.ts', 'core/program', '../program/builder.ts', '../errors.ts', lowest),
  upward('core/loop', 'loop/kernel.ts', 'core/program', '../program/builder.ts', '../errors.ts', 'core/loop imports core/types and core/errors and nothing else'),
  upward('core/program', 'program/builder.ts', 'core/transform', '../transform/vjp.ts', '../loop/kernel.ts', program),
  upward('core/program', 'program/check.ts', 'core/compile', '../compile/plan.ts', '../contract.ts', program),
  upward('core/program', 'catalog.ts', 'core/primitives', './primitives/exp.ts', './contract.ts', program),
  upward('core/primitives', 'primitives/exp.ts', 'core/transform', '../transform/vjp.ts', '../program/builder.ts', operations),
  upward('core/compositions', 'compositions/softmax.ts', 'core/compile', '../compile/plan.ts', '../primitives/exp.ts', operations),
  upward('core/tensor', 'tensor/create.ts', 'core/transform', '../transform/vjp.ts', '../primitives/exp.ts', 'core/tensor imports compositions and below; never transform or compile'),
  upward('core/transform', 'transform/vjp.ts', 'core/compile', '../compile/plan.ts', '../program/builder.ts', transform),
  upward('core/transform', 'transform/vjp.ts', 'core/primitives', '../primitives/exp.ts', '../catalog.ts', transform),
  upward('core/compile', 'compile/plan.ts', 'core/transform', '../transform/vjp.ts', '../loop/kernel.ts', compile),
  byName('core/compile', `${core}/compile/plan.ts`, '@tf/engine-cpu-wasm', compile, '../loop/kernel.ts'),
  upward('core/execution', 'execution/check.ts', 'core/program', '../program/builder.ts', '../loop/kernel.ts', 'core/execution, what every engine does before it runs a plan, imports contract, errors, types, loop and compile; never program, transform or an engine'),
  byName('engine choice', 'packages/engine/src/index.ts', '@tf/eager', "the choice of an engine imports @tf/core and engines, and nobody of tf's own imports it"),
  byName('create-extension', 'packages/create-extension/src/index.ts', '@tf/core', "what makes an author's folder is plain Node and imports nothing of the workspace", 'node:fs'),
  byName('engine/build', 'engines/cpu-wasm/native/build.mjs', '@tf/eager', "what builds an engine's library imports @tf/core and build tools", 'node:fs'),
  byName('traced', 'packages/traced/src/index.ts', '@tf/eager', fronts),
  byName('traced', 'packages/traced/src/index.ts', '@tf/fft', fronts),
  byName('eager', 'packages/eager/src/index.ts', '@tf/traced', fronts),
  byName('eager', 'packages/eager/src/index.ts', '@tf/engine-cpu-wasm', fronts),
  byName('extension', 'extensions/fft/src/index.ts', '@tf/traced', extension),
  byName('extension', 'extensions/fft/src/index.ts', '@tf/engine-cpu-wasm', extension),
  {
    ...byName('extension', 'extensions/fft/src/index.ts', '@tf/einsum', extension, '@tf/einsum'),
    besideRight: { 'extensions/fft/package.json': manifest('@tf/fft', '@tf/core', '@tf/engine-cpu-wasm', '@tf/einsum') },
  },
  {
    claim: 'a module for one engine that imports the API of another',
    path: 'extensions/fft/src/modules/cpu-wasm.ts',
    wrong: `import type { Module } from '@tf/engine-cuda-native';\n`,
    says: `extensions/fft/src/modules/cpu-wasm.ts:1 [extension/module] imports @tf/engine-cuda-native: ${module}`,
    right: `import type { Module } from '@tf/engine-cpu-wasm';\n`,
  },
  {
    claim: 'a module that imports its engine as a value',
    path: 'extensions/fft/src/modules/cpu-wasm.ts',
    wrong: `import { type Module } from '@tf/engine-cpu-wasm';\n`,
    says: `extensions/fft/src/modules/cpu-wasm.ts:1 [extension/module] imports @tf/engine-cpu-wasm as a value: ${module}; write \`import type\``,
    right: `import type { Module } from '@tf/engine-cpu-wasm';\n`,
  },
  {
    claim: 'a module that imports the module for another engine',
    path: 'extensions/fft/src/modules/cpu-wasm.ts',
    wrong: `import './cuda-native.ts';\n`,
    says: `extensions/fft/src/modules/cpu-wasm.ts:1 [extension/module] imports the module for cuda-native (extensions/fft/src/modules/cuda-native.ts): ${module}`,
    right: `import '../index.ts';\n`,
  },
  byName('extension/stablehlo', 'extensions/fft/src/stablehlo/index.ts', '@tf/engine-cpu-wasm', "what a family becomes in StableHLO imports its own family and, by `import type`, the API of @tf/export-stablehlo; never engines"),
  byName('export-stablehlo/node', 'packages/export-stablehlo/src/node/index.ts', '@tf/engine-cpu-wasm', 'what runs exported programs from Node imports the exporter, @tf/core and node:*'),
  byName('engine', 'engines/cpu-wasm/src/index.ts', '@tf/fft', engine),
  byName('engine', 'engines/cpu-wasm/src/index.ts', '@tf/eager', engine),
  byName('engine', 'engines/cpu-wasm/src/index.ts', '@tf/engine-cuda-native', engine),
  {
    claim: 'an engine that imports an operation of core',
    path: 'engines/cpu-wasm/src/index.ts',
    wrong: `import { exp } from '@tf/core';\n`,
    says: `engines/cpu-wasm/src/index.ts:1 [engine] imports exp of core/primitives from @tf/core: ${engine}`,
    right: `import { plan } from '@tf/core';\n`,
  },
  byName('testkit', 'packages/testkit/src/index.ts', '@tf/engine-cpu-wasm', testkit),
  byName('testkit', 'packages/testkit/src/index.ts', '@tf/fft', testkit),
  byName('testkit', 'packages/testkit/src/index.ts', 'vitest', testkit),
  {
    claim: 'an integration test that imports another package by path',
    path: 'tests-integration/agreement/src/index.ts',
    wrong: `import '../../../packages/traced/src/index.ts';\n`,
    says: `tests-integration/agreement/src/index.ts:1 [integration] imports ../../../packages/traced/src/index.ts, which leaves the package: ${inside}`,
    right: `import '@tf/traced';\n`,
  },
];

const manyLines = (count: number): string => 'export {};\n'.repeat(count);

/** What holds in every room. */
export const everywhere: readonly Fault[] = [
  {
    claim: 'a dynamic import of a forbidden room',
    path: `${core}/types/shape.ts`,
    wrong: `\nexport const later = () => import('../program/builder.ts');\n`,
    says: `${core}/types/shape.ts:2 [core/types] imports core/program (${core}/program/builder.ts): ${lowest}`,
    right: `\nexport const later = () => import('../errors.ts');\n`,
  },
  {
    claim: 'a re-export of a forbidden room',
    path: `${core}/types/shape.ts`,
    wrong: `export * from '../program/builder.ts';\n`,
    says: `${core}/types/shape.ts:1 [core/types] imports core/program (${core}/program/builder.ts): ${lowest}`,
    right: `export * from '../errors.ts';\n`,
  },
  {
    claim: 'a type import of a forbidden room',
    path: `${core}/types/shape.ts`,
    wrong: `export type Late = import('../program/builder.ts').Late;\n`,
    says: `${core}/types/shape.ts:1 [core/types] imports core/program (${core}/program/builder.ts): ${lowest}`,
    right: `export type Late = import('../errors.ts').Late;\n`,
  },
  {
    claim: 'a computed import',
    path: `${core}/types/shape.ts`,
    wrong: `export const load = (name: string) => import(name);\n`,
    says: `${core}/types/shape.ts:1 [core/types] imports a computed path: the path of an import is a plain string, so that it can be checked`,
    right: `export const load = () => import('../errors.ts');\n`,
  },
  {
    claim: 'a cycle of values',
    path: `${core}/program/builder.ts`,
    wrong: `import './check.ts';\n`,
    besideWrong: { [`${core}/program/check.ts`]: `import './builder.ts';\n` },
    says: `${core}/program/builder.ts:1 [core/program] imports itself: ${core}/program/builder.ts → ${core}/program/check.ts → ${core}/program/builder.ts: imports have no cycles, of values or of types`,
    right: `import './check.ts';\n`,
    besideRight: { [`${core}/program/check.ts`]: `export {};\n` },
  },
  {
    claim: 'a cycle of types',
    path: `${core}/contract.ts`,
    wrong: `import type { Shape } from './types/shape.ts';\n`,
    besideWrong: { [`${core}/types/shape.ts`]: `import type { Contract } from '../contract.ts';\n` },
    says: `${core}/contract.ts:1 [core/contract] imports itself: ${core}/contract.ts → ${core}/types/shape.ts → ${core}/contract.ts: imports have no cycles, of values or of types`,
    right: `import type { Shape } from './types/shape.ts';\n`,
  },
  {
    claim: 'an import without its extension',
    path: `${core}/program/builder.ts`,
    wrong: `import '../errors';\n`,
    says: `${core}/program/builder.ts:1 [core/program] imports ../errors, which is no file: an import inside a package names the file with its .ts extension`,
    right: `import '../errors.ts';\n`,
  },
  {
    claim: 'a file of 801 lines',
    path: `${core}/program/builder.ts`,
    wrong: manyLines(801),
    says: `${core}/program/builder.ts:801 [core/program] has 801 lines: a file has at most 800`,
    right: manyLines(800),
  },
  {
    claim: 'a file that imports a test',
    path: `${core}/program/builder.ts`,
    wrong: `import './check.test.ts';\n`,
    besideWrong: { [`${core}/program/check.test.ts`]: 'export {};\n' },
    says: `${core}/program/builder.ts:1 [core/program] imports a test of core/program (${core}/program/check.test.ts): only tests import tests`,
    right: `import './check.ts';\n`,
    besideRight: { [`${core}/program/check.ts`]: 'export {};\n' },
  },
  {
    claim: 'a test of core that imports another package',
    path: `${core}/program/builder.test.ts`,
    wrong: `import '@tf/traced';\n`,
    says: `${core}/program/builder.test.ts:1 [test of core/program] imports @tf/traced: ${program}`,
    right: `import '../transform/vjp.ts';\n`,
  },
  {
    claim: 'an index of core with a statement of its own',
    path: `${core}/index.ts`,
    wrong: `export { exp } from './primitives/exp.ts';\nexport const version = 1;\n`,
    says: `${core}/index.ts:2 [core] has a statement of its own: the index of core is its table of contents: re-exports of core's rooms and nothing else`,
    right: `export { exp } from './primitives/exp.ts';\n`,
  },
  {
    claim: 'a transform that names a family',
    path: `${core}/transform/vjp.ts`,
    wrong: `export const isExp = (id: string) => id === 'tf.core.exp';\n`,
    says: `${core}/transform/vjp.ts:1 [core/transform] names the family tf.core.exp: core and engines read traits, never a family id`,
    right: `export const isLinear = (traits: { linear: boolean }) => traits.linear;\n`,
  },
  {
    claim: 'an import that the manifest does not declare',
    path: 'tests-integration/agreement/src/index.ts',
    wrong: `import '@tf/eager';\n`,
    says: 'tests-integration/agreement/src/index.ts:1 [integration] imports @tf/eager, which tests-integration/agreement/package.json does not declare: it belongs in dependencies or peerDependencies or devDependencies or optionalDependencies',
    right: `import '@tf/traced';\n`,
  },
  byName(
    'optional package',
    'packages/optim/src/index.ts',
    '@tf/engine-cpu-wasm',
    'a further package imports @tf/core, and front-end types where needed',
  ),
  byName('extension/build', 'extensions/fft/lapack/build.mjs', '@tf/fft', "what builds an extension's kernels is plain Node and imports nothing of the workspace", 'node:fs'),
  byName(
    'extension/proof',
    'extensions/fft/cases.ts',
    '@tf/eager',
    "an extension's cases, conformance and bench import the extension, @tf/core, @tf/testkit and engines; never front ends",
  ),
];
