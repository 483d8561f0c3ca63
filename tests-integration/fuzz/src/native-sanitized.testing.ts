/** For `pnpm test:native-sanitized`: random programs, whose values matter less here than what they touch. */
import { expect, test } from 'vitest';
import { main } from './main.ts';

test('random programs on the native engine', async () => {
  expect(await main(['--engine', 'cpu-blas-native', '--programs', process.env['TF_SANITIZED_PROGRAMS'] ?? '120', '--seed', '8'])).toBe(0);
});
