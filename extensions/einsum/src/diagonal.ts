/** Diagonals as views, and their adjoint. */
import { applyOperation, type Dim, diagEmbed, type DType, type IndexMap, isKnown, type Kind, type Of, type Operand, type Params, requireSameDim, type TensorType, tensorType, TfError, transpose, type Var, dimText, type BatchContext } from '@tf/core';
import { canonical, defineOperation, distinct, type FamilyOperation, isSame, type Labels, labelText, type Said, saidOf } from './operations.ts';

interface DiagonalLabels {
  /** Of the operand's axes; some are equal. */
  readonly labels: Labels;
  /** Each of them once. */
  readonly out: Labels;
  /** As for contractions. */
  readonly said?: readonly string[];
}

function diagonalLabels(params: Params): DiagonalLabels {
  return params as unknown as DiagonalLabels;
}

/** The labels with one more in front, which is the batch's. */
function batched({ labels, out }: DiagonalLabels): DiagonalLabels {
  const own = Math.max(-1, ...labels) + 1;
  return { labels: [own, ...labels], out: [own, ...out] };
}

function requireLabels(op: string, x: TensorType, given: Labels, { labels, out }: DiagonalLabels): void {
  if (given.length === x.shape.length && distinct(out).length === out.length && isSame([...distinct(labels)].sort(), [...out].sort())) return;
  throw new TfError('ArgumentError', `${op}: ${labelText(labels)}->${labelText(out)} of ${x.key}: there must be one label per axis, and each once on the other side.`, { op });
}

export const diagonalOperation: FamilyOperation = defineOperation({
  name: 'diagonal',
  inputs: 1,
  infer: ([x], params, sink, op) => {
    const { shape, dtype, key } = x as TensorType;
    const { labels, out, said } = diagonalLabels(params);
    requireLabels(op, x as TensorType, labels, { labels, out });
    labels.forEach((label, axis) => {
      const first = shape[labels.indexOf(label)] as Dim;
      const where = said?.[labels[axis] as number] || `${op}: axes ${labels.indexOf(label)} and ${axis} of ${key}`;
      if (!requireSameDim(first, shape[axis] as Dim, where, sink)) throw new TfError('ShapeError', `${where}: sizes ${dimText(first)} and ${dimText(shape[axis] as Dim)} must be equal.`, { op, shape });
    });
    return tensorType(dtype, out.map((label) => sizeOf(shape, labels, label)));
  },
  traits: {
    // The axes of one label are walked together: their strides add up.
    layout: (params): IndexMap => {
      const { labels, out } = diagonalLabels(params);
      return { kind: 'axes', axes: out.map((label) => labels.flatMap((own, axis) => (own === label ? [axis] : []))) };
    },
  },
  rule: {
    kind: 'rule',
    linear: { inputs: [0], how: 'together' },
    transpose: (ctx, [ct]) => [ct === undefined ? undefined : (embed(ct, diagonalLabels(ctx.params).out, diagonalLabels(ctx.params).labels) as Var)],
    batch: (ctx: BatchContext) => {
      const { labels, out } = batched(diagonalLabels(ctx.params));
      return [diagonal(ctx.input(0), labels, out) as Var];
    },
  },
});

function sizeOf(shape: readonly Dim[], labels: Labels, label: number): Dim {
  const sizes = shape.filter((_, axis) => labels[axis] === label);
  return sizes.find(isKnown) ?? (sizes[0] as Dim);
}

export const embedOperation: FamilyOperation = defineOperation({
  name: 'embed',
  inputs: 1,
  infer: ([x], params, _sink, op) => {
    const { shape, dtype } = x as TensorType;
    const { labels, out } = diagonalLabels(params);
    requireLabels(op, x as TensorType, out, { labels, out });
    return tensorType(dtype, labels.map((label) => shape[out.indexOf(label)] as Dim));
  },
  lower: ([x], params) => lowerEmbed(x as Var, diagonalLabels(params)),
  rule: {
    kind: 'rule',
    linear: { inputs: [0], how: 'together' },
    transpose: (ctx, [ct]) => [ct === undefined ? undefined : (diagonal(ct, diagonalLabels(ctx.params).labels, diagonalLabels(ctx.params).out) as Var)],
    batch: (ctx: BatchContext) => {
      const { labels, out } = batched(diagonalLabels(ctx.params));
      return [embed(ctx.input(0), out, labels) as Var];
    },
  },
});

/** One axis after the other is spread over a diagonal with the first one of its label. */
function lowerEmbed(x: Var, { labels, out }: DiagonalLabels): Var {
  let value = x;
  let axes: readonly { readonly label: number; readonly nth: number }[] = out.map((label) => ({ label, nth: 0 }));
  labels.forEach((label, axis) => {
    const nth = labels.slice(0, axis).filter((own) => own === label).length;
    if (nth === 0) return;
    const from = axes.findIndex((own) => own.label === label && own.nth === 0);
    const rest = axes.filter((_, at) => at !== from);
    const moved = transpose(value, [...rest.map((own) => axes.indexOf(own)), from]) as Var;
    value = diagEmbed(moved) as Var;
    axes = [...rest, { label, nth: 0 }, { label, nth }];
  });
  const places = labels.map((label, axis) => axes.findIndex((own) => own.label === label && own.nth === labels.slice(0, axis).filter((other) => other === label).length));
  return transpose(value, places) as Var;
}

/** The elements of x at which axes of one label have the same index. */
export function diagonal<K extends Kind, D extends DType>(x: Operand<K, D>, labels: Labels, out: Labels, said?: Said): Of<K, D> {
  const [own, result] = canonical(labels, out);
  return applyOperation(diagonalOperation.operation, [x], { labels: own, out: result, ...saidOf(labels, own, said) })[0] as unknown as Of<K, D>;
}

/** A tensor that has x at those places and 0 elsewhere. */
function embed<K extends Kind, D extends DType>(x: Operand<K, D>, out: Labels, labels: Labels): Of<K, D> {
  const [own, result] = canonical(labels, out);
  return applyOperation(embedOperation.operation, [x], { labels: own, out: result })[0] as unknown as Of<K, D>;
}
