import type { Operand } from '@tf/core';
import { backward, type EagerRuntime, type EagerTensor, type EagerVariable, grad } from './index.ts';

declare const runtime: EagerRuntime;
declare const y: Operand;
declare const x32: EagerVariable<'float32'>;
declare const x64: EagerTensor<'float64'>;

export const one: EagerTensor<'float32'> = runtime.grad(y, x32);
export const maybe: EagerTensor<'float32'> | undefined = runtime.gradOptional(y, x32);
export const many: readonly [EagerTensor<'float32'>, EagerTensor<'float64'>] = runtime.vjpMany(y, [x32, x64], 1);
export const tangent: EagerTensor<'float64'> = runtime.jvp(x64, x32, [1, 2]);
export const product: EagerTensor<'float32'> = runtime.hvp(y, x32, [1, 2]);
export const freeOne: EagerTensor<'float32'> = grad([y, x64], x32, [1, undefined]);
export const freeMany: readonly [EagerTensor<'float32'>, EagerTensor<'float64'>] = grad(y, [x32, x64]);
export const returned: EagerTensor<'float64'>[] = runtime.scope((s) => [s.keep(x64)]);
export const chained: EagerVariable<'float32'> = x32.setRequiresGrad(true).retainGrad();
backward(y, undefined, { inputs: [x32] });

// @ts-expect-error the gradient has the dtype of its input
export const wrongDType: EagerTensor<'float64'> = runtime.grad(y, x32);
// @ts-expect-error it may be undefined
export const wrongOptional: EagerTensor<'float32'> = runtime.gradOptional(y, x32);
// @ts-expect-error a tangent has the dtype of the output
export const wrongTangent: EagerTensor<'float32'> = runtime.jvp(x64, x32, [1, 2]);
// @ts-expect-error a forward derivative has no unused inputs to allow
runtime.jvp(x64, x32, [1, 2], { allowUnused: true });
