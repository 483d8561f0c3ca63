/** The family's operations as the interpreter of the kit runs them: by kernels in JavaScript. */
import { allocate, type HostKernel, type HostModule, type Operation, productOfDims } from '@tf/core';
import { hostValue, type InterpretOptions, type ReferenceCall, type ReferenceOperation } from '@tf/testkit';

/** One call of the kernel that an operation names. A failure is an error that names the element. */
function interpreted({ instruction: { operation, params }, inputs, types }: ReferenceCall, kernels: HostModule['kernels']): ReturnType<ReferenceOperation> {
  const { symbol, integers } = (operation.traits.call as NonNullable<Operation['traits']['call']>)(params, inputs.map(({ type }) => type), types);
  const kernel = kernels[symbol] as HostKernel | undefined;
  if (kernel === undefined) throw new Error(`no kernel ${symbol}`);
  const outputs = types.map(({ dtype, shape }) => allocate(dtype, productOfDims(shape) as number));
  const given = integers as readonly number[];
  const failed = outputs.every(({ length }) => length === 0) ? undefined : kernel.run({ inputs: inputs.map(({ data }) => data), outputs, integers: given, tables: kernel.tables?.(given), workspace: undefined });
  if (failed !== undefined) throw new Error(`${symbol}: element ${failed}: ${kernel.failure ?? ''}`);
  return outputs.map((data, at) => hostValue((types[at] as (typeof types)[number]).dtype, (types[at] as (typeof types)[number]).shape as readonly number[], data as ArrayLike<number>));
}

/** For `extensionSuite`: every operation that has a kernel there. */
export function referenceOperations(operations: readonly Operation[], { kernels }: HostModule): NonNullable<InterpretOptions['operations']> {
  return Object.fromEntries(operations.filter(({ traits }) => traits.call !== undefined).map(({ id }) => [id, (call: ReferenceCall) => interpreted(call, kernels)]));
}
