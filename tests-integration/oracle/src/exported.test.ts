import { fileURLToPath } from 'node:url';
import { hasJax } from '@tf/export-stablehlo/node';
import { reportPresence } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import { judgeExported } from './exported.ts';
import { areasOf, type Line, loadSet } from './set.ts';

const isHere = reportPresence({ it }, { name: 'xla', isPresent: hasJax(), remedy: 'pnpm test:xla installs JAX for Python, which is slow on the first run' });
/** `pnpm test:xla`: every case. */
const isWhole = process.env['TF_XLA_ALL'] === '1';
const dir = fileURLToPath(new URL('../cases', import.meta.url));
const { lines } = loadSet({ dir, areas: areasOf(dir), prefix: '' });

describe.runIf(isHere)('the shared cases as exported programs', () => {
  it('pass, but for subnormal numbers and errors of runs', async () => {
    const chosen = isWhole ? lines : lines.filter((_, at) => at % 40 === 0);
    const { verdicts, runs } = await judgeExported(chosen);
    expect(verdicts.map(({ id }) => id).sort()).toEqual(chosen.map(({ id }) => id).sort());
    expect(verdicts.filter(({ status, optional }) => status === 'failed' && !optional).map(({ id, faults }) => `${id}: ${faults.join('; ')}`)).toEqual([]);
    expect(new Set(verdicts.flatMap(({ missing }) => missing.filter((name) => !['subnormal numbers', 'errors of runs'].includes(name))))).toEqual(new Set());
    expect(runs).toBeGreaterThan(chosen.length);
  }, 3_600_000);

  it('fail where a case asks for something else', async () => {
    const [line] = lines.filter(({ id }) => id === 'fft.fft.001') as readonly Line[];
    if (line === undefined || 'fault' in line) throw new Error('the case is gone');
    const [wanted] = line.test.expect.outputs?.[0]?.tensors ?? [];
    if (wanted === undefined || wanted === null) throw new Error('the case has no outputs');
    const wrong = { ...wanted, data: (wanted.data as Float64Array).map((value) => value + 1) };
    const { verdicts } = await judgeExported([{ ...line, test: { ...line.test, expect: { ...line.test.expect, outputs: [{ label: '', tensors: [wrong] }] } } }]);
    expect(verdicts.map(({ status }) => status)).toEqual(['failed']);
  }, 600_000);
});
