/**
 * Extents that a run decides: symbols that an instruction introduces, each at most a bound (contracts.md §5). In a program
 * they are numbered in the order in which they come up, so that programs of equal structure are equal.
 */
import { addDims, type Dim, type DimExpr, isKnown, mulDims, symbolicDim } from './dim.ts';

/** Names that no input's extent may have. */
const introduced = /^k'(\d+)$/;

/** The name of the introduced symbol with this number. */
export function introducedName(number: number): string {
  return `k'${number}`;
}

/** The extent called `name`, which `source` decides. */
export function introducedDim(name: string, source?: object): DimExpr {
  const dim = symbolicDim(name);
  return source === undefined ? dim : { ...dim, sources: new Map([[name, source]]) };
}

/** The number of an introduced symbol, or undefined for the name of an input's extent. */
export function introducedNumber(symbol: string): number | undefined {
  const match = introduced.exec(symbol);
  return match === null ? undefined : Number(match[1]);
}

/** A text with other names for the introduced symbols that it mentions. */
export function renameInText(text: string, name: (symbol: string) => string): string {
  return text.replace(/\bk'\d+/g, name);
}

/** Calls `visit` with every introduced symbol of an extent. */
export function visitIntroduced(dim: Dim, visit: (symbol: string) => void): void {
  if (isKnown(dim)) return;
  for (const { symbols } of dim.terms) for (const symbol of symbols) if (introduced.test(symbol)) visit(symbol);
}

export function mentionsIntroduced(dim: Dim): boolean {
  return !isKnown(dim) && dim.terms.some(({ symbols }) => symbols.some((symbol) => introduced.test(symbol)));
}

/** The extent with other extents in place of some symbols. */
export function substituteDim(dim: Dim, replacements: ReadonlyMap<string, Dim>): Dim {
  if (isKnown(dim) || !dim.terms.some(({ symbols }) => symbols.some((symbol) => replacements.has(symbol)))) return dim;
  let sum: Dim = 0;
  for (const { coefficient, symbols } of dim.terms) {
    let product: Dim = coefficient;
    for (const symbol of symbols) product = mulDims(product, replacements.get(symbol) ?? introducedDim(symbol, dim.sources?.get(symbol)));
    sum = addDims(sum, product);
  }
  return sum;
}

/**
 * An extent that is never smaller, without the symbols in `bounds`: each is between 0 and its bound, so what is added
 * counts with the bound and what is taken off with 0.
 */
export function upperBound(dim: Dim, bounds: ReadonlyMap<string, Dim>): Dim {
  let bounded = dim;
  // A bound may mention symbols that were introduced before it.
  while (!isKnown(bounded) && bounded.terms.some(({ symbols }) => symbols.some((symbol) => bounds.has(symbol)))) {
    let sum: Dim = 0;
    for (const { coefficient, symbols } of bounded.terms) {
      const isDropped = coefficient < 0 && symbols.some((symbol) => bounds.has(symbol));
      let product: Dim = isDropped ? 0 : coefficient;
      for (const symbol of symbols) product = mulDims(product, bounds.get(symbol) ?? symbolicDim(symbol));
      sum = addDims(sum, product);
    }
    bounded = sum;
  }
  return bounded;
}

/** Whether an extent is at least 0 for every binding, as far as its form tells: symbols are sizes. */
export function isNeverNegative(dim: Dim): boolean {
  return isKnown(dim) ? dim >= 0 : dim.terms.every(({ coefficient }) => coefficient > 0);
}
