/**
 * The step table: what `run` walks. A record is a row of 32-bit words; extents are counts, strides and lengths bytes.
 * Emitters read these positions, `plan/*-records.ts` fill them.
 *
 *     every record    0 element of the function table   1 bytes of this record
 *     loop            2 … extents   then the count folded per output   then per operand: address, one delta per axis
 *     contract        see below, then the batch axes
 *     gather, scatter see below, then all iteration axes but the innermost
 *     copy            2 from   3 to   4 bytes
 *     size            as copy, from the value, which follows: 5 value
 *     sort            see below, then all axes but the sorted one
 *     iota            2 out   3 elements
 *     call            2 number of the call in its plan   then arguments of the kernel, see below
 *     split           as the step's own: this word alone differs (threads/team.ts)
 *     extent          nothing: the walk ends here, and goes on behind it when the records there are right
 *     tile            2 tiles   3 bytes of this header   then its entries; the records of its loops follow the header
 *     repeat          2 count   3 bytes of this header   then its entries; the records of its steps follow the header
 *     while           2 the bool   3 bytes to the end of the condition   then the records of condition and steps
 *     branch          2 the index   3 branches − 1   4 … bytes to each branch, and to the end   then the records of all branches
 *
 * A *delta* moves an operand's pointer when its axis steps, the axes inside it having run to their ends:
 * delta[a] = stride[a] − extent[a+1]·stride[a+1] (innermost: its stride).
 */
export const functionWord = 0;
export const bytesWord = 1;
export const firstWord = 2;

/** Elements of the function table that every module has; its own routines follow. */
export const builtins = { end: -1, nothing: 0, copy: 1, split: 2, count: 3 } as const;

export const loopRecord = {
  extent: (axis: number): number => firstWord + axis,
  foldCount: (rank: number): number => firstWord + rank,
  address: (rank: number, operand: number): number => firstWord + rank + 1 + operand * (rank + 1),
  delta: (rank: number, operand: number, axis: number): number => firstWord + rank + 2 + operand * (rank + 1) + axis,
  words: (rank: number, operands: number): number => firstWord + rank + 1 + operands * (rank + 1),
} as const;

export const copyRecord = { from: 2, to: 3, bytes: 4, words: 5 } as const;

/** A copy of its own last word. */
export const sizeRecord = { from: 2, to: 3, bytes: 4, value: 5, words: 6 } as const;

/** Operands in the order elements, sorted elements, indices; strides along the sorted axis, in bytes. `flip` is −1 where descending. */
export const sortRecord = {
  address: (operand: number): number => 2 + operand,
  workspace: 5, count: 6, flip: 7,
  stride: (operand: number): number => 8 + operand,
  rank: 11, axes: 12,
  words: (outerRank: number): number => 12 + axisRecord.words * outerRank,
} as const;

export const iotaRecord = { out: 2, elements: 3, words: 4 } as const;

export const extentRecord = { words: 2 } as const;

/**
 * A call's record holds the arguments of a WASM kernel as they are (docs/extend/write-an-engine-kernel.md): the addresses of
 * inputs, outputs, workspace and tables, then the integers. What host kernels need besides follows.
 */
export const callRecord = {
  site: 2, args: 3,
  operand: (index: number): number => 3 + index,
  workspace: (operands: number): number => 3 + operands,
  tables: (operands: number): number => 4 + operands,
  integer: (operands: number, index: number): number => 5 + operands + index,
  /** Elements of an operand, after all operands the bytes of the workspace. */
  elements: (operands: number, integers: number, index: number): number => 5 + operands + integers + index,
  words: (operands: number, integers: number): number => 6 + 2 * operands + integers,
} as const;

/** Strides in bytes. */
export const contractRecord = {
  m: 2, n: 3, k: 4,
  lhs: 5, lhsM: 6, lhsK: 7,
  rhs: 8, rhsK: 9, rhsN: 10,
  out: 11, outM: 12, outN: 13,
  workspace: 14, rank: 15, axes: 16,
  words: (batchRank: number): number => 16 + axisRecord.words * batchRank,
} as const;

/** Operands in the order indices, indexed tensor, the other one (a gather's result, a scatter's updates). */
export const indexedRecord = {
  rows: 2, rowStride: 3,
  address: (operand: number): number => 4 + operand,
  innerExtent: 7,
  innerStride: (operand: number): number => 8 + operand,
  /** Set to 1 with the index in question, before the code traps. */
  isBad: 11, badIndex: 12,
  rank: 13, axes: 14,
  words: (outerRank: number): number => 14 + axisRecord.words * outerRank,
} as const;

/**
 * A tile step's header. Where all rows are one tile it does nothing and its loops are records as any other; else `bytes of
 * this record` includes them. An entry names a word of a loop's record (bytes from the header) and what is added to it after
 * a tile, after the last but one, and after the last, which leaves it as it was.
 */
export const tileRecord = {
  tiles: 2, headerBytes: 3,
  entry: (index: number): number => 4 + 4 * index,
  words: (entries: number): number => 4 + 4 * entries,
} as const;

/** Words of an entry. */
export const tileEntry = { word: 0, next: 1, toLast: 2, back: 3, words: 4 } as const;

/**
 * A repeat's header; its `bytes of this record` include its steps. An entry names an address in a record inside (bytes from the
 * header) and how far it moves from one iteration to the next. After the last, all are where they were.
 */
export const repeatRecord = {
  count: 2, headerBytes: 3,
  entry: (index: number): number => 4 + repeatEntry.words * index,
  words: (entries: number): number => 4 + repeatEntry.words * entries,
} as const;

/** Words of an entry. */
export const repeatEntry = { word: 0, next: 1, words: 2 } as const;

export const whileRecord = { holds: 2, conditionEnd: 3, words: 4 } as const;

/** Branch i is what lies between `begin(i)` and `begin(i + 1)`. */
export const branchRecord = {
  index: 2, last: 3,
  begin: (branch: number): number => 4 + branch,
  words: (branches: number): number => 5 + branches,
} as const;

/** One axis of an odometer over three pointers; the counter belongs to the driver. */
export const axisRecord = { extent: 0, counter: 1, delta: (operand: number): number => 2 + operand, words: 5 } as const;

/** A reduction's scratch, per lane of a write: 136 values of 8 bytes (a block and the padding of its last group), then 40 entries of the
 * pairing's stack. */
export const foldScratch = { stack: 1088, bytes: 1408 } as const;
export const SCRATCH_BYTES = 65536;
