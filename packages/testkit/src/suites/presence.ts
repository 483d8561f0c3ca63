import type { TestRunner } from './runner.ts';

/** A test runner that can say that a test was not run. */
export interface SkippingRunner {
  readonly it: TestRunner['it'] & { readonly skip: TestRunner['it'] };
}

/** Something that tests need and a machine may lack: an engine, or kernels that were not built. */
export interface Presence {
  /** As `TF_REQUIRE` calls it: `fft-wasm`. */
  readonly name: string;
  readonly isPresent: boolean;
  /** How it comes here. */
  readonly remedy: string;
  /** What may not be absent; the names in the environment variable `TF_REQUIRE`, separated by commas, when not given. */
  readonly required?: readonly string[];
}

/**
 * Makes one test of whether something is here: it passes where it is, fails where it is absent and required, and is skipped, by a name that
 * says so, where it is absent and need not be here. Gives whether it is here: tests that need it stand behind that.
 *
 * @example
 * import { describe, it } from 'node:test';
 * import { reportPresence } from '@tf/testkit';
 * if (!reportPresence({ it }, { name: 'acme-wasm', isPresent: true, remedy: 'pnpm build' })) throw new Error('unexpected');
 */
export function reportPresence({ it }: SkippingRunner, { name, isPresent, remedy, required = requiredHere() }: Presence): boolean {
  if (isPresent) void it(`${name} is here`, () => undefined);
  else if (required.includes(name)) {
    void it(`${name} is here`, () => {
      throw new Error(`${name} is absent and required (TF_REQUIRE). ${remedy}`);
    });
  } else void it.skip(`${name} is absent: ${remedy}`, () => undefined);
  return isPresent;
}

/** The names in `TF_REQUIRE`. */
function requiredHere(): readonly string[] {
  const { process } = globalThis as { readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> } };
  return (process?.env?.['TF_REQUIRE'] ?? '').split(',').map((name) => name.trim()).filter((name) => name !== '');
}
