import { type ArgumentCheck, type OptionChecks, requireCount, TfError, wrongArgument } from '@tf/core';
import type { ListedPath, PathTree } from './path/explicit.ts';
import type { Strategy } from './path/search.ts';

export interface EinsumOptions {
  /**
   * `'optimal'`: the fewest operations, for up to 16 operands; `'greedy'`: the best of several greedy paths; `'auto'`, the default: the
   * optimal path of up to 10 operands, greedy ones of more. Or the path itself in NumPy's form: which places in the list of operands
   * left a step takes out, its result being put at the end, e.g. `[[1, 2], [0, 1]]`.
   */
  readonly path?: Strategy | ListedPath;
  /** The path as nested lists of operands: `[[0, 1], [2, 3]]`. */
  readonly tree?: PathTree;
  /**
   * The bytes that intermediate results may take at a time, beside operands and result. Where no path stays within, loops go through
   * the values of some labels: more operations, less memory.
   */
  readonly memoryLimit?: number;
  /**
   * How many greedy paths are tried. The path depends on this number, never on a clock, and so do the last digits of the result: other
   * paths add in another order. By default it follows from the work that one path takes.
   */
  readonly restarts?: number;
  /**
   * Milliseconds after which no further greedy path is tried, instead of after a number of them; with `restarts`, whichever ends first. The
   * path, and with it the last digits of the result, then depend on the machine's speed: to have them again, keep
   * `contractionPath(…).path` and give it as `path`.
   */
  readonly timeBudget?: number;
  /** What symbolic extents count as when the path is chosen, by name of the symbol (not of the label); 64 where nothing is said. The result is right for all sizes. */
  readonly sizes?: Readonly<Record<string, number>>;
}

function requirePath(op: string, argument: string, value: unknown): void {
  if (value === 'auto' || value === 'optimal' || value === 'greedy' || Array.isArray(value)) return;
  throw typeof value === 'string' ? new TfError('ArgumentError', `${op}: there is no path ${JSON.stringify(value)}. Write 'auto', 'optimal', 'greedy', or the path itself: [[0, 1], [0, 1]].`, { op, argument }) : wrongArgument(op, argument, value, "'auto', 'optimal', 'greedy' or a list such as [[0, 1], [0, 1]]");
}

const requireTree: ArgumentCheck = (op, argument, value) => {
  if (typeof value !== 'number' && !Array.isArray(value)) throw wrongArgument(op, argument, value, 'a tree such as [[0, 1], [2, 3]]');
};

const requireBytes: ArgumentCheck = (op, argument, value) => {
  if (typeof value !== 'number' || !(value >= 0)) throw wrongArgument(op, argument, value, 'a number of bytes');
};

const requireMilliseconds: ArgumentCheck = (op, argument, value) => {
  if (typeof value !== 'number' || !(value >= 0)) throw wrongArgument(op, argument, value, 'a number of milliseconds, at least 0');
};

const requireSizes: ArgumentCheck = (op, argument, value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongArgument(op, argument, value, 'sizes by name: { n: 1000 }');
  for (const [name, size] of Object.entries(value)) requireCount(op, `${argument}.${name}`, size);
};

export const optionChecks: OptionChecks = { path: requirePath, tree: requireTree, memoryLimit: requireBytes, restarts: requireCount, timeBudget: requireMilliseconds, sizes: requireSizes };
