import { describe, expect, it } from 'vitest';
import { measuredRow } from './bench.testing.ts';
import { disagreements } from './twice.ts';

const row = (samples: readonly number[]): ReturnType<typeof measuredRow> => measuredRow('a sum', 'tf', 'tf', samples, { unit: 'ms', amount: 1 });

describe('two runs', () => {
  it('agree within the noise that they state', () => {
    expect(disagreements([row([1, 1, 1])], [row([1.05, 1.05, 1.05])])).toEqual([]);
    expect(disagreements([row([8, 10, 12])], [row([10, 15, 20])])).toEqual([]);
  });

  it('are told apart beyond it', () => {
    expect(disagreements([row([1, 1, 1])], [row([1.5, 1.5, 1.5])])).toEqual(['a sum: tf: 1.00 and 1.50 ms are 50 % apart; the stated noise is 10 %']);
  });

  it('disagree when one of them measured nothing', () => {
    expect(disagreements([row([1, 1, 1])], [])).toEqual(['a sum: tf: measured in the first run, absent in the second']);
  });
});
