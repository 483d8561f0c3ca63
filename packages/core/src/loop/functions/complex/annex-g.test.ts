/** Complex functions at infinities, NaN and signed zeros: C99, annex G.6, whose rows NumPy has too. */
import { describe, expect, it } from 'vitest';
import type { ScalarExpr, ScalarType } from '../../../types/loop-language.ts';
import { evaluateScalars } from '../../evaluate.ts';
import { argument, neg } from '../../scalar.ts';
import { expandAllCalls } from '../catalog.ts';
import { complexFunctions } from './catalog.ts';
import type { Complex } from './complex.ts';

type Pair = readonly [number, number];
/** A part of a result: a number to the sign of zero, or ± where the standard leaves the sign open. */
type Part = number | '±0' | '±∞';
/** x, y, and the parts of f(x + iy). */
type Row = readonly [number, number, Part, Part];

interface Function {
  readonly symmetry: 'odd' | 'even' | 'none';
  readonly rows: readonly Row[];
}

const [inf, nan, pi] = [Infinity, NaN, Math.PI];

const table: { readonly [name: string]: Function } = {
  acos: { symmetry: 'none', rows: [
    [0, 0, pi / 2, -0], [-0, 0, pi / 2, -0], [0, nan, pi / 2, nan], [-0, nan, pi / 2, nan], [0.5, inf, pi / 2, -inf], [-0.5, inf, pi / 2, -inf], [0.5, nan, nan, nan], [-inf, 0.5, pi, -inf], [-inf, 0, pi, -inf],
    [inf, 0.5, 0, -inf], [inf, 0, 0, -inf], [-inf, inf, (3 * pi) / 4, -inf], [inf, inf, pi / 4, -inf], [inf, nan, nan, '±∞'], [-inf, nan, nan, '±∞'], [nan, 0.5, nan, nan], [nan, inf, nan, -inf], [nan, nan, nan, nan],
  ] },
  acosh: { symmetry: 'none', rows: [
    [0, 0, 0, pi / 2], [-0, 0, 0, pi / 2], [0.5, inf, inf, pi / 2], [0, nan, nan, pi / 2], [0.5, nan, nan, nan], [-inf, 0.5, inf, pi], [inf, 0.5, inf, 0], [inf, 0, inf, 0], [-inf, 0, inf, pi],
    [-inf, inf, inf, (3 * pi) / 4], [inf, inf, inf, pi / 4], [inf, nan, inf, nan], [-inf, nan, inf, nan], [nan, 0.5, nan, nan], [nan, inf, inf, nan], [nan, nan, nan, nan],
  ] },
  asinh: { symmetry: 'odd', rows: [
    [0, 0, 0, 0], [0.5, inf, inf, pi / 2], [0, inf, inf, pi / 2], [0.5, nan, nan, nan], [inf, 0.5, inf, 0], [inf, 0, inf, 0], [inf, inf, inf, pi / 4], [inf, nan, inf, nan], [nan, 0, nan, 0], [nan, 0.5, nan, nan], [nan, inf, '±∞', nan], [nan, nan, nan, nan],
  ] },
  asin: { symmetry: 'odd', rows: [
    [0, 0, 0, 0], [inf, 0.5, pi / 2, inf], [inf, 0, pi / 2, inf], [nan, 0.5, nan, nan], [0.5, inf, 0, inf], [0, inf, 0, inf], [inf, inf, pi / 4, inf], [nan, inf, nan, inf], [0, nan, 0, nan], [0.5, nan, nan, nan], [inf, nan, nan, '±∞'], [nan, nan, nan, nan],
  ] },
  atanh: { symmetry: 'odd', rows: [
    [0, 0, 0, 0], [0, nan, 0, nan], [1, 0, inf, 0], [0.5, inf, 0, pi / 2], [0, inf, 0, pi / 2], [0.5, nan, nan, nan], [inf, 0.5, 0, pi / 2], [inf, 0, 0, pi / 2], [inf, inf, 0, pi / 2], [inf, nan, 0, nan], [nan, 0.5, nan, nan], [nan, inf, '±0', pi / 2], [nan, nan, nan, nan],
  ] },
  atan: { symmetry: 'odd', rows: [
    [0, 0, 0, 0], [nan, 0, nan, 0], [0, 1, 0, inf], [inf, 0.5, pi / 2, 0], [inf, 0, pi / 2, 0], [nan, 0.5, nan, nan], [0.5, inf, pi / 2, 0], [0, inf, pi / 2, 0], [inf, inf, pi / 2, 0], [nan, inf, nan, 0], [0.5, nan, nan, nan], [inf, nan, pi / 2, '±0'], [nan, nan, nan, nan],
  ] },
  cosh: { symmetry: 'even', rows: [
    [0, 0, 1, 0], [0, inf, nan, '±0'], [0, nan, nan, '±0'], [0.5, inf, nan, nan], [0.5, nan, nan, nan], [inf, 0, inf, 0], [inf, 1, inf, inf], [inf, 2, -inf, inf], [inf, inf, '±∞', nan], [inf, nan, inf, nan], [nan, 0, nan, '±0'], [nan, 0.5, nan, nan], [nan, nan, nan, nan],
  ] },
  cos: { symmetry: 'even', rows: [
    [0, 0, 1, -0], [0, inf, inf, -0], [1, inf, inf, -inf], [2, inf, -inf, -inf], [inf, inf, '±∞', nan], [nan, inf, inf, nan], [0, nan, nan, '±0'], [0.5, nan, nan, nan], [inf, 0, nan, '±0'], [nan, 0, nan, '±0'], [inf, 0.5, nan, nan], [nan, nan, nan, nan],
  ] },
  sinh: { symmetry: 'odd', rows: [
    [0, 0, 0, 0], [0, inf, '±0', nan], [0, nan, '±0', nan], [0.5, inf, nan, nan], [0.5, nan, nan, nan], [inf, 0, inf, 0], [inf, 1, inf, inf], [inf, 2, -inf, inf], [inf, inf, '±∞', nan], [inf, nan, '±∞', nan], [nan, 0, nan, 0], [nan, 0.5, nan, nan], [nan, nan, nan, nan],
  ] },
  sin: { symmetry: 'odd', rows: [
    [0, 0, 0, 0], [inf, 0, nan, '±0'], [nan, 0, nan, '±0'], [inf, 0.5, nan, nan], [0, inf, 0, inf], [1, inf, inf, inf], [2, inf, inf, -inf], [inf, inf, nan, '±∞'], [nan, inf, nan, '±∞'], [0, nan, 0, nan], [0.5, nan, nan, nan], [nan, nan, nan, nan],
  ] },
  tanh: { symmetry: 'odd', rows: [
    [0, 0, 0, 0], [0, inf, 0, nan], [0, nan, 0, nan], [0.5, inf, nan, nan], [40, inf, nan, nan], [0.5, nan, nan, nan], [inf, 0, 1, 0], [inf, 1, 1, 0], [inf, 2, 1, -0], [inf, inf, 1, '±0'], [inf, nan, 1, '±0'], [nan, 0, nan, 0], [nan, 0.5, nan, nan], [nan, nan, nan, nan],
  ] },
  tan: { symmetry: 'odd', rows: [
    [0, 0, 0, 0], [inf, 0, nan, 0], [nan, 0, nan, 0], [inf, 0.5, nan, nan], [inf, 40, nan, nan], [0, inf, 0, 1], [1, inf, 0, 1], [2, inf, -0, 1], [inf, inf, '±0', 1], [nan, inf, '±0', 1], [0, nan, 0, nan], [nan, nan, nan, nan],
  ] },
  exp: { symmetry: 'none', rows: [
    [0, 0, 1, 0], [-0, 0, 1, 0], [0.5, inf, nan, nan], [0.5, nan, nan, nan], [inf, 0, inf, 0], [-inf, 1, 0, 0], [-inf, 2, -0, 0], [inf, 1, inf, inf], [inf, 2, -inf, inf], [-inf, inf, '±0', '±0'], [inf, inf, '±∞', nan], [-inf, nan, '±0', '±0'], [inf, nan, '±∞', nan], [nan, 0, nan, 0], [nan, 0.5, nan, nan], [nan, nan, nan, nan],
  ] },
  exp2: { symmetry: 'none', rows: [
    [0, 0, 1, 0], [3, 0, 8, 0], [0.5, inf, nan, nan], [0.5, nan, nan, nan], [inf, 0, inf, 0], [-inf, 1, 0, 0], [inf, 1, inf, inf], [inf, 3, -inf, inf], [-inf, inf, '±0', '±0'], [inf, inf, '±∞', nan], [-inf, nan, '±0', '±0'], [inf, nan, '±∞', nan], [nan, 0, nan, 0], [nan, 0.5, nan, nan],
  ] },
  // Without a standard of their own: the limits of what they are made of.
  expm1: { symmetry: 'none', rows: [[0, 0, 0, 0], [-0, 0, -0, 0], [inf, 0, inf, 0], [-inf, 1, -1, 0], [-inf, inf, -1, '±0'], [-inf, nan, -1, '±0'], [inf, inf, '±∞', nan], [inf, nan, '±∞', nan], [0.5, inf, nan, nan], [nan, 0, nan, 0], [nan, 0.5, nan, nan]] },
  sigmoid: { symmetry: 'none', rows: [[0, 0, 0.5, 0], [inf, 0, 1, 0], [inf, 1, 1, '±0'], [inf, inf, 1, '±0'], [inf, nan, 1, '±0'], [-inf, 0.5, 0, '±0'], [-inf, inf, 0, '±0'], [-inf, nan, 0, '±0'], [0.5, inf, nan, nan], [nan, 0.5, nan, nan]] },
  log: { symmetry: 'none', rows: logRows(pi) },
  log2: { symmetry: 'none', rows: logRows(pi * Math.LOG2E) },
  log10: { symmetry: 'none', rows: logRows(pi * Math.LOG10E) },
  log1p: { symmetry: 'none', rows: [[0, 0, 0, 0], [-0, 0, -0, 0], [-1, 0, -inf, 0], [0.5, inf, inf, pi / 2], [-inf, 0.5, inf, pi], [inf, 0.5, inf, 0], [-inf, inf, inf, (3 * pi) / 4], [inf, inf, inf, pi / 4], [inf, nan, inf, nan], [-inf, nan, inf, nan], [nan, inf, inf, nan], [nan, 0.5, nan, nan]] },
  sqrt: { symmetry: 'none', rows: [
    [0, 0, 0, 0], [-0, 0, 0, 0], [0.5, inf, inf, inf], [-inf, inf, inf, inf], [inf, inf, inf, inf], [nan, inf, inf, inf], [0.5, nan, nan, nan], [-inf, 0.5, 0, inf], [inf, 0.5, inf, 0], [-inf, 0, 0, inf], [inf, 0, inf, 0], [-inf, nan, nan, '±∞'], [inf, nan, inf, nan], [nan, 0.5, nan, nan], [nan, nan, nan, nan],
  ] },
};

