/** Where indices come from, for the error of one that names no row. */
export interface IndexSource {
  /** The function that the user called. */
  readonly called: string;
  /** Its argument, `indices` when absent. */
  readonly argument?: string;
  /** They do not count from the end: one below 0 comes less the number of rows, so that it names none. */
  readonly fromStart?: boolean;
}
