/**
 * The contract between core, families, front ends and engines: types only. It may grow; what it says is not changed
 * without raising {@link Contract}.
 *
 * Laws, which the test kit checks for every family (J: the Jacobian at the primal point, ⟨a, b⟩ = Re Σ conj(a)·b):
 *
 *     ⟨ct, J v⟩ = ⟨Jᵀ ct, v⟩            transpose is the adjoint, ℝ-linear
 *     J v = lim (f(x + h v) − f(x)) / h   linearize is the derivative
 *     type(J v) = type(f(x)),  type(Jᵀ ct) = type(x)
 *     rule(x) emits the same instructions each time
 *     values read by a rule ⊆ its residuals
 *     batch(f)(X) = stack(f(xᵢ))
 *     prune keeps the live outputs, augment keeps the first ones, join keeps those of both
 */
export * from './contract/program.ts';
export * from './contract/rule.ts';
export * from './contract/support.ts';
export * from './contract/plan.ts';
export * from './contract/engine.ts';
export * from './contract/module.ts';
export type { IndexSource } from './types/index-source.ts';
export type { Shape } from './types/shape.ts';
