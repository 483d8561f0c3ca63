import { expect, test } from 'vitest';
import { naiveDft, relativeError } from '../cases/naive.ts';
import { transformOf, transformTables } from './stockham.ts';

const unit = 2 ** -53;

function randomLine(n: number): Float64Array {
  let state = n;
  return Float64Array.from({ length: 2 * n }, () => (state = (state * 16807) % 2147483647) / 2147483647 - 0.5);
}

/** All short lengths, primes, powers of 2, powers of 3 times 5. */
const lengths = [...Array.from({ length: 64 }, (_, at) => at + 1), 97, 101, 127, 128, 211, 243, 256, 405, 512, 961, 1009, 1024, 1215];

test.each(lengths)('a line of %i agrees with the definition', (n) => {
  const line = randomLine(n);
  const result = transformOf(n, transformTables(n)).run(Float64Array.from(line), new Float64Array(2 * n));
  expect(relativeError(result, naiveDft(line))).toBeLessThanOrEqual(2 * unit * Math.max(1, Math.log2(n)));
});
