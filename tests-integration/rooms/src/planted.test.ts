import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { repository, runNode, TemporaryFolder } from './tree.ts';

const planted = 'packages/core/src/types/planted.ts';

describe('a forbidden import, planted in a copy of this workspace', () => {
  it('is refused, and accepted put right', async () => {
    using folder = new TemporaryFolder().copy('packages', 'engines', 'examples', 'tests-integration', 'rooms.json', 'package.json');
    folder.add({ [planted]: `import '@tf/engine-cpu-wasm';\n` });
    const refused = await runNode('scripts/rooms.mjs', '--root', folder.path);
    expect(refused.output).toContain(`${planted}:1 [core/types] imports @tf/engine-cpu-wasm: `);
    expect(refused.code).toBe(1);

    folder.add({ [planted]: `export type { DType } from './dtype.ts';\n` });
    const accepted = await runNode('scripts/rooms.mjs', '--root', folder.path);
    expect(accepted.output).toMatch(/ 0 violations$/m);
    expect(accepted.code).toBe(0);
  });
});

describe('a wrong type, planted in a copy of core', () => {
  const typecheck = (folder: TemporaryFolder): ReturnType<typeof runNode> =>
    runNode('node_modules/typescript/bin/tsc', '-b', `${folder.path}/packages/core/tsconfig.src.json`);

  it('is refused, and accepted put right', async () => {
    using folder = new TemporaryFolder().copy('packages/core', 'tsconfig.base.json', 'tsconfig.leaf.json');
    folder.add({ [planted]: `export const rank: number = 'two';\n` });
    const refused = await typecheck(folder);
    expect(refused.output).toMatch(/planted\.ts\(1,14\): error TS2322: Type 'string' is not assignable to type 'number'\./);
    expect(refused.code).not.toBe(0);

    folder.add({ [planted]: `export const rank: number = 2;\n` });
    const accepted = await typecheck(folder);
    expect(accepted.output).toBe('');
    expect(accepted.code).toBe(0);
  });
});

describe('a lint fault', () => {
  const eslint = new ESLint({ cwd: repository });
  const lint = async (text: string, filePath = `${repository}${planted}`): Promise<(string | null)[]> => {
    const [result] = await eslint.lintText(text, { filePath });
    return (result?.messages ?? []).map(({ ruleId, message }) => ruleId ?? message);
  };
  const statements = (count: number): string => `export const f = (): void => {\n${'  f();\n'.repeat(count)}};\n`;

  it.each([
    ['module-level let', 'let count = 0;\nexport const next = (): number => ++count;\n', 'no-restricted-syntax', 'export const next = (count: number): number => count + 1;\n'],
    ['exported module-level let', 'export let count = 0;\nexport const next = (): number => ++count;\n', 'no-restricted-syntax', 'export const count = 0;\n'],
    ['module-level registry', 'export const families = new Map<string, number>();\n', 'no-restricted-syntax', "export const families = new Map<string, number>([['a', 1]]);\n"],
    ['default export', 'export default 1;\n', 'no-restricted-syntax', 'export const one = 1;\n'],
    ['explicit any', 'export const f = (x: any): number => x;\n', '@typescript-eslint/no-explicit-any', 'export const f = (x: number): number => x;\n'],
    ['unused variable', 'const unused = 1;\nexport {};\n', '@typescript-eslint/no-unused-vars', 'export const used = 1;\n'],
    ['TODO', '// TODO: later\nexport {};\n', 'no-warning-comments', '// Later is another issue.\nexport {};\n'],
    ['function of 61 lines', statements(59), 'max-lines-per-function', statements(58)],
    ['file of 801 lines', 'export {};\n'.repeat(801), 'max-lines', 'export {};\n'.repeat(800)],
  ])('%s is refused, and accepted put right', async (_, wrong, rule, right) => {
    expect(await lint(wrong)).toEqual([rule]);
    expect(await lint(right)).toEqual([]);
  });

  it('refuses a property without a seed, in tests', async () => {
    const path = `${repository}packages/core/src/planted.prop.test.ts`;
    const property = (parameters: string): string => `import fc from 'fast-check';\nfc.assert(fc.property(fc.record({ seed: fc.nat() }), () => true)${parameters});\n`;
    for (const wrong of ['', ', { numRuns: 5 }']) expect(await lint(property(wrong), path)).toEqual(['no-restricted-syntax']);
    for (const right of [', { seed: 1 }', ', { numRuns: 5, seed: 1 }', ', parameters']) expect(await lint(property(right), path)).toEqual([]);
  });

  it('cannot be switched off in a comment', async () => {
    const found = await lint('/* eslint-disable no-restricted-syntax */\nexport default 1;\n');
    expect(found).toContain('no-restricted-syntax');
    expect(found.join('\n')).toMatch(/noInlineConfig/);
  });

  it('allows module-level let in the creation clock and nowhere else', async () => {
    const text = 'let count = 0;\nexport const next = (): number => ++count;\n';
    expect(await lint(text, `${repository}packages/core/src/program/clock.ts`)).toEqual([]);
    expect(await lint(text, `${repository}packages/core/src/program/builder.ts`)).toEqual(['no-restricted-syntax']);
    expect(await lint(text, `${repository}engines/cpu-wasm/src/clock.ts`)).toEqual(['no-restricted-syntax']);
  });
});
