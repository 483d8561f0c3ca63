import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOutput } from './progress.ts';

/** What is written to a stream that calls itself a terminal, or not. */
function written(isTTY: boolean): string {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80, cursorTo: () => true, clearLine: () => true, moveCursor: () => true });
  const output = createOutput(stream as unknown as NodeJS.WriteStream);
  const progress = output.progress('training', 4);
  for (let step = 1; step <= 4; step++) progress.done(step);
  progress.finish('trained');
  return String(stream.read());
}

describe('progress', () => {
  it('is a bar on a terminal and one plain line elsewhere', () => {
    expect(written(false)).toBe('trained\n');
    expect(written(true)).toMatch(/training .*\/4 steps[^]*trained\n$/);
  });
});
