/** The page docs/accuracy.md. */
import { cpus } from 'node:os';
import { complexBar, type ComplexDType, type ComplexMeasurement, complexText } from './complex-measure.ts';
import type { FloatDType } from './format.ts';
import { arityOf, barOf, bars, type Measurement } from './measure.ts';

export interface Circumstances {
  readonly date: string;
  readonly machine: string;
}

const here = (): Circumstances => ({ date: new Date().toISOString().slice(0, 10), machine: `${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}` });

const dtypes: readonly FloatDType[] = ['float32', 'float64'];
const complexDTypes: readonly ComplexDType[] = ['complex64', 'complex128'];

/** What a page shows. */
export interface Results {
  readonly real: readonly Measurement[];
  readonly complex: readonly ComplexMeasurement[];
}

const heading = (names: readonly string[]): readonly string[] => [
  `| function | ${names.map((dtype) => `${dtype}: worst | mean | where the worst is | points`).join(' | ')} |`,
  `| --- | ${names.map(() => '--: | --: | --- | --:').join(' | ')} |`,
];

/** One line for each function; what is beyond its bar is listed below the table. */
export function tableText({ real, complex }: Results, complaints: readonly string[], { date, machine }: Circumstances = here()): string {
  const names = [...new Set(real.map(({ name }) => name))];
  const complexNames = [...new Set(complex.map(({ name }) => name))];
  const total = [...real, ...complex].reduce((sum, { points }) => sum + points, 0);
  return [
    '<!-- Written by `pnpm accuracy --table docs/accuracy.md`. -->',
    '# Accuracy of the functions',
    '',
    'Errors of the values that the cpu-wasm engine gives, in units of the last place of the exact value, which is computed with',
    `192 bits. Bars: float32 ${bars.float32} ulp, float64 ${bars.float64} ulp, lgamma and digamma ${bars.float64} ulp in both. Near zeros, where no`,
    'format holds what would be needed, units are those of 1 for lgamma and digamma, and those of the larger operand for logAddExp.',
    `[How it is measured](../tests-integration/accuracy/README.md). ${names.length} functions, ${complexNames.length} of them of complex numbers too, ${total} points, ${date}, ${machine}.`,
    '',
    ...heading(dtypes),
    ...names.map((name) => `| \`${name}\` | ${dtypes.map((dtype) => cells(real.find((result) => result.name === name && result.dtype === dtype))).join(' | ')} |`),
    '',
    '## Of complex numbers',
    '',
    `The distance |value − exact| beside |exact|, in units of 2⁻²³ (complex64) or 2⁻⁵² (complex128); at most ${complexBar}. A part that is small beside the`,
    'other may be less exact by itself.',
    '',
    ...heading(complexDTypes),
    ...complexNames.map((name) => `| \`${name}\` | ${complexDTypes.map((dtype) => complexCells(complex.find((result) => result.name === name && result.dtype === dtype))).join(' | ')} |`),
    '',
    complaints.length === 0 ? 'All are within their bars.' : `Beyond the bars:\n\n${complaints.map((line) => `- ${line}`).join('\n')}`,
    '',
  ].join('\n');
}

function complexCells(result: ComplexMeasurement | undefined): string {
  if (result === undefined) return ' |  |  | ';
  const { worst, mean, at, points } = result;
  return `${worst > complexBar ? `**${worst.toFixed(2)}**` : worst.toFixed(2)} | ${mean.toFixed(2)} | ${complexText(at)} | ${points}`;
}

function cells(result: Measurement | undefined): string {
  if (result === undefined) return ' |  |  | ';
  const { name, dtype, worst, mean, at, points } = result;
  const where = at.slice(0, arityOf(name)).join(', ');
  return `${worst > barOf(name, dtype) ? `**${worst.toFixed(2)}**` : worst.toFixed(2)} | ${mean.toFixed(2)} | ${where} | ${points}`;
}
