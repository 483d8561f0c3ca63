import type { Atom, Basis, Operation } from '../contract.ts';
import { TfError } from '../errors.ts';
import { Builder } from '../program/builder.ts';
import { type Dim, isKnown } from '../types/dim.ts';
import { sameShape, type Shape, shapeText } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';

/** Whose cotangent it is: the operation, and the types of what it gives. */
export interface CotangentOf {
  readonly operation: Operation;
  readonly outputTypes: readonly TensorType[];
}

/**
 * A cotangent in the type of the primal it belongs to: summed over the axes along which the operation broadcast the primal. This
 * is the one place where broadcasting is undone. A larger cotangent of an operation that repeats nothing, or one that has no
 * output's shape, is an error of the rule, not one to sum.
 */
export function fitCotangent(builder: Builder, basis: Basis, ct: Atom, type: TensorType, { operation, outputTypes }: CotangentOf): Atom {
  requireDType(ct, type, operation, 'cotangent');
  if (sameShape(ct.type.shape, type.shape)) return ct;
  const isRepeated = doesBroadcast(operation) && broadcasts(type.shape, ct.type.shape) && outputTypes.some(({ shape }) => broadcasts(ct.type.shape, shape));
  if (!isRepeated && !isSameInOtherSymbols(ct.type.shape, type.shape)) throw wrongShape(ct, type, operation, 'cotangent');
  const lead = ct.type.shape.length - type.shape.length;
  const axes = ct.type.shape.flatMap((dim, axis) => (axis < lead || (type.shape[axis - lead] === 1 && dim !== 1) ? [axis] : []));
  const summed = axes.length === 0 ? ct : (builder.emit(basis.sum, [ct], { axes, keepdims: false })[0] as Atom);
  if (sameShape(summed.type.shape, type.shape)) return summed;
  return builder.emit(basis.reshape, [summed], { shape: type.shape })[0] as Atom;
}

function doesBroadcast({ traits }: Operation): boolean {
  return traits.elementwise !== undefined || traits.broadcasts === true;
}

/** Extents that differ in text only, or were required to be equal when the program was built. */
function isSameInOtherSymbols(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((dim, axis) => mayEqual(dim, b[axis] as Dim));
}

/** Symbolic extents that differ in text were required to be equal when the program was built. */
function mayEqual(a: Dim, b: Dim): boolean {
  return !isKnown(a) || !isKnown(b) || a === b;
}

/** Whose tangent it is: the operation, and which of its operands have tangents. */
export interface TangentOf {
  readonly operation: Operation;
  readonly inputTypes: readonly TensorType[];
  readonly active: readonly boolean[];
}

/**
 * A tangent in the type of the value it belongs to: repeated where the operation broadcast an operand. A tangent that is smaller
 * than all operands it could come from is an error of the rule, not one to repeat.
 */
export function fitTangent(builder: Builder, basis: Basis, tangent: Atom, type: TensorType, { operation, inputTypes, active }: TangentOf): Atom {
  requireDType(tangent, type, operation, 'tangent');
  if (sameShape(tangent.type.shape, type.shape)) return tangent;
  const isShare = inputTypes.some(({ shape }, at) => active[at] === true && broadcasts(shape, tangent.type.shape));
  if (!isShare || !broadcasts(tangent.type.shape, type.shape)) throw wrongShape(tangent, type, operation, 'tangent');
  return builder.emit(basis.broadcastTo, [tangent], { shape: type.shape as readonly Dim[] })[0] as Atom;
}

/** Whether a value of shape `small` may be repeated to one of shape `large`. */
function broadcasts(small: Shape, large: Shape): boolean {
  const lead = large.length - small.length;
  return lead >= 0 && small.every((dim, axis) => dim === 1 || mayEqual(dim, large[axis + lead] as Dim));
}

function requireDType(value: Atom, type: TensorType, operation: Operation, what: string): void {
  if (value.type.dtype === type.dtype) return;
  throw new TfError('ExtensionError', `${operation.id}: its rule gave a ${what} ${value.type.key} for a value ${type.key}. A ${what} has the dtype of its value.`, { op: operation.id, family: operation.family, role: what });
}

function wrongShape(value: Atom, type: TensorType, operation: Operation, what: 'cotangent' | 'tangent'): TfError {
  const remedy = what === 'cotangent' && !doesBroadcast(operation) && broadcasts(type.shape, value.type.shape) ? ' Sum it over the axes along which the operation repeats the value, or, if it broadcasts its inputs, give it the trait `broadcasts: true`.' : '';
  return new TfError('ExtensionError', `${operation.id}: its rule gave a ${what} of shape ${shapeText(value.type.shape)} for a value ${type.key}.${remedy}`, { op: operation.id, family: operation.family, role: what });
}