function logRows(halfTurn: number): readonly Row[] {
  return [
    [-0, 0, -inf, halfTurn], [0, 0, -inf, 0], [0.5, inf, inf, halfTurn / 2], [0.5, nan, nan, nan], [-inf, 0.5, inf, halfTurn], [inf, 0.5, inf, 0], [-inf, inf, inf, halfTurn * 0.75], [inf, inf, inf, halfTurn / 4],
    [inf, nan, inf, nan], [-inf, nan, inf, nan], [nan, 0.5, nan, nan], [nan, inf, inf, nan], [nan, nan, nan, nan],
  ];
}

const flip = (part: Part): Part => (typeof part === 'number' ? -part : part);

/** The row, its mirror image in the real axis (f(conj z) = conj f(z)), and both turned by half a turn where f is odd or even. */
function mirrored(row: Row, symmetry: Function['symmetry']): readonly Row[] {
  const both: readonly Row[] = Number.isNaN(row[1]) ? [row] : [row, [row[0], -row[1], row[2], flip(row[3])]];
  if (symmetry === 'none') return both;
  const sign = symmetry === 'odd' ? flip : (part: Part): Part => part;
  return [...both, ...both.map(([x, y, re, im]): Row => [-x, -y, sign(re), sign(im)])];
}

function isPart(got: number, want: Part, tolerance: number): boolean {
  if (want === '±0') return got === 0;
  if (want === '±∞') return Math.abs(got) === Infinity;
  return Object.is(got, want) || (want !== 0 && Math.abs(got - want) <= tolerance * Math.abs(want));
}

