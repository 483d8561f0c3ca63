import { expect, test, vi } from 'vitest';
import { main } from './main.ts';

test('traced, eager and a search over all paths find the same path', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const code = await main();
  const lines = log.mock.calls.map(([line]) => String(line));
  log.mockRestore();
  expect(code).toBe(0);
  expect(lines).toContain('traced      healthy healthy fever fever healthy healthy healthy   log-probability -9.145614');
  expect(lines.at(-1)).toBe('all three agree');
});
