import type { Atom, Var } from '../contract.ts';

/** The table has up to so many places per value, and this many at least; values whose own number lies further off go into a map. */
const PLACES_PER_VALUE = 4;
const FEWEST_PLACES = 1024;

/**
 * The positions of values in a list of them, which has each once. Looked up by their own numbers, mostly different ones and close together as those
 * of one program are; identity decides, as it does in `NumberedMap`, which this is but for lying in one typed array.
 */
export class ValueNumbers {
  readonly values: readonly Var[];
  readonly #first: number;
  /** By the values' own numbers, from the first on: 1 + the position of one that has it. */
  readonly #places: Int32Array;
  readonly #others: Map<Atom, number> = new Map<Atom, number>();

  constructor(values: readonly Var[]) {
    this.values = values;
    let [least, greatest] = [Infinity, -Infinity];
    for (let at = 0; at < values.length; at++) {
      const { id } = values[at] as Var;
      if (id < least) least = id;
      if (id > greatest) greatest = id;
    }
    // What a program computes is younger than what it reads, which may be of any age.
    const places = Math.min(greatest - least + 1, Math.max(FEWEST_PLACES, PLACES_PER_VALUE * values.length));
    this.#first = greatest - places + 1;
    this.#places = new Int32Array(values.length === 0 ? 0 : places);
    for (let at = 0; at < values.length; at++) {
      const place = (values[at] as Var).id - this.#first;
      if (place >= 0 && this.#places[place] === 0) this.#places[place] = at + 1;
      else this.#others.set(values[at] as Var, at);
    }
  }

  /** −1 for what is not among them. */
  of(value: Var): number {
    const place = value.id - this.#first;
    const at = place >= 0 && place < this.#places.length ? (this.#places[place] as number) - 1 : -1;
    return at >= 0 && this.values[at] === value ? at : (this.#others.get(value) ?? -1);
  }
}
