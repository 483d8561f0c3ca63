/** What the suites need of a test runner: vitest's, node:test's, or any with these two. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => void | Promise<void>) => unknown;
}
