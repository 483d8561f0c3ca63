import { arrayConstructor, callKernel, type CallOperand, type CallStep, dtypes, evaluateDim, failedElement, type HostCall, type HostKernel, kernelError, type TypedArray } from '@tf/core';
import type { Memory } from './memory.ts';

export function runCall(step: CallStep, memory: Memory, run: (kernel: HostKernel, call: HostCall) => number | void): void {
  const { calls } = memory;
  const outputs = step.outputs.map((operand) => arrayOf(operand, memory));
  if (outputs.every(({ length }) => length === 0)) return;
  const kernel = calls.kernels.of(step);
  const integers = step.integers.map((dim) => evaluateDim(dim, memory.binding));
  const call: HostCall = {
    inputs: step.inputs.map((operand) => arrayOf(operand, memory)),
    outputs,
    integers,
    tables: calls.kernels.tables(kernel, integers),
    workspace: step.workspace === undefined ? undefined : (arrayOf(step.workspace, memory) as Uint8Array),
  };
  const element = failedElement('reference', kernel, callKernel('reference', kernel, () => run(kernel.kernel as HostKernel, call)));
  if (element !== undefined) calls.failed ??= kernelError(kernel, element);
}

/** The elements themselves, not a copy. */
function arrayOf({ buffer, offset, dtype, elements }: CallOperand, { arrays, binding }: Memory): TypedArray {
  const data = arrays[buffer] as TypedArray;
  const { bytes, lanes } = dtypes[dtype];
  return new (arrayConstructor(dtype))(data.buffer as ArrayBuffer, data.byteOffset + evaluateDim(offset, binding) * bytes, evaluateDim(elements, binding) * lanes);
}
