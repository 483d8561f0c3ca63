import { chooseListener } from '../../program/dispatch.ts';
import { requireFunction } from '../../types/argument.ts';
import type { TensorType } from '../../types/tensor-type.ts';
import { flattenTree, unflattenTree } from '../../types/tree.ts';
import { argumentAs } from '../arguments.ts';
import { checkpointPrimitive } from './call-primitive.ts';
import { leafTypes, openRegion, requireLeaves } from './region.ts';

/**
 * The function, whose derivative keeps its arguments only and computes everything else again: time for memory
 * (rematerialisation). Its value is bitwise that of `f`. Arguments and results are trees of tensors.
 *
 * @example
 * import { checkpoint, exp, sin, tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { grad, jit, type TracedTensor } from '@tf/traced';
 * const block = checkpoint((x: TracedTensor<'float64'>) => sin(exp(x)));
 * const slope = jit(grad((x: TracedTensor<'float64'>) => block(x).sum()), { engine: await createEngine() });
 * console.log(slope(tensor([0])).toArray()); // → [ 0.5403023058681398 ]
 */
export function checkpoint<A extends readonly unknown[], R>(f: (...args: A) => R): (...args: A) => R {
  requireFunction('checkpoint', 'f', f, 'checkpoint((x) => …)');
  return (...args: A) => {
    const flat = flattenTree(args);
    const leaves = requireLeaves('checkpoint', 'an argument', flat);
    const types = leafTypes(leaves);
    const region = openRegion('checkpoint', leaves, (tree) => f(...(tree as A)), [{ structure: flat.structure, types }]);
    const listener = chooseListener('checkpoint', [...region.captures, ...leaves]);
    const inputs = [...region.captures, ...leaves].map((leaf, at) => argumentAs(listener, leaf, ([...region.captures.map(({ type }) => type), ...types][at] as TensorType).dtype, 'checkpoint', at));
    return unflattenTree(region.structure, listener.apply(checkpointPrimitive.operation, inputs, { body: region.program, linear: [] })) as R;
  };
}
