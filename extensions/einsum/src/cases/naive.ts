/** Einsum as its definition says: a loop over all indices. What the package is compared with. */
import { type DType, dtypes } from '@tf/core';
import { type HostValue, hostValue } from '@tf/testkit';

interface Terms {
  /** Per operand the label of each axis. */
  readonly inputs: readonly (readonly (string | number)[])[];
  readonly output: readonly (string | number)[];
}

function rowMajor(shape: readonly number[]): readonly number[] {
  return shape.map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * size, 1));
}

/** Σ Π of the elements, in float64. All values have one dtype that is not bool; axes of size 1 repeat along larger ones. */
export function naiveEinsum({ inputs, output }: Terms, values: readonly HostValue[]): HostValue {
  const shapes = values.map(({ type }) => type.shape as readonly number[]);
  const sizes = new Map<string | number, number>();
  inputs.forEach((labels, at) => labels.forEach((label, axis) => {
    const size = shapes[at]?.[axis] as number;
    if ((sizes.get(label) ?? 1) === 1) sizes.set(label, size);
  }));
  const labels = [...sizes.keys()];
  const shape = output.map((label) => sizes.get(label) as number);
  const { dtype } = (values[0] as HostValue).type;
  const { lanes } = dtypes[dtype as DType];
  const sums = new Array<number>(shape.reduce((product, size) => product * size, 1) * lanes).fill(0);
  const strides = inputs.map((_, at) => rowMajor(shapes[at] as readonly number[]));
  const outStrides = rowMajor(shape);
  const count = labels.reduce<number>((product, label) => product * (sizes.get(label) as number), 1);
  for (let number = 0; number < count; number++) {
    let rest = number;
    const index = new Map(labels.map((label): [string | number, number] => {
      const size = sizes.get(label) as number;
      const at = rest % size;
      rest = Math.floor(rest / size);
      return [label, at];
    }));
    let [re, im]: readonly [number, number] = [1, 0];
    inputs.forEach((own, at) => {
      const place = own.reduce<number>((sum, label, axis) => sum + (shapes[at]?.[axis] === 1 ? 0 : (index.get(label) as number) * (strides[at]?.[axis] as number)), 0);
      const data = (values[at] as HostValue).data;
      const [x, y] = [Number(data[place * lanes]), lanes === 2 ? Number(data[place * lanes + 1]) : 0];
      [re, im] = [re * x - im * y, re * y + im * x];
    });
    const to = output.reduce<number>((sum, label, axis) => sum + (index.get(label) as number) * (outStrides[axis] as number), 0);
    sums[to * lanes] = (sums[to * lanes] as number) + re;
    if (lanes === 2) sums[to * lanes + 1] = (sums[to * lanes + 1] as number) + im;
  }
  return hostValue(dtype as DType, shape, sums);
}

/** The terms of an explicit equation of letters. */
export function termsOf(equation: string): Terms {
  const [left, right] = equation.split('->') as [string, string];
  return { inputs: left.split(',').map((term) => [...term]), output: [...right] };
}
