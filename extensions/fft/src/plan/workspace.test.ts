import { evaluateDim, symbolicDim } from '@tf/core';
import { expect, test } from 'vitest';
import { workspaceBytes } from './workspace.ts';

test('what a symbolic length is given is enough for every length', () => {
  for (const kind of ['dft', 'rdft', 'hdft'] as const) {
    for (const bytes of [4, 8]) {
      for (const inner of [1, 7]) {
        const bound = workspaceBytes(kind, symbolicDim('n'), inner, bytes);
        const short = Array.from({ length: 5000 }, (_, at) => at + 1).filter((n) => evaluateDim(bound, new Map([['n', n]])) < (workspaceBytes(kind, n, inner, bytes) as number));
        expect(short, `${kind} ${bytes} ${inner}`).toEqual([]);
      }
    }
  }
});
