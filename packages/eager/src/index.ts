/**
 * The eager front end: operations run at once and are recorded; `backward` differentiates the record and adds the
 * gradients into variables, `grad` and its kin give derivatives that can be differentiated again. `EagerRuntime` is the
 * way in.
 */
export type { GradOptions } from './differentiate.ts';
export type { BackwardOptions, EagerFacts, EagerKind, EagerTensor, EagerVariable, TensorLike } from './eager-tensor.ts';
export { backward, grad } from './free.ts';
export type { Cotangents, Outputs, PerInput } from './functional.ts';
export { EagerRuntime, type EagerRuntimeOptions, type EagerStats, type ScopeOptions, type Session, type VariableOptions } from './runtime.ts';
export type { TensorScope } from './scope.ts';
export type { VmapOptions } from './vmap.ts';
