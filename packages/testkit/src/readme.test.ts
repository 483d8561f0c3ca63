import { readFileSync } from 'node:fs';
import * as core from '@tf/core';
import { expect, it } from 'vitest';
import * as testkit from './index.ts';

/** The fences of README.md, with what each promises to print. They are plain JavaScript. */
function fences(): readonly string[] {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code as string);
}

function execute(code: string): readonly string[] {
  const printed: string[] = [];
  const body = code.replace(/^import (\{.*\}) from ('.*');$/gm, 'const $1 = modules[$2];');
  new Function('modules', 'console', body)({ '@tf/core': core, '@tf/testkit': testkit }, { log: (...values: readonly unknown[]) => void printed.push(values.join(' ')) });
  return printed;
}

it('README.md prints what it promises', () => {
  const found = fences();
  expect(found.length).toBeGreaterThan(0);
  for (const code of found) expect(execute(code)).toEqual([...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line));
});
