/** What happens to an operand before it meets the others: axes that are repeated go, diagonals are taken, its own labels are summed. */
import { any, convert, type Dim, type DType, isKnown, type Operand, reshape, type Shape, sum } from '@tf/core';
import { diagonal } from './diagonal.ts';
import { distinct, isSame, type Labels, type Said } from './operations.ts';
import type { Contraction } from './resolve.ts';

export interface Preparation {
  /** The shape without axes of size 1 that are repeated along a larger one. */
  readonly shape: Shape;
  /** Labels of that shape's axes. */
  readonly labels: Labels;
  /** Of the diagonal, each once. */
  readonly distinct: Labels;
  /** Axes to sum over, of the diagonal. */
  readonly summed: readonly number[];
  /** Of the result. */
  readonly result: Labels;
}

/** What all operands take. */
export interface Joined {
  /** The common dtype of the operands. */
  readonly dtype: DType;
  /** What products and sums are computed in. */
  readonly numbers: DType;
}

/** The preparation of each operand, whose shapes are given. */
export function preparations({ inputs, output, sizes }: Contraction, shapes: readonly Shape[]): readonly Preparation[] {
  const kept = inputs.map((all, at) => {
    const axes = keptAxes(all, shapes[at] as Shape, sizes);
    const labels = axes.map((axis) => all[axis] as number);
    return { axes, labels, once: distinct(labels) };
  });
  const holders = new Array<number>(sizes.length).fill(0);
  for (const { once } of kept) for (const label of once) holders[label] = (holders[label] as number) + 1;
  return kept.map(({ axes, labels, once }, at) => {
    const isOwn = (label: number): boolean => !output.includes(label) && holders[label] === 1;
    return {
      shape: axes.map((axis) => (shapes[at] as Shape)[axis] as Dim),
      labels,
      distinct: once,
      summed: once.flatMap((label, axis) => (isOwn(label) ? [axis] : [])),
      result: once.filter((label) => !isOwn(label)),
    };
  });
}

function keptAxes(labels: Labels, shape: Shape, sizes: readonly Dim[]): readonly number[] {
  return labels.flatMap((label, axis) => (shape[axis] === 1 && !(isKnown(sizes[label] as Dim) && sizes[label] === 1) ? [] : [axis]));
}

/** Whether the operand stays as it is. */
export function isPrepared({ labels, result }: Preparation, rank: number): boolean {
  return labels.length === rank && isSame(labels, result);
}

export function prepare(x: Operand, { shape, labels, distinct: once, summed }: Preparation, { dtype, numbers }: Joined, said?: Said): Operand {
  const joined = converted(x, dtype);
  const squeezed = reshape(joined, shape) as Operand;
  const taken = isSame(labels, once) ? squeezed : (diagonal(squeezed, labels, once, said) as Operand);
  const total = dtype === 'bool' ? any : sum;
  return converted(summed.length === 0 ? taken : (total(taken, { axes: summed }) as Operand), numbers);
}

function converted(x: Operand, dtype: DType): Operand {
  return x.type.dtype === dtype ? x : (convert(x, dtype) as Operand);
}
