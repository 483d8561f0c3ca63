/**
 * Builders of scalar expressions. Each checks the types of its operands; the result of one call used twice is one shared
 * node, which emitters and the evaluator compute once.
 */
import { invariant } from '../errors.ts';
import type { DType } from '../types/dtype.ts';
import type { BinaryOp, ScalarExpr, ScalarType, UnaryOp } from '../types/loop-language.ts';

/** A scalar value as JavaScript holds it: bigint for i64, boolean for bool, number otherwise. */
export type ScalarValue = number | bigint | boolean;

const scalarTypes: { readonly [D in DType]: ScalarType } = {
  float32: 'f32',
  float64: 'f64',
  complex64: 'f32',
  complex128: 'f64',
  int32: 'i32',
  int64: 'i64',
  bool: 'bool',
};

/** The type of one lane of a `dtype` element. */
export function scalarTypeOf(dtype: DType): ScalarType {
  return scalarTypes[dtype];
}

export function isFloat(type: ScalarType): boolean {
  return type === 'f32' || type === 'f64';
}

export function isInteger(type: ScalarType): boolean {
  return type === 'i32' || type === 'i64';
}

// ---------------------------------------------------------------- leaves

export function argument(type: ScalarType, input: number, lane: 0 | 1 = 0): ScalarExpr {
  invariant(Number.isInteger(input) && input >= 0, `argument: input ${input} is not an index`, { op: 'argument' });
  return { op: 'argument', type, input, lane };
}

/** A constant of the type: the value is rounded to f32, wrapped to i32 and i64, and 0 or 1 for bool. */
export function constant(type: ScalarType, value: ScalarValue): ScalarExpr {
  return { op: 'constant', type, value: constantValue(type, value) };
}

function constantValue(type: ScalarType, value: ScalarValue): number | bigint {
  switch (type) {
    case 'f32':
      return Math.fround(Number(value));
    case 'f64':
      return Number(value);
    case 'i64':
      return BigInt.asIntN(64, BigInt(value));
    case 'i32':
      return Number(BigInt.asIntN(32, BigInt(value)));
    case 'bool':
      return Number(value) === 0 ? 0 : 1;
  }
}

// ---------------------------------------------------------------- which types an operation takes

const floats: readonly ScalarType[] = ['f32', 'f64'];
const integers: readonly ScalarType[] = ['i32', 'i64'];
const numbers: readonly ScalarType[] = [...floats, ...integers];
const bits: readonly ScalarType[] = [...integers, 'bool'];
const all: readonly ScalarType[] = [...numbers, 'bool'];

/** The operand types each operation takes; integer `add sub mul neg abs` wrap. */
export const operandTypes: { readonly [O in UnaryOp | BinaryOp]: readonly ScalarType[] } = {
  neg: numbers, abs: numbers, sqrt: floats, floor: floats, ceil: floats, trunc: floats, nearest: floats,
  not: bits, convert: all, bitcast: numbers,
  add: numbers, sub: numbers, mul: numbers, div: floats, min: numbers, max: numbers, copysign: floats,
  and: bits, or: bits, xor: bits, shl: integers, shrS: integers, shrU: integers,
  eq: all, ne: all, lt: all, le: all, gt: all, ge: all,
};

const comparisons: readonly string[] = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];

/** Whether the operation gives `bool` whatever its operands are. */
export function isComparison(op: string): boolean {
  return comparisons.includes(op);
}

function unary(op: UnaryOp, a: ScalarExpr): ScalarExpr {
  invariant(operandTypes[op].includes(a.type), `${op}: no ${a.type} operand`, { op });
  return { op, type: a.type, args: [a] };
}

function binary(op: BinaryOp, a: ScalarExpr, b: ScalarExpr): ScalarExpr {
  invariant(a.type === b.type, `${op}: operands ${a.type} and ${b.type} differ`, { op });
  invariant(operandTypes[op].includes(a.type), `${op}: no ${a.type} operands`, { op });
  return { op, type: isComparison(op) ? 'bool' : a.type, args: [a, b] };
}

// ---------------------------------------------------------------- arithmetic

export const add = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('add', a, b);
export const sub = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('sub', a, b);
export const mul = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('mul', a, b);
export const div = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('div', a, b);
export const neg = (a: ScalarExpr): ScalarExpr => unary('neg', a);
export const abs = (a: ScalarExpr): ScalarExpr => unary('abs', a);
export const sqrt = (a: ScalarExpr): ScalarExpr => unary('sqrt', a);
/** Propagates NaN; −0 is below +0. */
export const min = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('min', a, b);
/** Propagates NaN; −0 is below +0. */
export const max = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('max', a, b);
export const floor = (a: ScalarExpr): ScalarExpr => unary('floor', a);
export const ceil = (a: ScalarExpr): ScalarExpr => unary('ceil', a);
export const trunc = (a: ScalarExpr): ScalarExpr => unary('trunc', a);
/** To the nearest integer, ties to even. */
export const nearest = (a: ScalarExpr): ScalarExpr => unary('nearest', a);
/** The magnitude of `a` with the sign of `b`. */
export const copysign = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('copysign', a, b);

// ---------------------------------------------------------------- bits

