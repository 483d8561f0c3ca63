/** The page docs/accuracy.md. */
import { cpus } from 'node:os';
import type { FloatDType } from './format.ts';
import { arityOf, barOf, bars, type Measurement } from './measure.ts';

export interface Circumstances {
  readonly date: string;
  readonly machine: string;
}

const here = (): Circumstances => ({ date: new Date().toISOString().slice(0, 10), machine: `${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}` });

const dtypes: readonly FloatDType[] = ['float32', 'float64'];

/** One line for each function; what is beyond its bar is listed below the table. */
export function tableText(results: readonly Measurement[], complaints: readonly string[], { date, machine }: Circumstances = here()): string {
  const names = [...new Set(results.map(({ name }) => name))];
  const total = results.reduce((sum, { points }) => sum + points, 0);
  return [
    '<!-- Written by `pnpm accuracy --table docs/accuracy.md`. -->',
    '# Accuracy of the functions',
    '',
    'Errors of the values that the cpu-wasm engine gives, in units of the last place of the exact value, which is computed with',
    `192 bits. Bars: float32 ${bars.float32} ulp, float64 ${bars.float64} ulp, lgamma and digamma ${bars.float64} ulp in both (near their zeros in`,
    `units of 1). [How it is measured](../tests-integration/accuracy/README.md). ${names.length} functions, ${total} points, ${date}, ${machine}.`,
    '',
    `| function | ${dtypes.map((dtype) => `${dtype}: worst | mean | where the worst is | points`).join(' | ')} |`,
    `| --- | ${dtypes.map(() => '--: | --: | --- | --:').join(' | ')} |`,
    ...names.map((name) => `| \`${name}\` | ${dtypes.map((dtype) => cells(results.find((result) => result.name === name && result.dtype === dtype))).join(' | ')} |`),
    '',
    complaints.length === 0 ? 'All are within their bars.' : `Beyond the bars:\n\n${complaints.map((line) => `- ${line}`).join('\n')}`,
    '',
  ].join('\n');
}

function cells(result: Measurement | undefined): string {
  if (result === undefined) return ' |  |  | ';
  const { name, dtype, worst, mean, at, points } = result;
  const where = at.slice(0, arityOf(name)).join(', ');
  return `${worst > barOf(name, dtype) ? `**${worst.toFixed(2)}**` : worst.toFixed(2)} | ${mean.toFixed(2)} | ${where} | ${points}`;
}
