import type { Atom, Var } from '../contract.ts';

/** The array has up to so many places per key, and this many at least; a key whose number lies beyond goes into a map. */
const PLACES_PER_KEY = 4;
const FEWEST_PLACES = 1024;

/**
 * A map whose keys have numbers of their own, mostly different ones and close together, as the values of one program have:
 * an array, several times faster than a `Map` over 100 000s of values. Identity decides: keys that share a number, or whose
 * number is far from the others, are found too.
 */
export class NumberedMap<K extends object, V> {
  readonly #numberOf: (key: K) => number;
  readonly #keys: (K | undefined)[] = [];
  readonly #values: V[] = [];
  #size = 0;
  #others: Map<K, V> | undefined;

  /** `numberOf` gives an integer that a key always has; a negative one sends it to the map. */
  constructor(numberOf: (key: K) => number) {
    this.#numberOf = numberOf;
  }

  get(key: K): V | undefined {
    const at = this.#numberOf(key);
    return at >= 0 && this.#keys[at] === key ? this.#values[at] : this.#others?.get(key);
  }

  has(key: K): boolean {
    const at = this.#numberOf(key);
    return (at >= 0 && this.#keys[at] === key) || this.#others?.has(key) === true;
  }

  set(key: K, value: V): this {
    const at = this.#numberOf(key);
    const owner = at < 0 ? undefined : this.#keys[at];
    if (owner === key) this.#values[at] = value;
    else if (owner === undefined && at >= 0 && at < FEWEST_PLACES + PLACES_PER_KEY * this.#size && this.#others?.has(key) !== true) this.#place(at, key, value);
    else (this.#others ??= new Map<K, V>()).set(key, value);
    return this;
  }

  #place(at: number, key: K, value: V): void {
    for (let gap = this.#keys.length; gap < at; gap++) {
      this.#keys.push(undefined);
      this.#values.push(value);
    }
    this.#keys[at] = key;
    this.#values[at] = value;
    this.#size++;
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

  constructor(values: Iterable<Atom> = []) {
    for (const value of values) this.add(value);
  }

  has(value: Atom): boolean {
    return this.#members.has(value);
  }

  add(value: Atom): this {
    this.#members.set(value, true);
    return this;
  }
}

/** Literals have no number. */
function numberOfValue(value: Atom): number {
  return (value as Partial<Var>).id ?? -1;
}
