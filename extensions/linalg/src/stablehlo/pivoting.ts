/** LU with complete pivoting, which JAX's runtime lacks, and cofactors by it: loops over masks. */
import { abs, argmax, broadcastTo, convert, div, equal, fori, greater, greaterEqual, floorDivide, iotaBeside, type Kind, logicalAnd, mul, notEqual, type Operand, prod, reshape, select, sub } from '@tf/core';
import type { NativeRole, StableHloRole, StableHloSite, StableHloValue as Value } from '@tf/export-stablehlo';
import { asColumn, asRow, diagonalOf, scaleRows, transposed } from '../algebra.ts';
import { identityColumns, inverseOrder, permutedColumns, permutedRows } from '../permute.ts';
import { withLead } from '../systems.ts';
import { solveTriangle } from '../triangular/operation.ts';
import { element, repeated, swapped } from './elements.ts';

type Mask = Operand<Kind, 'bool'>;

interface State {
  readonly a: Operand;
  readonly rows: Operand;
  readonly columns: Operand;
  readonly parity: Operand;
}

/** For each of the leading axes an index, the same for all rows. */
function perRow(index: Operand): Operand {
  return index.type.shape.length === 0 ? index : repeated(index);
}

function swappedColumns(a: Operand, i: Operand, j: Operand): Operand {
  return swapped(a, i, perRow(j));
}

/** One step: the largest element that is left comes to (k, k), and what lies below it is eliminated. */
function step(k: Operand, { a, rows, columns, parity }: State): State {
  const { shape } = a.type;
  const [lead, m, n] = [shape.slice(0, -2), shape.at(-2) as number, shape.at(-1) as number];
  const [row, column] = [reshape(iotaBeside('lu', a, m), [m, 1]) as Operand, iotaBeside('lu', a, n)];
  const isLeft = logicalAnd(greaterEqual(row, k) as Operand, greaterEqual(column, k) as Operand) as Mask;
  const sizes = select(isLeft, abs(a) as Operand, -1) as Operand;
  const place = argmax(reshape(sizes, [...lead, m * n]) as Operand, { axis: -1 }) as Operand;
  const i = floorDivide(place, n) as Operand;
  const j = sub(place, mul(i, n) as Operand) as Operand;
  const moved = swappedColumns(transposed(swappedColumns(transposed(a), k, i)), k, j);
  const pivotRow = element(transposed(moved), k);
  const pivot = element(pivotRow, k);
  const isZero = equal(pivot, 0) as Mask;
  const below = greater(iotaBeside('lu', a, m), k) as Mask;
  const under = element(moved, k);
  const factors = select(below, div(under, repeated(select(isZero, 1, pivot) as Operand)) as Operand, 0) as Operand;
  const right = select(greater(column, k) as Mask, pivotRow, 0) as Operand;
  const eliminated = sub(moved, mul(asColumn(factors), asRow(right)) as Operand) as Operand;
  const isFactor = logicalAnd(reshape(below, [m, 1]) as Operand, equal(column, k) as Operand) as Mask;
  const sign = (index: Operand): Operand => sub(1, mul(convert(notEqual(index, k), 'int32') as Operand, 2) as Operand) as Operand;
  return {
    a: select(isFactor, asColumn(factors), eliminated) as Operand,
    rows: swapped(rows, k, i),
    columns: swapped(columns, k, j),
    parity: convert(mul(parity, mul(sign(i), sign(j)) as Operand), 'int32') as Operand,
  };
}

function factoredFully(a: Operand): State {
  const { shape } = a.type;
  const [lead, m, n] = [shape.slice(0, -2), shape.at(-2) as number, shape.at(-1) as number];
  const order = (size: number): Operand => broadcastTo(iotaBeside('lu', a, size), [...lead, size]) as Operand;
  const one = reshape(sub(iotaBeside('lu', a, 1), -1) as Operand, []) as Operand;
  return fori(Math.min(m, n), (k, state: State) => step(k as Operand, state), { a, rows: order(m), columns: order(n), parity: broadcastTo(one, lead) as Operand }) as State;
}

function fullPivots({ operands: [a], apply }: StableHloSite): readonly Value[] {
  return apply((x) => {
    const { a: packed, rows, columns, parity } = factoredFully(x as Operand);
    return [packed, rows, columns, parity];
  }, a as Value);
}

/**
 * With A = Pᵀ L D U Qᵀ, L and U of unit diagonal, adj(A) = ±Q U⁻¹ adj(D) L⁻¹ P, where adj(D)ᵢᵢ is the product of all pivots but one;
 * cofactors are the transpose of the adjugate (see `host/full-pivot.ts`).
 */
function cofactors({ operands: [a], apply }: StableHloSite): readonly Value[] {
  return apply((x) => {
    const given = x as Operand;
    const n = given.type.shape.at(-1) as number;
    const { a: packed, rows, columns, parity } = factoredFully(given);
    const identity = withLead(identityColumns(given, n, n), given.type.shape.slice(0, -2), 2);
    const pivots = diagonalOf(packed);
    const without = select(equal(identityColumns(given, n, n), 1) as Mask, 1, asRow(pivots)) as Operand;
    const others = mul(prod(without, { axes: -1 }) as Operand, repeated(convert(parity, given.type.dtype) as Operand)) as Operand;
    const lower = solveTriangle(packed, identity, { unit: true });
    const divisors = asColumn(select(equal(pivots, 0) as Mask, 1, pivots) as Operand);
    const adjugate = solveTriangle(div(packed, divisors) as Operand, scaleRows(others, lower), { upper: true, unit: true });
    // Row i of the adjugate of the permuted matrix is row columns[i] of it, and column j is column rows[j].
    return transposed(permutedRows(permutedColumns(adjugate, inverseOrder(rows)), inverseOrder(columns)));
  }, a as Value);
}

const loops: Pick<NativeRole, 'becomes'> = { becomes: 'a while loop of elementwise operations and reductions' };

export const pivotingRoles: { readonly [operation: string]: StableHloRole } = {
  luFullPivot: { ...loops, toStableHlo: fullPivots },
  cofactor: { ...loops, caveats: ['products of pivots overflow and vanish on the way'], toStableHlo: cofactors },
};
