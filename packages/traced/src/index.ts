/**
 * The traced front end: values without data (`input`, or the arguments of a transformed function) become programs,
 * programs are differentiated (`grad`, `vjp`, `jvp`) and run (`jit`, `compile`, `evaluate`).
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
export { jvp, type Pullback, vjp } from './linear-maps.ts';
export type { BoundOrigin, InputOrigin, NodeOrigin, Origin, Trace, TracedAtom, TracedValue } from './origin.ts';
export { trace, type TracedProgram } from './trace.ts';
export { type TracedKind, TracedTensor } from './traced-tensor.ts';
export type { FunctionGradOptions } from './transforms.ts';
export type { ArgumentOf, ArgumentsOf, GradientOf, GradientsOf, NumbersArriveTraced, ResultOf, TangentOf, TangentsOf, TensorArgument, TracedArgumentsOf, TracedOf } from './tree-types.ts';
