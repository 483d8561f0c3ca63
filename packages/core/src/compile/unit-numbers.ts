/** What the values of the unit in hand are, as numbers. The next unit begins anew in the same table: its numbers lie above all before. */
export class UnitNumbers {
  readonly #numbers: Int32Array;
  #base = 1;
  #end = 1;

  constructor(values: number) {
    this.#numbers = new Int32Array(values);
  }

  /** Forgets what the values were. */
  restart(): void {
    this.#base = this.#end;
  }

  /** Negative where nothing is known. */
  of(value: number): number {
    return (this.#numbers[value] as number) - this.#base;
  }

  set(value: number, number: number): void {
    this.#numbers[value] = this.#base + number;
    if (this.#base + number >= this.#end) this.#end = this.#base + number + 1;
  }
}