export const and = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('and', a, b);
export const or = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('or', a, b);
export const xor = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('xor', a, b);
/** Logical for bool, all bits for integers. */
export const not = (a: ScalarExpr): ScalarExpr => unary('not', a);
/** The count has the type of `a` and is taken modulo its width; SIMD emitters need it constant. */
export const shl = (a: ScalarExpr, count: ScalarExpr): ScalarExpr => binary('shl', a, count);
export const shrS = (a: ScalarExpr, count: ScalarExpr): ScalarExpr => binary('shrS', a, count);
export const shrU = (a: ScalarExpr, count: ScalarExpr): ScalarExpr => binary('shrU', a, count);

// ---------------------------------------------------------------- comparisons and selection

export const eq = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('eq', a, b);
export const ne = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('ne', a, b);
export const lt = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('lt', a, b);
export const le = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('le', a, b);
export const gt = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('gt', a, b);
export const ge = (a: ScalarExpr, b: ScalarExpr): ScalarExpr => binary('ge', a, b);

export function select(condition: ScalarExpr, yes: ScalarExpr, no: ScalarExpr): ScalarExpr {
  invariant(condition.type === 'bool', `select: the condition is ${condition.type}, not bool`, { op: 'select' });
  invariant(yes.type === no.type, `select: branches ${yes.type} and ${no.type} differ`, { op: 'select' });
  return { op: 'select', type: yes.type, args: [condition, yes, no] };
}

/** `value`, which `quick` equals bit for bit unless the condition holds: engines may compute either. */
export function shortcut(isExtreme: ScalarExpr, value: ScalarExpr, quick: ScalarExpr): ScalarExpr {
  return { ...(select(isExtreme, value, quick) as Extract<ScalarExpr, { readonly op: 'select' }>), shortcut: true };
}

// ---------------------------------------------------------------- conversion, tables and calls

/** By value: float to int truncates and saturates (NaN to 0), i64 to i32 wraps, to bool is ≠ 0. Same type: unchanged. */
export function convert(type: ScalarType, a: ScalarExpr): ScalarExpr {
  return a.type === type ? a : { op: 'convert', type, args: [a] };
}

const bitcastPartner: { readonly [T in ScalarType]?: ScalarType } = { f32: 'i32', i32: 'f32', f64: 'i64', i64: 'f64' };

/** The same bits as the other type of that width: f32 ↔ i32, f64 ↔ i64. */
export function bitcast(type: ScalarType, a: ScalarExpr): ScalarExpr {
  invariant(bitcastPartner[a.type] === type, `bitcast: ${a.type} does not have the bits of ${type}`, { op: 'bitcast' });
  return { op: 'bitcast', type, args: [a] };
}

/** The most entries a table may have: engines hold tables in constant data and each is a cache line or few. */
export const TABLE_LIMIT = 64;

/** `table[index]`; an index outside reads the nearest entry. The entries are brought into the type as in {@link constant}. */
export function lookup(type: ScalarType, table: readonly (number | bigint)[], index: ScalarExpr): ScalarExpr {
  invariant(type !== 'bool', 'lookup: no table of bool', { op: 'lookup' });
  invariant(index.type === 'i32', `lookup: the index is ${index.type}, not i32`, { op: 'lookup' });
  invariant(table.length >= 1 && table.length <= TABLE_LIMIT, `lookup: ${table.length} entries, not 1 to ${TABLE_LIMIT}`, { op: 'lookup' });
  return { op: 'lookup', type, table: table.map((value) => constantValue(type, value)), args: [index] };
}

/** A function of `loop/functions` by name; its definition is put in by `expandCalls`. */
export function call(name: string, type: ScalarType, ...args: readonly ScalarExpr[]): ScalarExpr {
  invariant(name !== '', 'call: a function needs a name', { op: 'call' });
  return { op: 'call', type, name, args };
}

/** The operands of any node: none for arguments and constants. */
export function operandsOf(expr: ScalarExpr): readonly ScalarExpr[] {
  return expr.op === 'argument' || expr.op === 'constant' ? [] : expr.args;
}

/** Checks one node against its operands; builders make only nodes that pass. */
export function checkNode(expr: ScalarExpr): void {
  switch (expr.op) {
    case 'argument':
      argument(expr.type, expr.input, expr.lane);
      return;
    case 'constant':
      checkConstant(expr.type, expr.value);
      return;
    case 'lookup':
      lookup(expr.type, expr.table, ...expr.args);
      for (const value of expr.table) checkConstant(expr.type, value);
      return;
    case 'call':
      call(expr.name, expr.type, ...expr.args);
      return;
    default:
      invariant(resultType(expr) === expr.type, `${expr.op}: result ${resultType(expr)} is declared ${expr.type}`, { op: expr.op });
  }
}

function checkConstant(type: ScalarType, value: number | bigint): void {
  invariant((type === 'i64') === (typeof value === 'bigint'), `constant: ${type} with a ${typeof value} value`, { op: 'constant' });
  invariant(type !== 'i32' || Number.isInteger(value), `constant: ${value} is no i32`, { op: 'constant' });
  invariant(Object.is(constantValue(type, value), value), `constant: ${value} is no ${type}`, { op: 'constant' });
}

function resultType(expr: Exclude<ScalarExpr, { readonly op: 'argument' | 'constant' | 'lookup' | 'call' }>): ScalarType {
  if (expr.op === 'select') return select(...expr.args).type;
  if (expr.op === 'convert') return expr.type;
  if (expr.op === 'bitcast') return bitcast(expr.type, ...expr.args).type;
  const [first, second] = expr.args;
  return second === undefined ? unary(expr.op as UnaryOp, first).type : binary(expr.op as BinaryOp, first, second).type;
}
