/**
 * Contractions in terms of core: a batched matrix product whose axes are chosen so that as few elements as possible are copied, or
 * a broadcast product where nothing is summed.
 */
import { broadcastTo, type Dim, dotGeneral, isKnown, mul, reshape, transpose, type Var } from '@tf/core';
import { nominalSize } from './nominal.ts';
import { type ContractLabels, isSame, type Labels } from './operations.ts';

/** In multiplications: what a copied or packed element costs, and what one more matrix product costs. */
const COPY_COST = 6;
const PRODUCT_COST = 400;

/** Rows and columns that a matrix product works on at once: fewer cost as much. */
const TILE_ROWS = 4;
const TILE_COLUMNS = 8;

/** A value and the labels of its axes. */
interface Labelled {
  readonly value: Var;
  readonly labels: Labels;
}

export function lowerContract(lhs: Var, rhs: Var, { lhs: left, rhs: right, out }: ContractLabels): Var {
  const [a, b]: readonly Labelled[] = [{ value: lhs, labels: left }, { value: rhs, labels: right }];
  return left.some((label) => !out.includes(label)) || right.some((label) => !out.includes(label)) ? dot(a as Labelled, b as Labelled, out) : product(a as Labelled, b as Labelled, out);
}

/** Nothing is summed: both operands are brought in line with the result and broadcast. */
function product(a: Labelled, b: Labelled, out: Labels): Var {
  const sizes = sizesOf(a, b);
  const multiplied = mul(aligned(a, out), aligned(b, out)) as Var;
  // Labels that only the lower axes have would be lost where both operands lack leading axes of size 1.
  return reshape(multiplied, out.map((label) => sizes.get(label) as Dim)) as Var;
}

function aligned({ value, labels }: Labelled, out: Labels): Var {
  const own = out.filter((label) => labels.includes(label));
  const first = own.length === 0 ? out.length : out.indexOf(own[0] as number);
  const ordered = transpose(value, own.map((label) => labels.indexOf(label))) as Var;
  let at = 0;
  return reshape(ordered, out.slice(first).map((label) => (labels.includes(label) ? (ordered.type.shape[at++] as Dim) : 1))) as Var;
}

function sizesOf(...operands: readonly Labelled[]): ReadonlyMap<number, Dim> {
  const sizes = new Map<number, Dim>();
  for (const { value, labels } of operands) labels.forEach((label, axis) => {
    const size = value.type.shape[axis] as Dim;
    if (!sizes.has(label) || isKnown(size)) sizes.set(label, size);
  });
  return sizes;
}

/** One way to write a contraction as a batched matrix product. */
interface Form {
  readonly lhs: Labelled;
  readonly rhs: Labelled;
  /** Labels of both operands, or of one that the other is repeated along. */
  readonly batch: Labels;
  readonly contract: Labels;
  /** Of the result: batch, free labels of `lhs`, free labels of `rhs`. */
  readonly labels: Labels;
}

function dot(a: Labelled, b: Labelled, out: Labels): Var {
  const sizes = sizesOf(a, b);
  const nominal = (label: number): number => nominalSize(sizes.get(label) as Dim);
  let best: Form | undefined;
  let least = Infinity;
  for (const form of forms(a, b, out)) {
    const cost = costOf(form, out, nominal);
    if (cost < least) [best, least] = [form, cost];
  }
  const { lhs, rhs, batch, contract, labels } = best as Form;
  const [l, r] = [repeated(lhs, batch, sizes), repeated(rhs, batch, sizes)];
  const at = ({ labels: own }: Labelled, wanted: Labels): readonly number[] => wanted.map((label) => own.indexOf(label));
  const result = dotGeneral(l.value, r.value, { lhsContract: at(l, contract), rhsContract: at(r, contract), lhsBatch: at(l, batch), rhsBatch: at(r, batch) }) as Var;
  return transpose(result, out.map((label) => labels.indexOf(label))) as Var;
}

/**
 * Which operand is the left one, in whose order labels are contracted, and how many leading labels of the result are batch labels:
 * an operand that lacks one is repeated along it, which copies nothing.
 */
function* forms(a: Labelled, b: Labelled, out: Labels): Generator<Form> {
  for (const [lhs, rhs] of [[a, b], [b, a]] as const) {
    const shared = out.filter((label) => lhs.labels.includes(label) && rhs.labels.includes(label));
    const orders = [lhs, rhs].map(({ labels }) => labels.filter((label) => !out.includes(label)));
    for (const contract of isSame(orders[0] as Labels, orders[1] as Labels) ? orders.slice(1) : orders) {
      for (let leading = 0; leading <= out.length; leading++) {
        // A leading label that is shared is a batch label anyway.
        if (leading > 0 && shared.includes(out[leading - 1] as number)) continue;
        const batch = [...out.slice(0, leading), ...shared.filter((label) => out.indexOf(label) >= leading)];
        const free = ({ labels }: Labelled): Labels => labels.filter((label) => !batch.includes(label) && !contract.includes(label));
        yield { lhs, rhs, batch, contract, labels: [...batch, ...free(lhs), ...free(rhs)] };
      }
    }
  }
}

/** A rough number of multiplications that the form takes as long as. */
function costOf({ lhs, rhs, batch, contract, labels }: Form, out: Labels, size: (label: number) => number): number {
  const count = (wanted: Labels): number => wanted.reduce((product, label) => product * size(label), 1);
  const sides = [lhs, rhs].map(({ labels: own }) => {
    const free = own.filter((label) => !batch.includes(label) && !contract.includes(label));
    const walks = isOneWalk(own, free, size) && isOneWalk(own, contract, size);
    return { free: count(free), copied: walks ? 0 : count(own) };
  });
  const [m, n] = [sides[0]?.free as number, sides[1]?.free as number];
  const k = count(contract);
  const products = count(batch) * (roundUp(m, TILE_ROWS) * roundUp(n, TILE_COLUMNS) * k + COPY_COST * (m * k + k * n) + PRODUCT_COST);
  const copied = (sides[0]?.copied as number) + (sides[1]?.copied as number) + (isSame(labels, out) ? 0 : count(out));
  return products + COPY_COST * copied;
}

function roundUp(count: number, tile: number): number {
  return Math.ceil(count / tile) * tile;
}

/** Whether the labels lie next to each other, in this order, in an operand: one stride walks them all. */
function isOneWalk(own: Labels, labels: Labels, size: (label: number) => number): boolean {
  const extended = own.filter((label) => size(label) !== 1);
  const wanted = labels.filter((label) => size(label) !== 1);
  const first = extended.indexOf(wanted[0] as number);
  return wanted.every((label, at) => extended[first + at] === label);
}

/** An operand with every batch label, repeated along those that it lacks. */
function repeated({ value, labels }: Labelled, batch: Labels, sizes: ReadonlyMap<number, Dim>): Labelled {
  const lacking = batch.filter((label) => !labels.includes(label));
  if (lacking.length === 0) return { value, labels };
  return { value: broadcastTo(value, [...lacking.map((label) => sizes.get(label) as Dim), ...value.type.shape]) as Var, labels: [...lacking, ...labels] };
}
