import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const file = fileURLToPath(new URL('einsum-types.virtual.ts', import.meta.url));

interface Checked {
  readonly messages: readonly string[];
  readonly instantiations: number;
}

/** Lets the compiler check a text that stands beside this test. */
function check(text: string): Checked {
  const { config } = ts.readConfigFile(`${root}/tsconfig.leaf.json`, (path) => ts.sys.readFile(path)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const all: ts.CompilerOptions = { ...options, incremental: false, noEmit: true, types: [] };
  const host = ts.createCompilerHost(all);
  const read = host.readFile.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  host.readFile = (path) => (path === file ? text : read(path));
  host.fileExists = (path) => path === file || ts.sys.fileExists(path);
  host.getSourceFile = (path, ...rest) => (path === file ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022) : getSourceFile(path, ...rest));
  const program = ts.createProgram([file], all, host);
  const messages = program.getSemanticDiagnostics(program.getSourceFile(file)).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  return { messages, instantiations: program.getInstantiationCount() };
}

const head = "import type { Var } from '@tf/core';\nimport { einsum } from '@tf/einsum';\ndeclare const a: Var<'float64'>;\ndeclare const b: Var<'float32'>;\n";

test('the compiler says what is wrong with a literal equation, in words', { timeout: 120_000 }, () => {
  const { messages } = check(`${head}einsum('ij,jk->ik', a);\neinsum('ij,jk->iz', a, b);\neinsum('ij,jk->ii', a, b);\neinsum('ij,jk->ik', a, b);\n`);
  expect(messages).toHaveLength(3);
  expect(messages[0]).toContain('einsum: ij,jk->ik names 2 operands, 1 were given');
  expect(messages[1]).toContain('einsum: in ij,jk->iz, the output label z is in no operand\'s term');
  expect(messages[2]).toContain('einsum: in ij,jk->ii, the output has the label i twice');
});

test('an equation costs the compiler little, a long one too', { timeout: 120_000 }, () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const chain = [...letters].slice(0, -1).map((letter, at) => letter + letters[at + 1]).join(',');
  const before = check(`${head}einsum('i->i', a);\n`);
  const short = check(`${head}einsum('i->i', a);\neinsum('bij,bjk->bik', a, b);\neinsum('ij,jk->ki', b, b);\n`);
  const long = check(`${head}einsum('i->i', a);\neinsum('${chain}->az', ${[...letters].slice(1).map(() => 'a').join(', ')});\n`);
  expect([before.messages, short.messages, long.messages]).toEqual([[], [], []]);
  expect((short.instantiations - before.instantiations) / 2).toBeLessThan(1500);
  expect(long.instantiations - before.instantiations).toBeLessThan(6000);
});
