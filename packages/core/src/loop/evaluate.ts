/**
 * The exact evaluator of scalar expressions: every operation rounds to its type, as on every engine. It is the meaning of
 * the loop language, slow and plain.
 */
import { TfError, invariant } from '../errors.ts';
import type { BinaryOp, ScalarExpr, ScalarType, UnaryOp } from '../types/loop-language.ts';
import { nodesInOrder } from './order.ts';
import { isComparison, type ScalarValue } from './scalar.ts';

/** The value of lane `lane` of operand `input`; a value of another JavaScript type is converted to the argument's type. */
export type ReadArgument = (input: number, lane: 0 | 1) => ScalarValue;

/** The values of the expressions: bigint for i64, boolean for bool, number otherwise. Each shared node is computed once. */
export function evaluateScalars(exprs: readonly ScalarExpr[], read: ReadArgument): readonly ScalarValue[] {
  const values = new Map<ScalarExpr, ScalarValue>();
  for (const node of nodesInOrder(exprs)) values.set(node, evaluateNode(node, (operand) => values.get(operand)!, read));
  return exprs.map((expr) => values.get(expr)!);
}

export function evaluateScalar(expr: ScalarExpr, read: ReadArgument): ScalarValue {
  return evaluateScalars([expr], read)[0]!;
}

function evaluateNode(node: ScalarExpr, valueOf: (operand: ScalarExpr) => ScalarValue, read: ReadArgument): ScalarValue {
  switch (node.op) {
    case 'argument':
      return convertValue(node.type, read(node.input, node.lane));
    case 'constant':
      return convertValue(node.type, node.value);
    case 'call':
      throw new TfError('InvariantError', `${node.name}: calls are expanded (expandCalls) before evaluation.`, { op: node.name });
    case 'select':
      return valueOf(node.args[0]) === true ? valueOf(node.args[1]) : valueOf(node.args[2]);
    case 'lookup':
      return tableEntry(node.table, valueOf(node.args[0]) as number);
    case 'convert':
      return convertValue(node.type, valueOf(node.args[0]));
    case 'bitcast':
      return castBits(node.args[0].type, valueOf(node.args[0]));
    default: {
      const [a, b] = node.args;
      return b === undefined
        ? roundTo(node.type, applyUnary(node.op as UnaryOp, valueOf(a)))
        : roundTo(node.type, applyBinary(node.op as BinaryOp, a.type, valueOf(a), valueOf(b)));
    }
  }
}

function tableEntry(table: readonly (number | bigint)[], index: number): ScalarValue {
  return table[Math.max(0, Math.min(table.length - 1, index))]!;
}

// ---------------------------------------------------------------- conversion

/** A float result to its precision, an integer result to its width. */
function roundTo(type: ScalarType, value: ScalarValue): ScalarValue {
  switch (type) {
    case 'f32':
      return Math.fround(value as number);
    case 'i32':
      return (value as number) | 0;
    case 'i64':
      return BigInt.asIntN(64, value as bigint);
    default:
      return value;
  }
}

function convertValue(type: ScalarType, value: ScalarValue): ScalarValue {
  switch (type) {
    case 'bool':
      return typeof value === 'bigint' ? value !== 0n : typeof value === 'boolean' ? value : value !== 0;
    case 'f64':
      return Number(value);
    case 'f32':
      return typeof value === 'bigint' ? roundBigInt(value) : Math.fround(Number(value));
    case 'i32':
      return typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : saturate(Number(value), 31);
    case 'i64':
      return typeof value === 'bigint' ? value : saturateBig(Number(value));
  }
}

/** To f32 in one rounding: through f64 it would be two. The low bits are folded into a sticky bit that f64 still holds. */
function roundBigInt(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  if (magnitude < 2n ** 53n) return Math.fround(Number(value));
  const sticky = (magnitude >> 12n) | (magnitude % 4096n === 0n ? 0n : 1n);
  return Math.fround(Number(sticky) * 4096) * (value < 0n ? -1 : 1);
}

function saturate(value: number, bits: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.trunc(Math.max(-(2 ** bits), Math.min(2 ** bits - 1, value))) + 0;
}

