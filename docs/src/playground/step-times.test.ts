import { expect, test } from 'vitest';
import { fastest, stepTimeText, timesOver, timeText } from './step-times.ts';

/** Gives one number after the other, the last one for ever. */
const sequence = (...values: readonly number[]) => {
  let at = 0;
  return (): number => values[Math.min(at++, values.length - 1)]!;
};

test('a step is what it takes more than a run without steps', () => {
  expect(timesOver(sequence(2, 2.1), [() => 5, () => undefined])).toEqual([{ time: 3, isBelow: false }, undefined]);
});

test('what is less than runs without steps differ by is said to be below that, after it was measured again', () => {
  let count = 0;
  const [step] = timesOver(sequence(2, 2.5), [() => (count++, 2.2)]);
  expect([count, step]).toEqual([3, { time: 0.5, isBelow: true }]);
  expect(timesOver(sequence(2), [() => 1.5])).toEqual([{ time: 0.01, isBelow: true }]);
});

test('no time is shown as nothing', () => {
  expect(stepTimeText({ time: 0.01, isBelow: true })).toBe('< 0.01 µs');
  expect(stepTimeText({ time: 0.0123, isBelow: false })).toBe('0.0123 µs');
  expect(stepTimeText({ time: 0.1234, isBelow: true })).toBe('< 0.13 µs');
  expect(stepTimeText(undefined)).toBe('not alone');
  expect([0.5, 12.345, 999.9, 1234, 2.5e6].map(timeText)).toEqual(['0.5 µs', '12.3 µs', '1000 µs', '1.23 ms', '2.5 s']);
});

test('what is too fast for a clock is repeated until it is not', () => {
  expect(fastest(() => {})).toBeGreaterThan(0);
});
