import { expect, test } from 'vitest';
import { compileSource, placeOfSyntaxError, stripTypes } from './source.ts';

test('types go, lines stay', () => {
  const code = "import { a, type B } from 'm';\ninterface C {\n  x: number;\n}\nconst y: B<C> = a!;\n";
  const stripped = stripTypes(code);
  expect(stripped.split('\n').length).toBe(code.split('\n').length);
  expect(stripped).not.toMatch(/interface|B<C>/);
});

test('runs with the modules and the console that it is given, and awaits at the top', async () => {
  const printed: unknown[] = [];
  const { run } = compileSource("import { two } from 'm';\nconst n: number = await Promise.resolve(two);\nconsole.log(n + 1);");
  await run((name) => (name === 'm' ? { two: 2 } : {}), {}, { log: (value: unknown) => printed.push(value) });
  expect(printed).toEqual([3]);
});

test('an error has its line in the program', async () => {
  const { run, placeOf } = compileSource("const a: number = 1;\n\nthrow new Error('here');");
  const thrown = await run(() => ({}), {}, {}).catch((error: unknown) => error as Error);
  expect(placeOf(thrown as Error)).toEqual({ line: 3, column: 7 });
});

test('a syntax error has its line', () => {
  let message = '';
  try {
    compileSource('const a = 1;\nconst = 2;');
  } catch (thrown) {
    ({ message } = thrown as Error);
  }
  expect(placeOfSyntaxError(message)).toMatchObject({ line: 2 });
});
