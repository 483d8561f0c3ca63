/** Carries out a plan: pairwise contractions, inside loops over sliced labels. */
import { add, broadcastTo, checkpoint, type Dim, type DType, isKnown, moveaxis, type Operand, scan, transpose, zeros } from '@tf/core';
import { contract } from './contract.ts';
import { isSame, type Labels } from './operations.ts';
import type { EinsumPlan } from './plan.ts';
import { prepare } from './prepare.ts';

/** A tensor and the labels of its axes. */
interface Labelled {
  readonly value: Operand;
  readonly labels: Labels;
}

/** The result, whose axes have the labels of the output; all operands take this dtype. */
export function emit(plan: EinsumPlan, operands: readonly Operand[], dtype: DType): Operand {
  const tensors = operands.map((x, at): Labelled => {
    const preparation = plan.preparations[at] as EinsumPlan['preparations'][number];
    return { value: prepare(x, preparation, dtype), labels: preparation.result };
  });
  const result = sliced(plan, tensors, plan.sliced);
  return ordered(result, plan.contraction.output);
}

function ordered({ value, labels }: Labelled, wanted: Labels): Operand {
  return isSame(labels, wanted) ? value : (transpose(value, wanted.map((label) => labels.indexOf(label))) as Operand);
}

/** Contracts pairs; the last has the labels of the output in its order. */
function pairwise({ steps }: EinsumPlan, tensors: readonly Labelled[]): Labelled {
  const values: Labelled[] = [...tensors];
  for (const { pair: [a, b], out } of steps) {
    const [lhs, rhs] = [values[a] as Labelled, values[b] as Labelled];
    values.push({ value: contract(lhs.value, lhs.labels, rhs.value, rhs.labels, out) as Operand, labels: out });
  }
  return values[values.length - 1] as Labelled;
}

/**
 * Loops over the values of a label, the first of those that are left: shares are summed, or, where the result has the label, stacked.
 * What reverse mode needs of an iteration is computed again, so derivatives do not keep what the loop was made to avoid.
 */
function sliced(plan: EinsumPlan, tensors: readonly Labelled[], [label, ...rest]: Labels): Labelled {
  if (label === undefined) return pairwise(plan, tensors);
  const has = tensors.map(({ labels }) => labels.includes(label));
  const stacks = tensors.filter((_, at) => has[at]).map(({ value, labels }) => moveaxis(value, labels.indexOf(label), 0) as Operand);
  const { output, sizes } = plan.contraction;
  const inner = output.filter((own) => own !== label && !plan.sliced.slice(0, plan.sliced.indexOf(label)).includes(own));
  const share = checkpoint((slices: readonly Operand[]): Operand => {
    const parts = slices.values();
    const given = tensors.map((tensor, at): Labelled => (has[at] === true ? { value: parts.next().value as Operand, labels: tensor.labels.filter((own) => own !== label) } : tensor));
    return ordered(sliced(plan, given, rest), inner);
  });
  if (output.includes(label)) {
    const [, all] = scan((none: readonly Operand[], slices: readonly Operand[]) => [none, share(slices)] as const, [] as readonly Operand[], stacks);
    return { value: all as Operand, labels: [label, ...inner] };
  }
  const dtype = (tensors[0] as Labelled).value.type.dtype;
  const [total] = scan((running: Operand, slices: readonly Operand[]) => [add(running, share(slices)) as Operand, []] as const, zerosOf(inner.map((own) => sizes[own] as Dim), dtype), stacks);
  return { value: total as Operand, labels: inner };
}

function zerosOf(shape: readonly Dim[], dtype: DType): Operand {
  return shape.every(isKnown) ? (zeros(shape as readonly number[], { dtype }) as Operand) : (broadcastTo(zeros([], { dtype }) as Operand, shape) as Operand);
}
