import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

const runDocs = (files: Readonly<Record<string, string>>): { readonly code: number | null; readonly output: string } => {
  const root = mkdtempSync(join(tmpdir(), 'tf-docs-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/docs.mjs', '--root', root], { cwd: repository, encoding: 'utf8' });
    return { code: status, output: stdout + stderr };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

const fence = (...lines: readonly string[]): string => ['# Title', '', '```ts', ...lines, '```', ''].join('\n');
const example = (...lines: readonly string[]): string => ['/**', ' * Adds.', ' *', ' * @example', ...lines.map((line) => ` * ${line}`), ' */', 'export {};', ''].join('\n');

describe('the documentation check', () => {
  it('executes every fence and every example, and counts them', () => {
    const { code, output } = runDocs({
      'README.md': fence('console.log(1 + 1); // → 2') + fence('export const one: number = 1;'),
      'docs/deep/page.md': fence('const two: number = 2;', 'console.log(`${two}`);'),
      'packages/a/src/add.ts': example('const three: number = 1 + 2;', "if (three !== 3) throw new Error('no');"),
      'engines/b/src/sub.ts': example('```ts', 'console.log(3 - 1); // → 2', '```', '@see nothing'),
    });
    expect(output).toBe('5 blocks present, 5 executed, 0 failed\n');
    expect(code).toBe(0);
  });

  it('refuses a block that throws, at its line', () => {
    const { code, output } = runDocs({ 'README.md': fence("throw new Error('planted');") });
    expect(output).toContain('README.md:4 ended with code 1');
    expect(output).toContain('planted');
    expect(output).toContain('1 blocks present, 1 executed, 1 failed');
    expect(code).toBe(1);
  });

  it('refuses a block that prints something else', () => {
    const { code, output } = runDocs({ 'README.md': fence('console.log(1 + 1); // → 3') });
    expect(output).toContain('README.md:4 says it prints\n  3\nand prints\n  2');
    expect(code).toBe(1);
  });

  it('refuses a wrong type, at its line', () => {
    const { code, output } = runDocs({ 'packages/a/src/add.ts': example('export {};', "export const one: number = 'one';") });
    expect(output).toContain("packages/a/src/add.ts:6 TS2322: Type 'string' is not assignable to type 'number'.");
    expect(code).toBe(1);
  });

  it('refuses documentation without a single block', () => {
    const { code, output } = runDocs({ 'README.md': '# Title\n' });
    expect(output).toBe('0 blocks present, 0 executed, 0 failed\n');
    expect(code).toBe(1);
  });
});
