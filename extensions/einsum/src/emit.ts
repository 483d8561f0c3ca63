/** Carries out a plan: pairwise contractions, inside loops over sliced labels. */
import { add, broadcastTo, checkpoint, convert, type Dim, type DType, isKnown, moveaxis, notEqual, type Operand, scan, transpose, zeros } from '@tf/core';
import { contract } from './contract.ts';
import { type Called, faultOf, undecidedLabel } from './faults.ts';
import { isSame, type Labels, type Said } from './operations.ts';
import type { Step } from './path/network.ts';
import { type Joined, prepare, type Preparation } from './prepare.ts';
import type { Contraction } from './resolve.ts';

/** What a plan says must be done. */
export interface Emission extends Joined {
  /** The equation, for errors. */
  readonly text: string;
  readonly contraction: Contraction;
  readonly preparations: readonly Preparation[];
  /** Labels that loops go through. */
  readonly sliced: Labels;
  /** Of the network without sliced labels. */
  readonly steps: readonly Step[];
}

/** A tensor and the labels of its axes. */
interface Labelled {
  readonly value: Operand;
  readonly labels: Labels;
}

/** The result, whose axes have the labels of the output. */
export function emit(plan: Emission, operands: readonly Operand[]): Operand {
  const called: Called = { text: plan.text, contraction: plan.contraction, operands };
  const said: Said = (label) => undecidedLabel(called, label);
  const tensors = operands.map((x, at): Labelled => {
    const preparation = plan.preparations[at] as Preparation;
    try {
      return { value: prepare(x, preparation, plan, said), labels: preparation.result };
    } catch (thrown) {
      throw faultOf(called, [at], thrown);
    }
  });
  const pairs: Pairwise = (a, lhs, b, rhs, out, pair) => {
    try {
      return contract(a, lhs, b, rhs, out, said) as Operand;
    } catch (thrown) {
      throw faultOf(called, pair, thrown);
    }
  };
  const result = ordered(sliced({ ...plan, contract: pairs }, tensors, plan.sliced), plan.contraction.output);
  return plan.dtype === plan.numbers ? result : isTrue(result);
}

/** Contracts the tensors of a pair, whose places are there for errors. */
type Pairwise = (a: Operand, lhs: Labels, b: Operand, rhs: Labels, out: Labels, pair: readonly number[]) => Operand;

interface Running extends Emission {
  readonly contract: Pairwise;
}

function ordered({ value, labels }: Labelled, wanted: Labels): Operand {
  return isSame(labels, wanted) ? value : (transpose(value, wanted.map((label) => labels.indexOf(label))) as Operand);
}

/** Of counts: whether there are any. */
function isTrue(counts: Operand): Operand {
  return notEqual(counts, 0) as Operand;
}

/** Contracts pairs; the last has the labels of the output in its order. Counts of true ones are brought back to 0 and 1, or products of many would overflow. */
function pairwise({ dtype, numbers, steps, contract }: Running, tensors: readonly Labelled[]): Labelled {
  const values: Labelled[] = [...tensors];
  steps.forEach(({ pair: [a, b], out }, at) => {
    const [lhs, rhs] = [values[a] as Labelled, values[b] as Labelled];
    const value = contract(lhs.value, lhs.labels, rhs.value, rhs.labels, out, [a, b]);
    values.push({ value: dtype === numbers || at === steps.length - 1 ? value : (convert(isTrue(value), numbers) as Operand), labels: out });
  });
  return values[values.length - 1] as Labelled;
}

/**
 * Loops over the values of a label, the first of those that are left: shares are summed, or, where the result has the label, stacked.
 * What reverse mode needs of an iteration is computed again, so derivatives do not keep what the loop was made to avoid.
 */
function sliced(plan: Running, tensors: readonly Labelled[], [label, ...rest]: Labels): Labelled {
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
