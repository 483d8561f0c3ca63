/** What a function asks of its operands' extents, in its own words, where only the sizes of a run can say whether it holds. */
import type { Operation, ParamValue } from '../contract.ts';
import { TfError } from '../errors.ts';
import { chooseListener, liftArgument, requireOperand } from '../program/dispatch.ts';
import { describe, requireList, wrongArgument } from '../types/argument.ts';
import { dimText, isDim } from '../types/dim.ts';
import type { DType } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { type ConstraintSink, type DimConstraint, requireAtMost, requireSameDim } from '../types/shape.ts';
import { definePrimitive, type Primitive } from './define.ts';
import { linear } from './rules.ts';

const relations = ['equal', 'atMost'];

/** left, right, relation, reason: as a parameter holds a constraint. */
function constraintOf(value: unknown): DimConstraint {
  const [left, right, relation, reason] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (!isDim(left) || !isDim(right) || !relations.includes(relation as string) || typeof reason !== 'string') {
    throw new TfError('ArgumentError', `constrain: the parameter constraints has ${describe(value)}; it lists [left, right, 'equal' or 'atMost', reason].`, { op: 'constrain', argument: 'constraints' });
  }
  return { left, right, reason, ...(relation === 'atMost' && { relation }) };
}

/** Refuses what is no constraint, in the words of who lists them. */
function requireOpen(constraint: DimConstraint | null | undefined, at: number): void {
  const { left, right, relation = 'equal', reason } = constraint ?? {};
  if (isDim(left) && isDim(right) && relations.includes(relation) && typeof reason === 'string') return;
  throw wrongArgument('constrain', `constraints[${at}]`, constraint, "a constraint: { left, right, reason }, and relation: 'atMost' where left may be less");
}

function requireConstraint({ left, right, relation, reason }: DimConstraint, sink: ConstraintSink): void {
  if ((relation === 'atMost' ? requireAtMost : requireSameDim)(left, right, reason, sink)) return;
  throw new TfError('ConstraintError', `${reason}: ${dimText(left)} ${relation === 'atMost' ? 'is more than' : 'is not'} ${dimText(right)}.`, { reason, left, right });
}

/** The operand as it is. */
export const constrainPrimitive: Primitive = definePrimitive({
  name: 'constrain',
  inputs: 1,
  infer: ([x], params, sink) => {
    const { constraints } = params as { readonly constraints?: unknown };
    if (!Array.isArray(constraints)) throw new TfError('ArgumentError', `constrain: the parameter constraints is ${describe(constraints)}; it is a list of [left, right, 'equal' or 'atMost', reason].`, { op: 'constrain', argument: 'constraints' });
    for (const constraint of constraints) requireConstraint(constraintOf(constraint), sink);
    return [x!];
  },
  traits: { identity: true },
  rule: linear((_ctx, ct) => ct),
});

const operation: Operation = constrainPrimitive.operation;

/**
 * `x` as it is, and what must hold of extents when sizes are bound. A function that checks its operands gives its sink to
 * {@link requireSameDim} and the like, and goes on with what this gives for one of them: the error of a run then has the function's
 * words, and not those of an operation inside.
 *
 * @example
 * import { Builder, constrain, type DimConstraint, requireSameDim, symbolicDim, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [symbolicDim('m'), symbolicDim('n')]), 'x');
 * const open: DimConstraint[] = [];
 * requireSameDim(x.type.shape[0]!, x.type.shape[1]!, 'trace: rows and columns of x', (constraint) => open.push(constraint));
 * const program = builder.build([constrain(x, open)]);
 * if (program.constraints[0]?.reason !== 'trace: rows and columns of x') throw new Error('unexpected');
 */
export function constrain<K extends Kind, D extends DType>(x: Operand<K, D>, constraints: readonly DimConstraint[]): Of<K, D> {
  requireOperand('constrain', 'x', x);
  requireList('constrain', 'constraints', constraints, 'a list of constraints: [{ left, right, reason }]');
  constraints.forEach(requireOpen);
  if (constraints.length === 0) return x as Of<K, D>;
  const listener = chooseListener(operation.id, [x]);
  const listed = constraints.map(({ left, right, relation = 'equal', reason }): ParamValue => [left, right, relation, reason]);
  return listener.apply(operation, [liftArgument(listener, x, x.type.dtype, operation.id, 0)], { constraints: listed })[0] as Of<K, D>;
}
