import { describe, expect, it } from 'vitest';
import { type Presence, reportPresence } from './presence.ts';

/** The test that is made, and how it ends. */
function made(presence: Omit<Presence, 'name' | 'remedy'>): readonly string[] {
  const seen: string[] = [];
  const run = (name: string, body: () => unknown): void => {
    try {
      body();
      seen.push(`passed: ${name}`);
    } catch (error) {
      seen.push(`failed: ${name}: ${(error as Error).message}`);
    }
  };
  const runner = Object.assign(run, { skip: (name: string) => void seen.push(`skipped: ${name}`) });
  seen.push(String(reportPresence({ it: runner }, { name: 'acme-wasm', remedy: 'pnpm build', ...presence })));
  return seen;
}

describe('what may be absent', () => {
  it('is reported: here, absent, or absent where it is required', () => {
    expect(made({ isPresent: true, required: [] })).toEqual(['passed: acme-wasm is here', 'true']);
    expect(made({ isPresent: true, required: ['acme-wasm'] })).toEqual(['passed: acme-wasm is here', 'true']);
    expect(made({ isPresent: false, required: ['other-wasm'] })).toEqual(['skipped: acme-wasm is absent: pnpm build', 'false']);
    expect(made({ isPresent: false, required: ['acme-wasm'] })).toEqual(['failed: acme-wasm is here: acme-wasm is absent and required (TF_REQUIRE). pnpm build', 'false']);
  });

  it('is required where TF_REQUIRE names it', () => {
    const before = process.env['TF_REQUIRE'];
    try {
      process.env['TF_REQUIRE'] = 'cpu-wasm, acme-wasm';
      expect(made({ isPresent: false })[0]).toContain('failed: ');
      process.env['TF_REQUIRE'] = 'cpu-wasm';
      expect(made({ isPresent: false })[0]).toContain('skipped: ');
    } finally {
      if (before === undefined) delete process.env['TF_REQUIRE'];
      else process.env['TF_REQUIRE'] = before;
    }
  });
});
