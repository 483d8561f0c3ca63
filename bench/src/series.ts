/** A workload of a series: the same with another size. */
export interface SeriesPlace {
  /** What grows how: `gradient of a chain, compile`. */
  readonly name: string;
  /** What is counted: `operations`. */
  readonly of: string;
  readonly at: number;
}
