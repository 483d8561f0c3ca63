/** What a check looked at and what it found wrong: a line of the table that `pnpm packaging` prints. */
export interface Section {
  readonly name: string;
  /** How many there were of each thing that was checked. */
  readonly counted: Readonly<Record<string, number>>;
  /** One line each; none when all is well. */
  readonly faults: readonly string[];
  /** What a reader wants to know beside it: sizes, times. */
  readonly notes?: readonly string[];
}
