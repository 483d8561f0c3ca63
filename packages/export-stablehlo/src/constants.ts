import { allocate, type BoundInput, dtypes, hostForm, type Operand, TfError, type TypedArray } from '@tf/core';

/** The data of a bound input: a number, a typed array, or a host tensor that holds one. */
export function constantData({ variable, value }: BoundInput, shape: readonly number[]): TypedArray {
  const { dtype } = variable.type;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
    const data = allocate(dtype, 1);
    data[0] = (dtype === 'int64' ? BigInt(value) : Number(value)) as never;
    return data;
  }
  const form = typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) ? hostForm(value as Operand) : undefined;
  const data = ArrayBuffer.isView(value) ? (value as unknown as TypedArray) : form?.form === 'data' ? form.data : undefined;
  const count = shape.reduce((product, extent) => product * extent, dtypes[dtype].lanes);
  if (data?.length === count) return data;
  throw new TfError('ArgumentError', `exportStableHlo: a bound ${variable.type.key} is no number and holds no data on the host. Make it an input of the program, or bind its data (\`await x.data()\`).`, { op: 'exportStableHlo', argument: 'program' });
}
