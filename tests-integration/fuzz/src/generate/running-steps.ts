import { cumLogSumExp, cummax, cummin, cumprod, cumsum, linearRecurrence, type Operand } from '@tf/core';
import { any, float, loose, numeric, ranked, rankOf, sameDType, sameShape, step, type StepKind, type Take } from './step.ts';

/** Along any axis, either way. */
function along(f: unknown): StepKind['apply'] {
  return (operands, { n, m }) => loose(f)(...operands, n % rankOf(operands[0] as Operand), m % 2 === 0 ? {} : { reverse: m % 4 === 1 });
}

const alike: Take = (type, chosen) => sameShape(sameDType(float))(type, chosen);

export const runningSteps: { readonly [name: string]: StepKind } = {
  cumsum: step([ranked(numeric)], along(cumsum), 7),
  cumprod: step([ranked(numeric)], along(cumprod), 7),
  cummax: step([ranked(any)], along(cummax), 7),
  cummin: step([ranked(any)], along(cummin), 7),
  cumLogSumExp: step([ranked(float)], along(cumLogSumExp), 7),
  linearRecurrence: step([ranked(float), alike], along(linearRecurrence), 8),
};