const z = (type: ScalarType): Complex => [argument(type, 0, 0), argument(type, 0, 1)];
const text = (x: Part): string => (Object.is(x, -0) ? '-0' : String(x));

/** Rows that an implementation does not meet. */
function broken(name: string, type: 'f32' | 'f64', f: (z: Complex) => readonly ScalarExpr[]): readonly string[] {
  const graph = expandAllCalls(f(z(type)));
  const { rows, symmetry } = table[name]!;
  return rows.flatMap((row) => mirrored(row, symmetry)).flatMap(([x, y, ...want]) => {
    const point: Pair = [x, y];
    const got = evaluateScalars(graph, (_input, lane) => point[lane]) as readonly number[];
    return got.every((part, lane) => isPart(part, want[lane]!, type === 'f64' ? 1e-15 : 3e-7)) ? [] : [`${name}(${text(x)}, ${text(y)}) is (${got.map(text).join(', ')}), not (${want.map(text).join(', ')})`];
  });
}

describe('complex functions at infinities, NaN and zeros', () => {
  it('has a row for every function but the reciprocal root', () => {
    expect(Object.keys(table).sort()).toEqual(Object.keys(complexFunctions).filter((name) => name !== 'rsqrt').sort());
  });

  it.each(Object.keys(table))('%s is as annex G says, in both precisions', (name) => {
    expect([...broken(name, 'f64', complexFunctions[name]!), ...broken(name, 'f32', complexFunctions[name]!)]).toEqual([]);
  });

  it.each(Object.keys(table))('%s: a twin that turns the imaginary part around is seen', (name) => {
    const twin = (w: Complex): readonly ScalarExpr[] => {
      const [re, im] = complexFunctions[name]!(w);
      return [re, neg(im)];
    };
    expect(broken(name, 'f64', twin).length).toBeGreaterThan(2);
  });
});
