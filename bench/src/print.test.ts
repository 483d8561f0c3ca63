import { describe, expect, it } from 'vitest';
import { fixedReport, fixedRows, measuredRow } from './bench.testing.ts';
import { formatNumber } from './figures.ts';
import { printReport } from './print.ts';

describe('the table of a terminal', () => {
  it('has medians, the best sample, ratios and reasons', () => {
    expect(printReport(fixedReport(fixedRows)).split('\n')).toEqual([
      'Test CPU, 2 cores, Node v20.0.0; one thread each',
      'tf traced 1.0.0, tfjs 4.22.0, numpy 2.0.0',
      'torch is absent: no module',
      '',
      'matmul 512, float32',
      '  contender  median  best     unit  samples   ± MAD  of best JS peer  error',
      '  tf traced    38.3  44.7  GFLOP/s        3  14.3 %            1.71×   1e-7',
      '  tf native    67.1  74.6  GFLOP/s        3  10.0 %            3.00×   1e-7',
      '  tfjs         22.4  22.4  GFLOP/s        3   0.0 %            1.00×   1e-7',
      '  jax-js       17.9  19.2  GFLOP/s        3   6.7 %           0.800×   1e-7',
      '  numpy         134   134  GFLOP/s        3   0.0 %            6.00×   1e-7',
      '  ml-matrix  has no float32',
      '',
      'noise (relative MAD): typically 6.7 %, at worst 14.3 % (matmul 512, float32: tf traced)',
    ]);
  });

  it('shows no ratio where no JavaScript peer was measured', () => {
    expect(printReport(fixedReport([measuredRow('a', 'tf', 'tf', [1, 1, 1])]))).toContain('0.0 %                –');
  });

  it('writes three digits', () => {
    expect([0.01234, 1.2345, 99.96, 1234.5, Number.NaN].map(formatNumber)).toEqual(['0.0123', '1.23', '100', '1235', '–']);
  });
});
