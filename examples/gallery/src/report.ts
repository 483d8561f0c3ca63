import { type Claim, type GalleryNumber, holds } from './example.ts';

/** Numbers as a table in text: each beside its known answer and what is promised of it. */
export function numberLines(numbers: readonly GalleryNumber[]): readonly string[] {
  const width = Math.max(0, ...numbers.map(({ what }) => what.length));
  return numbers.map((number) => {
    const { what, value, unit, known, claim } = number;
    const parts = [`${claim === undefined ? ' ' : holds(number) ? '✓' : '✗'} ${what.padEnd(width)}  ${numberText(value)}${unit === undefined ? '' : ` ${unit}`}`];
    if (known !== undefined) parts.push(`${known.source} ${numberText(known.value)}, off by ${Math.abs(value - known.value).toExponential(1)}`);
    if (claim !== undefined) parts.push(`wanted: ${claimText(claim)}`);
    return parts.join('  ·  ');
  });
}

function claimText(claim: Claim): string {
  if ('atMost' in claim) return `at most ${numberText(claim.atMost)}`;
  if ('atLeast' in claim) return `at least ${numberText(claim.atLeast)}`;
  return `within ${numberText(claim.within)}`;
}

/** Ten digits, as few as say it, and powers of ten only where they are shorter. */
function numberText(value: number): string {
  return String(Number(value.toPrecision(Math.abs(value) < 1e-3 ? 3 : 10)));
}
