import { TfError } from '../errors.ts';

/**
 * An extent that is not known when a program is built: a polynomial with integer coefficients over named symbols,
 * in canonical form, so that equal expressions have equal `text`.
 */
export interface DimExpr {
  readonly text: string;
  readonly terms: readonly DimTerm[];
  /** Per symbol that a run decides: the value that decides it, for whoever builds programs from values. Never compared, hashed or printed. */
  readonly sources?: ReadonlyMap<string, object>;
}

/** `coefficient · Π symbols`; symbols are sorted and may repeat; an empty list is the constant term. */
export interface DimTerm {
  readonly coefficient: number;
  readonly symbols: readonly string[];
}

/** An extent, stride or offset: a number where it is known. */
export type Dim = number | DimExpr;

/** Whether a value is an extent, as far as its form goes. */
export function isDim(value: unknown): value is Dim {
  return typeof value === 'number' || (typeof value === 'object' && value !== null && Array.isArray((value as { terms?: unknown }).terms));
}

const symbolName = /^[A-Za-z_][A-Za-z0-9_']*$/;

/** The symbolic extent called `name`. */
export function symbolicDim(name: string): DimExpr {
  if (typeof name !== 'string' || !symbolName.test(name)) {
    throw new TfError('ArgumentError', `A symbolic dimension needs a name of letters, digits and _, got ${JSON.stringify(name)}.`, { argument: 'name' });
  }
  return { text: name, terms: [{ coefficient: 1, symbols: [name] }] };
}

/** The counter of a repeated step as it stands in offsets: no name that a dimension can have. */
export function counterDim(counter: string): DimExpr {
  return { text: counter, terms: [{ coefficient: 1, symbols: [counter] }] };
}

export function isKnown(dim: Dim): dim is number {
  return typeof dim === 'number';
}

export function dimText(dim: Dim): string {
  return typeof dim === 'number' ? String(dim) : dim.text;
}

/** Whether two extents are the same for every binding of their symbols. */
export function sameDim(a: Dim, b: Dim): boolean {
  return a === b || (typeof a !== 'number' && typeof b !== 'number' && a.text === b.text);
}

export function addDims(a: Dim, b: Dim): Dim {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  return normalise([...termsOf(a), ...termsOf(b)], sourcesOf(a, b));
}

export function subDims(a: Dim, b: Dim): Dim {
  return addDims(a, mulDims(-1, b));
}

export function mulDims(a: Dim, b: Dim): Dim {
  // + 0: no extent is −0.
  if (typeof a === 'number' && typeof b === 'number') return a * b + 0;
  const terms: DimTerm[] = [];
  for (const x of termsOf(a)) {
    for (const y of termsOf(b)) {
      terms.push({ coefficient: x.coefficient * y.coefficient, symbols: [...x.symbols, ...y.symbols].sort() });
    }
  }
  return normalise(terms, sourcesOf(a, b));
}

/** `a / b` where it is exact for every binding, else undefined. */
export function divideDims(a: Dim, b: Dim): Dim | undefined {
  if (sameDim(a, b)) return 1;
  const divisor = termsOf(b);
  if (divisor.length !== 1) return undefined;
  const by = divisor[0] as DimTerm;
  const terms: DimTerm[] = [];
  for (const term of termsOf(a)) {
    const symbols = [...term.symbols];
    for (const symbol of by.symbols) {
      const at = symbols.indexOf(symbol);
      if (at < 0) return undefined;
      symbols.splice(at, 1);
    }
    const coefficient = term.coefficient / by.coefficient;
    if (!Number.isInteger(coefficient)) return undefined;
    terms.push({ coefficient, symbols });
  }
  return normalise(terms, sourcesOf(a));
}

export function productOfDims(dims: readonly Dim[]): Dim {
  let product: Dim = 1;
  for (const dim of dims) product = mulDims(product, dim);
  return product;
}

export type DimBinding = ReadonlyMap<string, number>;

/** The number that an extent stands for under a binding of its symbols. */
export function evaluateDim(dim: Dim, binding: DimBinding): number {
  if (typeof dim === 'number') return dim;
  let sum = 0;
  for (const { coefficient, symbols } of dim.terms) {
    let product = coefficient;
    for (const symbol of symbols) {
      const value = binding.get(symbol);
      if (value === undefined) throw new TfError('ConstraintError', `The symbolic dimension ${symbol} is not bound by any input.`, { symbol });
      product *= value;
    }
    sum += product;
  }
  return sum;
}

/** Whether a binding has all symbols of an extent. */
export function isBound(dim: Dim, binding: DimBinding): boolean {
  return typeof dim === 'number' || dim.terms.every(({ symbols }) => symbols.every((symbol) => binding.has(symbol)));
}

/** An extent that one symbol decides: coefficient·symbol + constant. */
export interface LinearDim {
  readonly symbol: string;
  readonly coefficient: number;
  readonly constant: number;
}

/** An extent as {@link LinearDim}, such as `n`, `2*m` or `n-1`; undefined for numbers, products and sums of symbols. */
export function linearDim(dim: Dim): LinearDim | undefined {
  if (typeof dim === 'number' || dim.terms.length > 2) return undefined;
  const [term, last] = dim.terms as readonly [DimTerm, DimTerm?];
  if (term.symbols.length !== 1 || (last !== undefined && last.symbols.length > 0)) return undefined;
  return { symbol: term.symbols[0] as string, coefficient: term.coefficient, constant: last?.coefficient ?? 0 };
}

/** The size of its symbol at which a linear extent is `extent`; undefined where none is. */
export function solveDim({ coefficient, constant }: LinearDim, extent: number): number | undefined {
  const size = (extent - constant) / coefficient;
  return Number.isInteger(size) && size >= 0 ? size + 0 : undefined;
}

/** Reads what {@link dimText} writes: sums of products of integers and symbols, such as `2*n*m + n - 1`. */
export function parseDim(text: string): Dim {
  let sum: Dim = 0;
  for (const part of text.replace(/-/g, '+-').split('+')) {
    const body = part.trim();
    if (body === '') continue;
    const negative = body.startsWith('-');
    let product: Dim = negative ? -1 : 1;
    for (const factor of (negative ? body.slice(1) : body).split('*')) {
      const token = factor.trim();
      product = mulDims(product, /^\d+$/.test(token) ? Number(token) : symbolicDim(token));
    }
    sum = addDims(sum, product);
  }
  return sum;
}

function termsOf(dim: Dim): readonly DimTerm[] {
  if (typeof dim !== 'number') return dim.terms;
  return dim === 0 ? [] : [{ coefficient: dim, symbols: [] }];
}

function sourcesOf(...dims: readonly Dim[]): ReadonlyMap<string, object> | undefined {
  let all: Map<string, object> | undefined;
  for (const dim of dims) {
    if (typeof dim === 'number' || dim.sources === undefined) continue;
    all ??= new Map();
    for (const [symbol, source] of dim.sources) all.set(symbol, source);
  }
  return all;
}

function normalise(terms: readonly DimTerm[], sources?: ReadonlyMap<string, object>): Dim {
  const byKey = new Map<string, DimTerm>();
  for (const term of terms) {
    const key = term.symbols.join('*');
    const seen = byKey.get(key);
    byKey.set(key, { coefficient: term.coefficient + (seen?.coefficient ?? 0), symbols: term.symbols });
  }
  const kept = [...byKey.entries()].filter(([, term]) => term.coefficient !== 0);
  if (kept.length === 0) return 0;
  if (kept.length === 1 && (kept[0] as [string, DimTerm])[0] === '') return (kept[0] as [string, DimTerm])[1].coefficient;
  // Constant term last, otherwise by name: the one printed form of the polynomial.
  kept.sort(([a], [b]) => (a === '' ? 1 : b === '' ? -1 : a < b ? -1 : 1));
  const result = { text: termsText(kept.map(([, term]) => term)), terms: kept.map(([, term]) => term) };
  if (sources === undefined) return result;
  const left = [...sources].filter(([symbol]) => result.terms.some(({ symbols }) => symbols.includes(symbol)));
  return left.length === 0 ? result : { ...result, sources: new Map(left) };
}

function termsText(terms: readonly DimTerm[]): string {
  let text = '';
  for (const { coefficient, symbols } of terms) {
    const size = Math.abs(coefficient);
    const body = symbols.length === 0 ? String(size) : (size === 1 ? '' : `${size}*`) + symbols.join('*');
    text += text === '' ? (coefficient < 0 ? `-${body}` : body) : coefficient < 0 ? `-${body}` : `+${body}`;
  }
  return text;
}
