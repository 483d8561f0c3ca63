import { expect, test } from 'vitest';
import { checkImports, importsOf, moduleOf, remedyOf } from './imports.ts';

const modules = { '@tf/core': { matmul() {}, mean() {}, tensor() {} }, '@tf/linalg': { svd() {}, solve() {} }, playground: { show() {} } };

const faultOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (thrown) {
    return thrown;
  }
};

test('finds what a program takes from where, and leaves types out', () => {
  const code = "import { Operand, matmul as times } from 'a';\nimport type { T } from 'b';\nimport d from 'c';\n\nimport * as whole from 'd';\nexport { p as q } from 'e';\nimport 'f';\nconst f = (x: Operand): T => times(x, d, whole);";
  expect(importsOf(code).map(({ module, name, namespace, line }) => [module, name ?? namespace, line])).toEqual([['a', 'matmul', 1], ['c', 'default', 3], ['d', 'whole', 5], ['f', undefined, 7], ['e', 'p', 6]]);
});

test('a misspelt name is told with its module, its place and the nearest one', () => {
  const fault = faultOf(() => checkImports("import {\n  tensor, matmull,\n} from '@tf/core';\nmatmull(tensor(1));", modules));
  expect(fault).toMatchObject({ name: 'ImportError', message: "'@tf/core' has no export 'matmull'. Did you mean 'matmul'?", place: { line: 2, column: 11 } });
});

test.each([
  ["import { svd } from '@tf/core';\nsvd();", /no export 'svd'\. It is in '@tf\/linalg'/],
  ["import { svdd } from '@tf/core';\nsvdd();", /no export 'svdd'\. Did you mean 'svd' of '@tf\/linalg'\?/],
  ["import tf from '@tf/core';\ntf();", /no export 'default'\. Write import \* as name from '@tf\/core'/],
  ["export { nothingAlike } from 'playground';", /no export 'nothingAlike'\. It has show\./],
  ["import { toString } from 'playground';\ntoString();", /no export 'toString'/],
  ["import { a } from '@tf/cor';\na();", /no package '@tf\/cor'\. Did you mean '@tf\/core'\?/],
  ["import './data.json';", /one file: there is no '\.\/data\.json' beside it/],
  ["import d from 'https://example.org/d.js';\nd();", /imports nothing from addresses/],
])('%j is refused with what to write', (code, message) => {
  expect((faultOf(() => checkImports(code, modules)) as Error).message).toMatch(message);
});

test('what exists passes, and so do types and names of the program', () => {
  expect(faultOf(() => checkImports("import { Operand, matmul } from '@tf/core';\nimport * as all from '@tf/linalg';\nexport const own = 1;\nexport { own as other };\nconst f = (x: Operand) => matmul(x, all.svd(x));", modules))).toBeUndefined();
});

test('a module that is asked for while a program runs has the same remedies', () => {
  expect(() => moduleOf('@tf/linalgg', modules)).toThrow("Did you mean '@tf/linalg'?");
  expect(() => moduleOf('constructor', modules)).toThrow("no package 'constructor'");
});

test('a name that is not defined is told where it can be imported, a member that is missing which is like it', () => {
  expect(remedyOf(new ReferenceError('matmul is not defined'), 'matmul()', modules)).toBe("Import it: import { matmul } from '@tf/core'.");
  expect(remedyOf(new ReferenceError('nobody is not defined'), 'nobody()', modules)).toBeUndefined();
  const code = "import * as core from '@tf/core';\ncore.matmull();";
  expect(remedyOf(new TypeError('core.matmull is not a function'), code, modules)).toContain("Did you mean 'matmul'?");
  expect(remedyOf(new TypeError('other.matmull is not a function'), code, modules)).toBeUndefined();
});
