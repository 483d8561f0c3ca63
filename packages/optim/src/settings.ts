import { wrongArgument } from '@tf/core';

/** Refuses anything but a finite number above 0. */
export function requirePositive(op: string, argument: string, value: unknown, takes = 'a positive number'): void {
  if (typeof value !== 'number' || !(value > 0) || value === Infinity) throw wrongArgument(op, argument, value, takes);
}

/** Refuses anything but a number from 0 up to, without, 1. */
export function requireFraction(op: string, argument: string, value: unknown): void {
  if (typeof value !== 'number' || !(value >= 0 && value < 1)) throw wrongArgument(op, argument, value, 'a number from 0 to below 1');
}

/** Refuses anything but a finite number that is not negative. */
export function requireWeight(op: string, argument: string, value: unknown): void {
  if (typeof value !== 'number' || !(value >= 0) || value === Infinity) throw wrongArgument(op, argument, value, 'a number from 0');
}
