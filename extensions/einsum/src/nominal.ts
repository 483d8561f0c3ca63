import { type Dim, isKnown } from '@tf/core';

/** What a symbolic extent counts as where one path or form is chosen for all sizes, and no size is given. */
const NOMINAL_EXTENT = 64;

/** A size to reckon with: the extent, or what it comes to for nominal symbols; at least 1. */
export function nominalSize(size: Dim, sizes: Readonly<Record<string, number>> = {}): number {
  if (isKnown(size)) return size;
  const value = size.terms.reduce((sum, { coefficient, symbols }) => sum + symbols.reduce((product, symbol) => product * (sizes[symbol] ?? NOMINAL_EXTENT), coefficient), 0);
  return Math.max(1, value);
}

/** The symbols of an extent. */
export function symbolsOf(size: Dim): readonly string[] {
  return isKnown(size) ? [] : size.terms.flatMap(({ symbols }) => symbols);
}
