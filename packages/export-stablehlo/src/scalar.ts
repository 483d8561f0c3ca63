/** Scalar expressions of the loop language as elementwise operations: every function keeps its own algorithm. */
import { type BinaryOp, invariant, loop, type ScalarExpr, type ScalarType, type UnaryOp } from '@tf/core';
import type { Emitter } from './emitter.ts';
import { type Element, laneElement, laneText, typesText, type Value } from './text.ts';

/** Lane `lane` of operand `input`. */
export type ReadLane = (input: number, lane: 0 | 1) => Value;

/** One value of shape `shape` per expression. The expressions hold no calls (`expandAllCalls`); shared nodes are written once. */
export function emitScalars(emitter: Emitter, exprs: readonly ScalarExpr[], shape: readonly number[], read: ReadLane): readonly Value[] {
  const values = new Map<ScalarExpr, Value>();
  const order = loop.nodesInOrder(exprs);
  const kept = new Set(order.flatMap((node) => reassociated(node) ?? []));
  for (const node of order) {
    const value = emitNode({ emitter, shape, read }, node, loop.operandsOf(node).map((operand) => values.get(operand) as Value));
    values.set(node, kept.has(node) ? asRounded(emitter, value) : value);
  }
  return exprs.map((expr) => values.get(expr) as Value);
}

const families: { readonly [op: string]: string } = { add: 'sum', sub: 'sum', mul: 'product', div: 'quotient' };

/**
 * The operand that XLA would take apart: it makes x + (a + b) of (x + a) + b where a and b are constants, likewise for products, and
 * x / (y·z) of (x / y) / z, and of 1 / √x its own reciprocal root, which is less exact in float32. Functions round by adding a large constant and taking it away again.
 */
function reassociated(node: ScalarExpr): ScalarExpr | undefined {
  const family = families[node.op];
  if (family === undefined || !loop.isFloat(node.type)) return undefined;
  const root = loop.operandsOf(node)[1];
  if (family === 'quotient' && root?.op === 'sqrt') return root;
  const inner = loop.operandsOf(node).find((operand) => families[operand.op] === family);
  const isDecided = family === 'quotient' || (inner !== undefined && hasConstant(node) && hasConstant(inner));
  return isDecided ? inner : undefined;
}

function hasConstant(node: ScalarExpr): boolean {
  return loop.operandsOf(node).some(({ op }) => op === 'constant');
}

/** The value as it is: XLA looks through no rounding, not even one to the type's own precision. */
function asRounded(emitter: Emitter, value: Value): Value {
  const format = value.element === 'f32' ? 'e8m23' : 'e11m52';
  return emitter.write('stablehlo.reduce_precision', `${value.name}, format = ${format} : ${typesText([value])}`, value);
}

interface Site {
  readonly emitter: Emitter;
  readonly shape: readonly number[];
  readonly read: ReadLane;
}

function emitNode(site: Site, node: ScalarExpr, operands: readonly Value[]): Value {
  const { emitter, shape, read } = site;
  const [a, b, c] = operands as readonly [Value, Value, Value];
  switch (node.op) {
    case 'argument':
      return read(node.input, node.lane);
    case 'constant':
      return emitter.splat(laneElement(node.type), shape, laneText(node.type, node.value));
    case 'call':
      return invariant(false, `${node.name}: calls are expanded before they are exported`) as never;
    case 'select':
      return emitter.select(a, b, c);
    case 'lookup':
      return emitLookup(emitter, node.type, node.table, a);
    case 'convert':
      return emitConvert(site, a, laneElement(node.type));
    case 'bitcast':
      return emitter.other('bitcast_convert', [a], { element: laneElement(node.type), shape });
    default:
      return b === undefined ? emitUnary(site, node.op as UnaryOp, node.type, a) : emitBinary(site, node.op as BinaryOp, node, a, b);
  }
}

/** By value. XLA truncates and saturates floats, NaN to 0, and wraps integers, as the loop language does; to bool is ≠ 0. */
function emitConvert({ emitter, shape }: Site, a: Value, element: Element): Value {
  return element === 'i1' ? emitter.compare('NE', a, emitter.zeros({ element: a.element, shape })) : emitter.convert(a, element);
}

