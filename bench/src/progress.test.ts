import { describe, expect, it } from 'vitest';
import { createProgress } from './progress.ts';

describe('progress', () => {
  it('overwrites one line on a terminal and clears it at the end', () => {
    const written: string[] = [];
    const { say, end } = createProgress({ isTTY: true, columns: 10, write: (text) => written.push(text) });
    say('a long line of text');
    end();
    expect(written).toEqual(['\r\u001b[Ka long li', '\r\u001b[K']);
  });

  it('writes a line for each round to a log', () => {
    const written: string[] = [];
    const { say } = createProgress({ write: (text) => written.push(text) });
    ['w: a: sample 1/7', 'w: b: sample 1/7', 'w: b: sample 2/7'].forEach(say);
    expect(written).toEqual(['w: a: sample 1/7\n', 'w: b: sample 2/7\n']);
  });
});
