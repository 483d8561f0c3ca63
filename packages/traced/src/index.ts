/**
 * The traced front end: values without data (`input`, or the arguments of a transformed function) become programs,
 * programs are differentiated (`grad`, `vjp`, `jvp`, `linearize`, Jacobians and Hessians) and run (`jit`, `compile`, `evaluate`).
 */
export { type InputData } from './binding.ts';
export { compile, type Compiled, type CompileOptions } from './compile.ts';
export type { GradOptions } from './differentiate.ts';
export { eagerKey, type EagerValue } from './eager-value.ts';
export { evaluate } from './evaluate.ts';
export { type Extraction, extractProgram } from './extract.ts';
export { type Argnums, grad, gradOptional, valueAndGrad } from './gradients.ts';
export { input, type InputOptions } from './input.ts';
export { jit, type Jitted, type JitOptions } from './jit.ts';
export { jacobianForward, jacobianReverse } from './jacobians.ts';
export { jvp, type PerValue, type Pullback, vjp, vjpMany } from './linear-maps.ts';
export { linearize, linearTranspose } from './linearize.ts';
export type { BoundOrigin, InputOrigin, NodeOrigin, Origin, Trace, TracedAtom, TracedValue } from './origin.ts';
export { hessian, hvp } from './second-order.ts';
export { trace, type TracedProgram } from './trace.ts';
export { type TracedKind, TracedTensor } from './traced-tensor.ts';
export { vmap, type VmapOptions } from './vmap.ts';
export type { FunctionGradOptions } from './transforms.ts';
export type { ArgumentOf, ArgumentsOf, GradientOf, GradientsOf, JacobianOf, NumbersArriveTraced, ResultOf, TangentOf, TangentsOf, TensorArgument, TracedArgumentsOf, TracedOf } from './tree-types.ts';
