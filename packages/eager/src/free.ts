import { checkOptions, type Differentiable, type DTypeOf, type Operand } from '@tf/core';
import { freeBackwardOptions, requireOutputs } from './arguments.ts';
import { runBackward } from './backward.ts';
import { coreOf, ownTensor } from './create.ts';
import type { GradOptions } from './differentiate.ts';
import type { BackwardOptions, EagerTensor } from './eager-tensor.ts';
import { type Cotangents, Functional, type Outputs, pairs, type PerInput } from './functional.ts';

/**
 * Gradients of one or several outputs (the sum of their shares) by one or several tensors, by one derivative; each can be
 * differentiated again. An output that is no real scalar needs a cotangent; for a list of outputs, cotangents are a list.
 *
 * @throws as `EagerRuntime.grad`; ArgumentError when the number of cotangents differs from that of the outputs.
 * @example
 * import { EagerRuntime, grad } from '@tf/eager';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * const runtime = new EagerRuntime();
 * const [x, y] = [runtime.variable([1, 2]), runtime.variable([3, 4])];
 * runtime.session(await createEngine(), () => {
 *   const [dx, dy] = grad([x.mul(y), x.mul(x).sum()], [x, y], [[1, 10], undefined]);
 *   console.log(dx.toArray(), dy.toArray()); // → [ 5, 44 ] [ 1, 20 ]
 * });
 */
export function grad<X extends Operand>(outputs: Outputs, inputs: X & Differentiable<DTypeOf<X>>, cotangents?: Cotangents, options?: GradOptions): EagerTensor<DTypeOf<X>>;
export function grad<const X extends readonly Operand[]>(outputs: Outputs, inputs: X, cotangents?: Cotangents, options?: GradOptions): PerInput<X>;
export function grad(outputs: Outputs, inputs: Operand | readonly Operand[], cotangents?: Cotangents, options: GradOptions = {}): unknown {
  const given = pairs('grad', outputs, cotangents);
  const many = Array.isArray(inputs);
  requireOutputs('grad', given.outputs);
  const [first] = given.outputs as readonly [Operand];
  const gradients = new Functional(coreOf('grad', first)).gradients('grad', given.outputs, many ? (inputs as readonly Operand[]) : [inputs as Operand], given.cotangents, options);
  return many ? gradients : gradients[0];
}

/**
 * Adds the gradients of one or several outputs into the variables that they were computed from, by one derivative.
 * Cotangents as for {@link grad}.
 *
 * @throws as `EagerTensor.backward`; ArgumentError when the number of cotangents differs from that of the outputs.
 */
export function backward(outputs: Outputs, cotangents?: Cotangents, options: Omit<BackwardOptions, 'cotangent'> = {}): void {
  checkOptions('backward', options, freeBackwardOptions);
  const given = pairs('backward', outputs, cotangents);
  requireOutputs('backward', given.outputs);
  const [first] = given.outputs as readonly [Operand];
  const core = coreOf('backward', first);
  runBackward(core, given.outputs.map((output) => ownTensor(core, 'backward', output)), given.cotangents, options);
}
