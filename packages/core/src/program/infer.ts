import type { Operation, Params, ParamValue } from '../contract.ts';
import { TfError } from '../errors.ts';
import { describe } from '../types/argument.ts';
import type { ConstraintSink } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { authorsFault, wrongPart } from './authored.ts';
import { isDimExpr, isProgram } from './params.ts';

/** The types that an operation gives, whoever carries it out: for as many operands as it takes. */
export function inferTypes(operation: Operation, inputs: readonly TensorType[], params: Params, sink: ConstraintSink): readonly TensorType[] {
  if (operation.arity !== undefined) requireArity(operation, operation.arity, inputs.length);
  requireParams(operation, params);
  let types: unknown;
  try {
    types = operation.infer(inputs, params, sink);
  } catch (thrown) {
    throw authorsFault(operation, 'infer', thrown);
  }
  const takes = 'It gives a list of types, one per output: [tensorType(dtype, shape)]';
  if (!isTypes(types)) throw wrongPart(operation, 'infer', `gave ${describe(types)}${Array.isArray(types) ? ' with what is no type' : ''}`, takes);
  // A loop or branch whose functions give nothing has no outputs.
  if (types.length === 0 && operation.traits.control === undefined) throw wrongPart(operation, 'infer', 'gave an empty list', takes);
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

/** Parameters are data that can be printed, hashed and compared: anything else would fail where an error can no longer name the operation. */
function requireParams({ id, family }: Operation, params: Params): void {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) throw new TfError('ExtensionError', `${id}: its parameters are ${describe(params)}; they are an object of values by name, {} for none.`, { op: id, family, role: 'params' });
  for (const name in params) {
    if (!isParamValue(params[name])) throw new TfError('ExtensionError', `${id}: its parameter ${name} is ${describe(params[name])}. Parameters are numbers, strings, booleans, null, extents, programs, and lists of them; leave out what is absent.`, { op: id, family, role: 'params', argument: name });
  }
}

function isParamValue(value: ParamValue | undefined): boolean {
  if (typeof value !== 'object') return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';
  return value === null || (Array.isArray(value) ? (value as readonly ParamValue[]).every(isParamValue) : isDimExpr(value) || isProgram(value));
}