const unary: { readonly [O in UnaryOp]?: string } = { neg: 'negate', abs: 'abs', sqrt: 'sqrt', floor: 'floor', ceil: 'ceil', nearest: 'round_nearest_even', not: 'not' };

function emitUnary({ emitter, shape }: Site, op: UnaryOp, type: ScalarType, a: Value): Value {
  const native = unary[op];
  if (native !== undefined) return emitter.same(native, a);
  invariant(op === 'trunc', `${op}: not a unary operation`, { op });
  // −0.5 becomes −0, as ceil gives it; −0 stays, by floor.
  const isNegative = emitter.compare('LT', a, emitter.splat(laneElement(type), shape, laneText(type, 0)));
  return emitter.select(isNegative, emitter.same('ceil', a), emitter.same('floor', a));
}

const binary: { readonly [O in BinaryOp]?: string } = {
  add: 'add', sub: 'subtract', mul: 'multiply', div: 'divide',
  and: 'and', or: 'or', xor: 'xor', shl: 'shift_left', shrS: 'shift_right_arithmetic', shrU: 'shift_right_logical',
};
const comparisons = { eq: 'EQ', ne: 'NE', lt: 'LT', le: 'LE', gt: 'GT', ge: 'GE' } as const;

function emitBinary(site: Site, op: BinaryOp, node: ScalarExpr, a: Value, b: Value): Value {
  const { emitter } = site;
  if (op in comparisons) return emitter.compare(comparisons[op as keyof typeof comparisons], a, b);
  if (op === 'copysign') return emitCopysign(site, a, b);
  if (op === 'min' || op === 'max') return emitter.extremum(op === 'min' ? 'minimum' : 'maximum', a, b);
  const native = binary[op];
  invariant(native !== undefined, `${op}: not a binary operation`, { op });
  const isShift = op === 'shl' || op === 'shrS' || op === 'shrU';
  return emitter.same(native, a, isShift ? shiftCount(site, node, b) : b);
}

/** The loop language takes a count modulo the width; in StableHLO all bits leave. */
function shiftCount({ emitter, shape }: Site, node: ScalarExpr, count: Value): Value {
  const width = node.type === 'i64' ? 64 : 32;
  const given = loop.operandsOf(node)[1] as ScalarExpr;
  if (given.op === 'constant' && given.value >= 0 && given.value < width) return count;
  return emitter.same('and', count, emitter.splat(count.element, shape, String(width - 1)));
}

/** The bits of `a` but for the sign, which is `b`'s. */
function emitCopysign({ emitter, shape }: Site, a: Value, b: Value): Value {
  const isSingle = a.element === 'f32';
  const element: Element = isSingle ? 'i32' : 'i64';
  const bits = (x: Value): Value => emitter.other('bitcast_convert', [x], { element, shape });
  const magnitude = emitter.same('and', bits(a), emitter.splat(element, shape, isSingle ? '2147483647' : '9223372036854775807'));
  const sign = emitter.same('and', bits(b), emitter.splat(element, shape, isSingle ? '-2147483648' : '-9223372036854775808'));
  return emitter.other('bitcast_convert', [emitter.same('or', magnitude, sign)], { element: a.element, shape });
}

/** `table[index]`: a gather brings the index into the table. */
function emitLookup(emitter: Emitter, type: ScalarType, table: readonly (number | bigint)[], index: Value): Value {
  const element = laneElement(type);
  const values = emitter.splat(element, [table.length], `[${table.map((value) => laneText(type, value)).join(', ')}]`);
  const places = emitter.reshape(index, [...index.shape, 1]);
  const rank = index.shape.length;
  const numbers = `#stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = ${rank}>`;
  return emitter.generic('gather', [values, places], [{ element, shape: index.shape }], `dimension_numbers = ${numbers}, slice_sizes = array<i64: 1>`)[0] as Value;
}
