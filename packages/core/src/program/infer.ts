import type { Operation, Params } from '../contract.ts';
import { TfError } from '../errors.ts';
import { describe } from '../types/argument.ts';
import type { ConstraintSink } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';

/** The types that an operation gives, whoever carries it out: for as many operands as it takes. */
export function inferTypes(operation: Operation, inputs: readonly TensorType[], params: Params, sink: ConstraintSink): readonly TensorType[] {
  if (operation.arity !== undefined) requireArity(operation, operation.arity, inputs.length);
  const types: unknown = operation.infer(inputs, params, sink);
  if (!isTypes(types)) throw new TfError('ExtensionError', `${operation.id}: its infer gave ${describe(types)}${Array.isArray(types) ? ' with what is no type' : ''}; it gives a list of types, one per output: [tensorType(dtype, shape)].`, { op: operation.id, family: operation.family, role: 'infer' });
  return types;
}

function isTypes(types: unknown): types is readonly TensorType[] {
  if (!Array.isArray(types)) return false;
  for (let at = 0; at < types.length; at++) if (typeof (types[at] as Partial<TensorType> | undefined)?.key !== 'string') return false;
  return true;
}

function requireArity({ id, family }: Operation, arity: NonNullable<Operation['arity']>, given: number): void {
  const [least, most] = typeof arity === 'number' ? [arity, arity] : arity;
  if (given >= least && given <= most) return;
  const takes = least === most ? String(least) : most === Infinity ? `at least ${least}` : `${least} to ${most}`;
  throw new TfError('ArgumentError', `${id}: takes ${takes} ${takes === '1' ? 'operand' : 'operands'}, got ${given}.`, { op: id, family, takes, got: given });
}