function saturateBig(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return 2n ** 63n - 1n;
  return value <= -(2 ** 63) ? -(2n ** 63n) : BigInt(Math.trunc(value));
}

function castBits(from: ScalarType, value: ScalarValue): ScalarValue {
  const view = new DataView(new ArrayBuffer(8));
  switch (from) {
    case 'f32':
      view.setFloat32(0, value as number);
      return view.getInt32(0);
    case 'i32':
      view.setInt32(0, value as number);
      return view.getFloat32(0);
    case 'f64':
      view.setFloat64(0, value as number);
      return view.getBigInt64(0);
    default:
      view.setBigInt64(0, value as bigint);
      return view.getFloat64(0);
  }
}

// ---------------------------------------------------------------- operations

function applyUnary(op: UnaryOp, value: ScalarValue): ScalarValue {
  if (typeof value === 'boolean') return !value;
  if (op === 'not') return typeof value === 'bigint' ? ~value : ~value;
  if (op === 'neg') return -value;
  if (op === 'abs') return value < 0 || Object.is(value, -0) ? -value : value;
  const x = value as number;
  switch (op) {
    case 'sqrt':
      return Math.sqrt(x);
    case 'floor':
      return Math.floor(x);
    case 'ceil':
      return Math.ceil(x);
    case 'trunc':
      return Math.trunc(x);
    case 'nearest':
      return roundToEven(x);
    default:
      throw new TfError('InvariantError', `${op}: not a unary operation.`, { op });
  }
}

/** Adding 2^52 leaves no fraction bits, and the addition rounds to even. */
function roundToEven(x: number): number {
  const magnitude = Math.abs(x);
  if (!(magnitude < 2 ** 52)) return x;
  const rounded = magnitude + 2 ** 52 - 2 ** 52;
  return withSign(rounded, x);
}

function withSign(magnitude: number, sign: number): number {
  return (sign < 0 || Object.is(sign, -0) ? -1 : 1) * Math.abs(magnitude);
}

function applyBinary(op: BinaryOp, type: ScalarType, a: ScalarValue, b: ScalarValue): ScalarValue {
  if (isComparison(op)) return compare(op, a, b);
  switch (type) {
    case 'i64':
      return applyBigInt(op, a as bigint, b as bigint);
    case 'i32':
      return applyInt(op, a as number, b as number);
    case 'bool':
      return op === 'and' ? a === true && b === true : op === 'or' ? a === true || b === true : a !== b;
    default:
      return applyFloat(op, a as number, b as number);
  }
}

function compare(op: BinaryOp, a: ScalarValue, b: ScalarValue): boolean {
  switch (op) {
    case 'eq':
      return a === b;
    case 'ne':
      return a !== b;
    case 'lt':
      return a < b;
    case 'le':
      return a <= b;
    case 'gt':
      return a > b;
    default:
      return a >= b;
  }
}

function applyFloat(op: BinaryOp, a: number, b: number): number {
  switch (op) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return a * b;
    case 'div':
      return a / b;
    case 'min':
      return Math.min(a, b);
    case 'max':
      return Math.max(a, b);
    default:
      invariant(op === 'copysign', `${op}: not an operation on floats`, { op });
      return withSign(a, b);
  }
}

function applyInt(op: BinaryOp, a: number, b: number): number {
  switch (op) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return Math.imul(a, b);
    case 'min':
      return Math.min(a, b);
    case 'max':
      return Math.max(a, b);
    default:
      return Number(applyBits(op, BigInt(a), BigInt(b), 32));
  }
}

function applyBigInt(op: BinaryOp, a: bigint, b: bigint): bigint {
  switch (op) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return a * b;
    case 'min':
      return a < b ? a : b;
    case 'max':
      return a > b ? a : b;
    default:
      return applyBits(op, a, b, 64);
  }
}

function applyBits(op: BinaryOp, a: bigint, b: bigint, width: number): bigint {
  const count = BigInt.asUintN(6, b) % BigInt(width);
  switch (op) {
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'shl':
      return BigInt.asIntN(width, a << count);
    case 'shrS':
      return a >> count;
    default:
      invariant(op === 'shrU', `${op}: not an operation on integers`, { op });
      return BigInt.asIntN(width, BigInt.asUintN(width, a) >> count);
  }
}
