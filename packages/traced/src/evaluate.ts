import { type Engine, requireEngine, flattenTree, unflattenTree } from '@tf/core';
import { loadValues, residentLeaves, resultLeaves } from './run.ts';
import type { ResultOf } from './tree-types.ts';

/**
 * The values of a tree of traced tensors that depend on no input, computed by one program. Tensors of other
 * kinds come back on the engine too, all other leaves as they are.
 *
 * @throws TracerLeakError when a value depends on an input (use `compile`) or on an argument kept from a traced function.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, grad } from '@tf/traced';
 * console.log(evaluate(grad((x) => x.mul(x).sum())(tensor([1, 2, 3])), await createEngine()).toArray()); // → [ 2, 4, 6 ]
 */
export function evaluate<const T>(tree: T, engine: Engine): ResultOf<T> {
  requireEngine('evaluate', 'engine', engine, 'evaluate(tree, engine)');
  const { structure, leaves } = flattenTree(tree);
  const { outputs, slots } = resultLeaves('evaluate', leaves);
  if (outputs.length === 0) return tree as unknown as ResultOf<T>;
  const loaded = loadValues('evaluate', outputs, [], engine);
  return unflattenTree(structure, residentLeaves(slots, leaves, loaded, loaded.run([]))) as ResultOf<T>;
}
