import { expect, test } from 'vitest';
import { type TimerScope, trackTimers } from './timers.ts';

/** Timers that run when they are told to, each turn the oldest one. */
function createScope(): { readonly scope: TimerScope; turn(): boolean } {
  const queue = new Map<number, { readonly work: () => void; readonly repeats: boolean }>();
  let next = 1;
  const start = (repeats: boolean) => (work: unknown): number => {
    queue.set(next, { work: work as () => void, repeats });
    return next++;
  };
  const clear = (id?: number): void => void queue.delete(id as number);
  return {
    scope: { setTimeout: start(false), setInterval: start(true), clearTimeout: clear, clearInterval: clear },
    turn() {
      const [first] = queue;
      if (first === undefined) return false;
      const [id, { work, repeats }] = first;
      queue.delete(id);
      if (repeats) queue.set(id, { work, repeats });
      work();
      return true;
    },
  };
}

async function outcome(begin: (scope: TimerScope) => void, turns: number): Promise<boolean> {
  const { scope, turn } = createScope();
  const timers = trackTimers(scope);
  begin(scope);
  let isIdle = false;
  void timers.idle().then(() => (isIdle = true));
  for (let at = 0; at < turns; at++) {
    try {
      turn();
    } catch {
      // A timer that fails is over too.
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return isIdle;
}

test.each<readonly [string, (scope: TimerScope) => void, boolean]>([
  ['no timer at all', () => {}, true],
  ['one timer', (scope) => scope.setTimeout(() => {}), true],
  ['a timer that sets another one', (scope) => scope.setTimeout(() => scope.setTimeout(() => {})), true],
  ['a timer that another one follows after a promise', (scope) => scope.setTimeout(() => void Promise.resolve().then(() => scope.setTimeout(() => {}))), true],
  ['a timer that fails', (scope) => scope.setTimeout(() => { throw new Error('late'); }), true],
  ['a timer that is cleared', (scope) => scope.clearInterval(scope.setTimeout(() => {})), true],
  ['an interval that clears itself', (scope) => { const id = scope.setInterval(() => scope.clearInterval(id)); }, true],
  ['an interval that goes on', (scope) => scope.setInterval(() => {}), false],
  ['a timer that sets itself for ever', (scope) => { const again = (): void => void scope.setTimeout(again); again(); }, false],
])('the end of %s is seen', async (_, begin, ends) => {
  expect(await outcome(begin, 12)).toBe(ends);
});

test('is not idle while a timer is set', async () => {
  expect(await outcome((scope) => scope.setTimeout(() => {}), 0)).toBe(false);
});

test('hands on what timers are given', async () => {
  const given: unknown[] = [];
  const scope: TimerScope = { setTimeout: (work, ...rest) => (given.push(...rest), queueMicrotask(() => (work as (...values: readonly unknown[]) => void)(7)), 1), setInterval: () => 2, clearTimeout() {}, clearInterval() {} };
  trackTimers(scope);
  let received: unknown;
  scope.setTimeout((value: unknown) => (received = value), 5, 'x');
  await Promise.resolve();
  expect([given, received]).toEqual([[5, 'x'], 7]);
});
