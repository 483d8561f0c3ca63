import type { Atom, Var } from '../contract.ts';

/** Pages hold so many places; there are up to so many places per key, and this many at least; a key whose number lies elsewhere goes into a map. */
const PAGE_BITS = 7;
const PAGE_PLACES = 2 ** PAGE_BITS;
const PLACES_PER_KEY = 4;
const FEWEST_PLACES = 1024;
const MOST_PAGES = 2 ** 17;

interface Page<K, V> {
  readonly keys: (K | undefined)[];
  readonly values: (V | undefined)[];
}

/**
 * A map whose keys have numbers of their own, mostly different ones and close together, as the values of one program have:
 * pages of arrays, filled from either end, several times faster than a `Map` over 100 000s of values. Identity decides: keys that share a number, or whose
 * number is far from the others, are found too.
 */
export class NumberedMap<K extends object, V> {
  readonly #numberOf: (key: K) => number;
  readonly #pages: (Page<K, V> | undefined)[] = [];
  #placed = 0;
  #size = 0;
  #others: Map<K, V> | undefined;

  /** `numberOf` gives an integer that a key always has; a negative one sends it to the map. */
  constructor(numberOf: (key: K) => number) {
    this.#numberOf = numberOf;
  }

  get(key: K): V | undefined {
    const number = this.#numberOf(key);
    const page = this.#pages[number >> PAGE_BITS];
    const at = number & (PAGE_PLACES - 1);
    return page !== undefined && page.keys[at] === key ? page.values[at] : this.#others?.get(key);
  }

  has(key: K): boolean {
    const number = this.#numberOf(key);
    return this.#pages[number >> PAGE_BITS]?.keys[number & (PAGE_PLACES - 1)] === key || this.#others?.has(key) === true;
  }

  set(key: K, value: V): this {
    const number = this.#numberOf(key);
    const at = number & (PAGE_PLACES - 1);
    const page = this.#pages[number >> PAGE_BITS];
    const owner = page?.keys[at];
    if (page !== undefined && owner === key) page.values[at] = value;
    else if (owner !== undefined || this.#others?.has(key) === true) this.#setOther(key, value);
    else {
      const own = page ?? this.#newPage(number);
      if (own === undefined) this.#setOther(key, value);
      else {
        // No longer than it must be: most maps are small.
        for (let gap = own.keys.length; gap < at; gap++) {
          own.keys.push(undefined);
          own.values.push(undefined);
        }
        own.keys[at] = key;
        own.values[at] = value;
        this.#size++;
      }
    }
    return this;
  }

  #setOther(key: K, value: V): void {
    (this.#others ??= new Map<K, V>()).set(key, value);
  }

  /** Undefined where its places would hold too few keys. */
  #newPage(number: number): Page<K, V> | undefined {
    const at = number >> PAGE_BITS;
    if (at < 0 || at >= MOST_PAGES || this.#placed + PAGE_PLACES > FEWEST_PLACES + PLACES_PER_KEY * this.#size) return undefined;
    this.#placed += PAGE_PLACES;
    for (let gap = this.#pages.length; gap <= at; gap++) this.#pages.push(undefined);
    return (this.#pages[at] = { keys: [], values: [] });
  }
}

/** By a program's values. Literals are keys like others, slower ones. */
export class ValueMap<V> extends NumberedMap<Atom, V> {
  constructor(entries: Iterable<readonly [Atom, V]> = []) {
    super(numberOfValue);
    for (const [value, held] of entries) this.set(value, held);
  }
}

/** Values of a program. */
export class ValueSet {
  readonly #members = new ValueMap<true>();

  constructor(values: readonly Atom[] = []) {
    this.addAll(values);
  }

  has(value: Atom): boolean {
    return this.#members.has(value);
  }

  hasAny(values: readonly Atom[]): boolean {
    for (let at = 0; at < values.length; at++) if (this.#members.has(values[at] as Atom)) return true;
    return false;
  }

  add(value: Atom): this {
    this.#members.set(value, true);
    return this;
  }

  addAll(values: readonly Atom[]): this {
    for (let at = 0; at < values.length; at++) this.#members.set(values[at] as Atom, true);
    return this;
  }
}

/** Literals have no number. */
function numberOfValue(value: Atom): number {
  return (value as Partial<Var>).id ?? -1;
}
