import { type DType, dtypes, loop, type MonoidName, TfError, type TypedArray } from '@tf/core';
import { setLane } from '../values.ts';
import type { Arithmetic } from './scalars.ts';

/** An element as the interpreter holds it: real and imaginary part, or one number, bigint or 0/1. */
export type Element = readonly [number | bigint] | readonly [number, number];

/** Sums and products of elements of one dtype. */
export interface Ring {
  readonly add: (a: Element, b: Element) => Element;
  readonly mul: (a: Element, b: Element) => Element;
}

export function loadElement(dtype: DType, data: TypedArray, at: number): Element {
  if (dtypes[dtype].lanes === 2) return [data[2 * at] as number, data[2 * at + 1] as number];
  return [data[at] as number | bigint];
}

export function storeElement(dtype: DType, data: TypedArray, at: number, element: Element): void {
  const { lanes } = dtypes[dtype];
  for (let lane = 0; lane < lanes; lane++) setLane(data, lanes * at + lane, element[lane] as number | bigint);
}

/** How `dtype` adds and multiplies; `wide` keeps float64 where `exact` rounds every operation. */
export function ringOf(dtype: DType, arithmetic: Arithmetic): Ring {
  const kind = dtypes[dtype].kind;
  if (dtype === 'int64') return lift<bigint>((a, b) => BigInt.asIntN(64, a + b), (a, b) => BigInt.asIntN(64, a * b));
  if (kind === 'int') return lift<number>((a, b) => (a + b) | 0, Math.imul);
  const single = arithmetic === 'exact' && (dtype === 'float32' || dtype === 'complex64');
  const add = single ? (a: number, b: number): number => Math.fround(a + b) : (a: number, b: number): number => a + b;
  const mul = single ? (a: number, b: number): number => Math.fround(a * b) : (a: number, b: number): number => a * b;
  return kind === 'complex' ? complexRing(add, mul) : lift(add, mul);
}

function lift<T extends number | bigint>(add: (a: T, b: T) => T, mul: (a: T, b: T) => T): Ring {
  const of = (f: (a: T, b: T) => T) => (a: Element, b: Element): Element => [f(a[0] as T, b[0] as T)];
  return { add: of(add), mul: of(mul) };
}

function complexRing(add: (a: number, b: number) => number, mul: (a: number, b: number) => number): Ring {
  return {
    add: (a, b) => [add(a[0] as number, b[0] as number), add(a[1] as number, b[1] as number)],
    mul: (a, b) => {
      const [[ar, ai], [br, bi]] = [a as readonly [number, number], b as readonly [number, number]];
      return [add(mul(ar, br), -mul(ai, bi)), add(mul(ar, bi), mul(ai, br))];
    },
  };
}

/** What a reduction starts from. */
export function monoidStart(monoid: MonoidName, dtype: DType): Element {
  const start = loop.identity(monoid, dtype);
  return dtypes[dtype].lanes === 2 ? [start as number, 0] : [start];
}

/** a ∘ b for whole elements. */
export function monoidCombine(monoid: MonoidName, dtype: DType, arithmetic: Arithmetic): (a: Element, b: Element) => Element {
  if (monoid === 'sum' || monoid === 'prod') {
    const ring = ringOf(dtype, arithmetic);
    return monoid === 'sum' ? ring.add : ring.mul;
  }
  if (dtypes[dtype].lanes === 2) throw new TfError('DTypeError', `${monoid}: ${dtype} has no order.`, { op: monoid, dtype });
  const pick = monoid === 'max' ? larger : smaller;
  return (a, b) => [pick(a[0], b[0])];
}

/** `Math.max` passes NaN on and orders −0 below +0, as the loop language says. */
function larger(a: number | bigint, b: number | bigint): number | bigint {
  return typeof a === 'number' ? Math.max(a, b as number) : a > b ? a : b;
}

function smaller(a: number | bigint, b: number | bigint): number | bigint {
  return typeof a === 'number' ? Math.min(a, b as number) : a < b ? a : b;
}

/** A sum that carries what rounding lost (Neumaier, ZAMM 54 (1974) 39), lane by lane. */
export function compensatedSum(elements: Iterable<Element>, lanes: 1 | 2): Element {
  const sum = [0, 0];
  const lost = [0, 0];
  for (const element of elements) {
    for (let lane = 0; lane < lanes; lane++) {
      const before = sum[lane] as number;
      const next = element[lane] as number;
      const after = before + next;
      sum[lane] = after;
      const rest = Math.abs(before) >= Math.abs(next) ? before - after + next : next - after + before;
      // Beyond the finite numbers the rest is Inf − Inf.
      if (Number.isFinite(rest)) lost[lane] = (lost[lane] as number) + rest;
    }
  }
  const total = (lane: 0 | 1): number => (sum[lane] as number) + (lost[lane] as number);
  return lanes === 2 ? [total(0), total(1)] : [total(0)];
}
