import { argsort, median, type Operand, quantile, sort, topk } from '@tf/core';
import { any, axesBy, loose, ranked, rankOf, shapeOf, step, type StepKind, type Take } from './step.ts';

function along(f: unknown): StepKind['apply'] {
  return ([x], { n, m }) => loose(f)(x, n % rankOf(x as Operand), m % 2 === 0 ? {} : { descending: true });
}

function largest([x]: readonly Operand[], { n, m }: { readonly n: number; readonly m: number }): Operand {
  const axis = m % rankOf(x as Operand);
  const { values, indices } = topk(x as Operand, n % ((shapeOf(x as Operand)[axis] as number) + 1), axis);
  return (n % 3 === 0 ? indices : values) as unknown as Operand;
}

const occupied: Take = (type, chosen) => ranked(any)(type, chosen) && !type.shape.includes(0);

export const orderSteps: { readonly [name: string]: StepKind } = {
  sort: step([ranked(any)], along(sort), 7),
  argsort: step([ranked(any)], along(argsort), 3),
  topk: step([ranked(any)], largest, 2),
  median: step([occupied], ([x], { n }) => loose(median)(x, { axes: axesBy(rankOf(x as Operand), n) }), 2),
  quantile: step([occupied], ([x], { n, m }) => loose(quantile)(x, (n % 9) / 8, { axes: m % rankOf(x as Operand), keepdims: n % 2 === 0 }), 2),
};
