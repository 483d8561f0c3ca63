/**
 * A user's call flows one way: an operation on operands (`primitives`, `compositions`) becomes instructions of a program
 * (`program`), a transform makes another program of it (`transform`), a plan fixes order and memory (`compile`), and an
 * engine runs the plan (`@tf/engine-*`).
 */
export * from './contract.ts';
export * from './errors.ts';
/** How arguments are checked, in one wording: for front ends and extensions. */
export { type ArgumentCheck, callName, checkOptions, describe, type OptionChecks, requireCatalog, requireContext, requireCount, requireEngine, requireFlag, requireFunction, requireInteger, requireOptions, requireText, rowError, wrongArgument } from './types/argument.ts';
export * from './types/dim.ts';
export * from './types/dtype.ts';
export * from './types/extent.ts';
export * from './types/loop-language.ts';
export * from './types/operand.ts';
export * from './types/shape.ts';
export * from './types/tensor-type.ts';
export * from './types/version.ts';
export { buildCatalog } from './catalog.ts';
export { Builder } from './program/builder.ts';
export { BoundedCache, type CacheOptions, type CacheStats } from './program/cache.ts';
export { checkProgram } from './program/check.ts';
export { applyOperation, chooseListener, liftArgument } from './program/dispatch.ts';
export { programHash, sameProgram } from './program/hash.ts';
export { hostForm, liftHost, type HostLift } from './program/host.ts';
export { isLiteral, literal, literalText, maximumLiteralElements, scalarLiteral } from './program/literal.ts';
export { nextNumber } from './program/clock.ts';
export { isProgram, regionsOf } from './program/params.ts';
export { paramsKey, printProgram } from './program/print.ts';
export { parseProgram } from './program/parse.ts';
export { liveInstructions, lookUp, replayProgram } from './program/walk.ts';
export { add, mul, neg, sub } from './primitives/arithmetic.ts';
export { bitwiseAnd, bitwiseNot, bitwiseOr, bitwiseXor, leftShift, rightShift } from './primitives/bits.ts';
export { clamp } from './primitives/clamp.ts';
export { isFinite, isInf, isNan, signbit } from './primitives/classification.ts';
export { equal, greater, greaterEqual, less, lessEqual, notEqual } from './primitives/compare.ts';
export { dotGeneral, matmul } from './primitives/contraction.ts';
export { conj } from './primitives/conjugate.ts';
export { convert } from './primitives/convert.ts';
export { coreExtension, createCatalog } from './primitives/extension.ts';
export { div, divideOrZero } from './primitives/division.ts';
export { exp, expm1, log, log1p, sqrt, tanh } from './primitives/functions.ts';
export { indexAdd, scatterAdd, take, takeAlongAxis } from './primitives/indexing.ts';
export { logicalAnd, logicalNot, logicalOr, logicalXor } from './primitives/logic.ts';
export { broadcastTo, identityOperation, reshape, transpose } from './primitives/movement.ts';
export { multiplyOrZero } from './primitives/multiply-or-zero.ts';
export { pow } from './primitives/power.ts';
export { prod } from './primitives/product.ts';
export { reduceMax, reduceMin, type ReduceOptions, sum } from './primitives/reduce.ts';
export { concat, pad, type PadOptions, slice, sliceAdd } from './primitives/slicing.ts';
export { abs, maximum, minimum, sign } from './primitives/extrema.ts';
export { ceil, floor, round, trunc } from './primitives/rounding.ts';
export { select, where } from './primitives/select.ts';
export { shapeOf, size } from './primitives/size.ts';
export { cos, erf, erfc, rsqrt, sigmoid, sin, softplus } from './primitives/special.ts';
export { barrier, stopGradient } from './primitives/stop-gradient.ts';
export { elu, gelu, geluTanh, hardSwish, leakyRelu, logSigmoid, relu, silu } from './compositions/activations.ts';
export { layerNorm, type LayerNormOptions, logSoftmax, logSumExp, softmax } from './compositions/normalisation.ts';
export { reciprocal, square } from './compositions/powers.ts';
export { mean, std, variance, type VarianceOptions } from './compositions/statistics.ts';
export { full, type FullOptions, type NaturalDType, ones, tensor, type TensorOptions, type TensorValue, zeros } from './tensor/create.ts';
export { isTypedArray } from './tensor/flatten.ts';
export { formatTensor } from './tensor/format.ts';
export { type HostKind, HostTensor } from './tensor/host-tensor.ts';
export { TensorMethods } from './tensor/methods.generated.ts';
export { ResidentTensor } from './tensor/resident-tensor.ts';
export { type ComplexNumber, type ElementOf, type Nested, nestedBigInts, nestedValues, singleValue, type TensorJson } from './tensor/values.ts';
/** The loop language's functions, for authors of engines. */
export * as loop from './loop/index.ts';
export { AdContext, type AdContextOptions } from './transform/context.ts';
export type { LocalDerivative, LocalInput } from './transform/local.ts';
export { requestFor, type RuleRequest } from './transform/rule-context.ts';
export { type Derivative, type DerivativeRequest, valuesOf } from './transform/whole.ts';
export { type Batched, type BatchRequest, batchRuleOf } from './transform/batch.ts';
export { compileProgram, type CompileOptions } from './compile/compile.ts';
export { planMemory, type PlanMemory, printPlan } from './compile/report.ts';
export { type Pass, passes } from './compile/passes.ts';
