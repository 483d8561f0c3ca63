/** The contraction of two tensors by labels. */
import { applyOperation, type BatchContext, conj, type Dim, dimText, type DType, type JoinDType, type JoinKind, type Of, type Operand, type Params, requireSameDim, type RuleContext, type TensorType, tensorType, TfError, type Var } from '@tf/core';
import { lowerContract } from './contract-lowering.ts';
import { canonical, type ContractLabels, defineOperation, distinct, type FamilyOperation, type Labels, labelText, type Said, saidOf } from './operations.ts';

export function contractLabels(params: Params): ContractLabels {
  return params as unknown as ContractLabels;
}

function equationText({ lhs, rhs, out }: ContractLabels): string {
  return `${labelText(lhs)},${labelText(rhs)}->${labelText(out)}`;
}

function checkLabels(op: string, [l, r]: readonly TensorType[], labels: ContractLabels): void {
  const { lhs, rhs, out } = labels;
  const refuse = (why: string): never => {
    throw new TfError('ArgumentError', `${op}: ${equationText(labels)} of ${(l as TensorType).key} and ${(r as TensorType).key}: ${why}`, { op });
  };
  if (lhs.length !== l?.shape.length || rhs.length !== r?.shape.length) refuse('there must be one label per axis.');
  for (const list of [lhs, rhs, out]) if (distinct(list).length !== list.length) refuse('an operand or the result has a label twice; take the diagonal first.');
  for (const label of out) if (!lhs.includes(label) && !rhs.includes(label)) refuse(`the label ${labelText([label])} of the result is in neither operand.`);
  for (const label of [...lhs, ...rhs]) if (!out.includes(label) && !(lhs.includes(label) && rhs.includes(label))) refuse(`the label ${labelText([label])} is in one operand only and not in the result; sum over it first.`);
}

/** The adjoint in one operand: the cotangent contracted with the other operand's conjugate. */
function share(ctx: RuleContext, ct: Var, mine: 0 | 1): Var {
  const labels = contractLabels(ctx.params);
  const [own, other] = mine === 0 ? [labels.lhs, labels.rhs] : [labels.rhs, labels.lhs];
  const factor = conj(ctx.input(1 - mine)) as Var;
  return mine === 0 ? (contract(ct, labels.out, factor, other, own) as Var) : (contract(factor, other, ct, labels.out, own) as Var);
}

/** The batch is one more label: the first of every operand that has it, and of the result. */
function batch(ctx: BatchContext): readonly Var[] {
  const { lhs, rhs, out } = contractLabels(ctx.params);
  const own = Math.max(-1, ...lhs, ...rhs) + 1;
  const labels = (given: Labels, index: number): Labels => (ctx.batched[index] === true ? [own, ...given] : given);
  return [contract(ctx.input(0), labels(lhs, 0), ctx.input(1), labels(rhs, 1), [own, ...out]) as Var];
}

export const contractOperation: FamilyOperation = defineOperation({
  name: 'contract',
  inputs: 2,
  infer: (inputs, params, sink, op) => {
    const [l, r] = inputs as readonly [TensorType, TensorType];
    const labels = contractLabels(params);
    checkLabels(op, inputs, labels);
    const { lhs, rhs, out } = labels;
    if (l.dtype !== r.dtype || l.dtype === 'bool') throw new TfError('DTypeError', `${op}: takes two operands of one dtype that is not bool, got ${l.key} and ${r.key}. Convert them first.`, { op });
    const size = (label: number): Dim => {
      const [left, right] = [l.shape[lhs.indexOf(label)], r.shape[rhs.indexOf(label)]];
      if (left === undefined || right === undefined) return (left ?? right) as Dim;
      const where = labels.said?.[label] || `${op}: axis ${lhs.indexOf(label)} of lhs and axis ${rhs.indexOf(label)} of rhs, label ${labelText([label])} of ${equationText(labels)}`;
      if (!requireSameDim(left, right, where, sink)) throw new TfError('ShapeError', `${where}: sizes ${dimText(left)} and ${dimText(right)} must be equal.`, { op, lhs: l.shape, rhs: r.shape });
      return typeof left === 'number' ? left : right;
    };
    const sizes = new Map([...lhs, ...rhs].map((label) => [label, size(label)]));
    return tensorType(l.dtype, out.map((label) => sizes.get(label) as Dim));
  },
  lower: ([l, r], params) => lowerContract(l as Var, r as Var, contractLabels(params)),
  rule: {
    kind: 'rule',
    linear: { inputs: [0, 1], how: 'each' },
    transpose: (ctx, [ct]) => ([0, 1] as const).map((mine) => (ct !== undefined && ctx.active[mine] === true ? share(ctx, ct, mine) : undefined)),
    batch,
  },
});

/** Contracts two operands of one dtype; labels are numbers, and none is twice in a list. `said`: of labels whose sizes may differ. */
export function contract<A extends Operand, B extends Operand>(a: A, lhs: Labels, b: B, rhs: Labels, out: Labels, said?: Said): Of<JoinKind<A, B>, JoinDType<A, B> & DType> {
  const [l, r, o] = canonical(lhs, rhs, out);
  return applyOperation(contractOperation.operation, [a, b], { lhs: l, rhs: r, out: o, ...saidOf([...lhs, ...rhs], [...l, ...r], said) })[0] as Of<JoinKind<A, B>, JoinDType<A, B> & DType>;
}
