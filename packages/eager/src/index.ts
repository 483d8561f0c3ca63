/**
 * The eager front end: operations run at once and are recorded; `backward` differentiates the record and adds the
 * gradients into variables. `EagerRuntime` is the way in.
 */
export type { BackwardOptions, EagerFacts, EagerKind, EagerTensor, EagerVariable, TensorLike } from './eager-tensor.ts';
export { EagerRuntime, type EagerRuntimeOptions, type EagerStats, type Session, type VariableOptions } from './runtime.ts';
