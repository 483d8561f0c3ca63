import { checkOptions, type Differentiable, type DType, type Operand, type OptionChecks, requireFlag, requireFunction } from '@tf/core';
import { functionGradOptions } from './arguments.ts';
import type { GradOptions } from './differentiate.ts';
import { requireTraced, type TracedTensor } from './traced-tensor.ts';
import { differentiate, type FunctionGradOptions } from './transforms.ts';
import type { ArgumentsOf, DifferentiableCall, GradientsOf } from './tree-types.ts';

/** Which arguments a function transform differentiates by. */
export type Argnums = number | readonly number[];

/**
 * The gradient of a real scalar: of a traced value `y` with respect to `x`, or, given a function, the function that
 * computes its gradient. A transformed function takes trees (arrays and plain objects) of tensors and numbers, and gives
 * a tree of the same structure with undefined at integer and boolean leaves. What the function captures from outside is
 * constant for this transform only.
 *
 * @throws NonScalarGradError when the result is no real scalar; InactiveGradError when it does not depend on a leaf;
 * NotDifferentiableError when an argument has no floating leaf; ArgumentError for a wrong argnum.
 * @example
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, grad } from '@tf/traced';
 * const engine = await createEngine();
 * const derivative = grad((x) => x.mul(x).mul(x));
 * const second = grad((x) => derivative(x));
 * console.log(evaluate([derivative(2.5), second(2.5)], engine).map((value) => value.item())); // → [ 18.75, 15 ]
 */
export function grad<D extends DType, E extends DType>(y: TracedTensor<D> & Differentiable<D>, x: TracedTensor<E> & Differentiable<E>, options?: GradOptions): TracedTensor<E>;
export function grad<A extends readonly unknown[] = readonly TracedTensor<'float64'>[], R extends Operand = Operand, const N extends Argnums = 0>(f: ((...args: A) => R) & DifferentiableCall<A, N, R>, options?: FunctionGradOptions<N>): (...args: NoInfer<ArgumentsOf<A>>) => NoInfer<GradientsOf<A, N>>;
export function grad(target: TracedTensor | ((...args: never[]) => Operand), second?: unknown, options?: GradOptions): unknown {
  if (typeof target === 'function' && second !== undefined) checkOptions('grad', second, functionGradOptions, 'grad(f, { argnums: 0 })');
  if (typeof target === 'function') return (...args: unknown[]) => differentiate('grad', target, args, (second ?? {}) as FunctionGradOptions<Argnums>, 'throw').gradients;
  requireTraced('grad', target);
  return target.grad(second as TracedTensor, options);
}

/** As {@link grad}, but undefined where the result does not depend on a value. */
export function gradOptional<D extends DType, E extends DType>(y: TracedTensor<D> & Differentiable<D>, x: TracedTensor<E> & Differentiable<E>, options?: GradOptions): TracedTensor<E> | undefined;
export function gradOptional<A extends readonly unknown[] = readonly TracedTensor<'float64'>[], R extends Operand = Operand, const N extends Argnums = 0>(f: ((...args: A) => R) & DifferentiableCall<A, N, R>, options?: FunctionGradOptions<N>): (...args: NoInfer<ArgumentsOf<A>>) => NoInfer<GradientsOf<A, N, undefined>>;
export function gradOptional(target: TracedTensor | ((...args: never[]) => Operand), second?: unknown, options?: GradOptions): unknown {
  if (typeof target === 'function' && second !== undefined) checkOptions('gradOptional', second, functionGradOptions, 'gradOptional(f, { argnums: 0 })');
  if (typeof target === 'function') return (...args: unknown[]) => differentiate('gradOptional', target, args, (second ?? {}) as FunctionGradOptions<Argnums>, 'undefined').gradients;
  requireTraced('gradOptional', target);
  return target.gradOptional(second as TracedTensor, options);
}

const valueOptions: OptionChecks = { ...functionGradOptions, hasAux: requireFlag };

/**
 * The function that computes the value of `f` and its gradient, the forward computation once: `[value, gradient]`. With
 * `hasAux`, `f` returns `[loss, auxiliary]` and the value is that pair.
 *
 * @throws as {@link grad}.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, type TracedTensor, valueAndGrad } from '@tf/traced';
 * const engine = await createEngine();
 * const loss = (p: { w: TracedTensor<'float64'>; b: TracedTensor<'float64'> }) => p.w.mul(p.w).sum().add(p.b);
 * const [value, gradient] = evaluate(valueAndGrad(loss)({ w: tensor([1, 2]), b: 3 }), engine);
 * console.log(value.item(), gradient.w.toArray(), gradient.b.item()); // → 8 [ 2, 4 ] 1
 */
export function valueAndGrad<A extends readonly unknown[], R extends readonly [Operand, unknown], const N extends Argnums = 0>(f: ((...args: A) => R) & DifferentiableCall<A, N, R[0]>, options: FunctionGradOptions<N> & { readonly hasAux: true }): (...args: NoInfer<ArgumentsOf<A>>) => readonly [NoInfer<R>, NoInfer<GradientsOf<A, N>>];
export function valueAndGrad<A extends readonly unknown[] = readonly TracedTensor<'float64'>[], R extends Operand = Operand, const N extends Argnums = 0>(f: ((...args: A) => R) & DifferentiableCall<A, N, R>, options?: FunctionGradOptions<N> & { readonly hasAux?: false }): (...args: NoInfer<ArgumentsOf<A>>) => readonly [NoInfer<R>, NoInfer<GradientsOf<A, N>>];
export function valueAndGrad(f: (...args: never[]) => unknown, options: FunctionGradOptions<Argnums> & { readonly hasAux?: boolean } = {}): unknown {
  requireFunction('valueAndGrad', 'f', f, 'valueAndGrad((x) => …)');
  checkOptions('valueAndGrad', options, valueOptions, 'valueAndGrad(f, { argnums: 0 })');
  return (...args: unknown[]) => {
    const { result, gradients } = differentiate('valueAndGrad', f, args, options, 'throw');
    return [result, gradients];
  };
}
