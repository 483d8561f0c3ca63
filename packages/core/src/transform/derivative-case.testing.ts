/** One row of the tables of operations that have derivatives, and how rows are written. */
import type { Atom, Program, Var } from '../contract.ts';
import { Builder } from '../program/builder.ts';
import { tensor } from '../tensor/create.ts';
import type { DType } from '../types/dtype.ts';
import type { Operand } from '../types/operand.ts';
import { tensorType } from '../types/tensor-type.ts';
import type { Value } from './evaluate.testing.ts';
import { Numbers } from './laws.testing.ts';

export type Region = 'any' | 'positive' | 'distinct' | 'away from 0';

export interface DerivativeCase {
  readonly name: string;
  readonly shapes: readonly (readonly number[])[];
  readonly region: Region;
  readonly dtype: DType;
  /** Values of some operands, where the point matters. */
  readonly at?: readonly (readonly number[] | undefined)[];
  readonly apply: (...operands: readonly Var[]) => unknown;
}

/** Signed numbers whose magnitudes differ by 0.2 and more: no two tie, none is near 0. */
function distinct(count: number, numbers: Numbers): readonly number[] {
  const order = Array.from({ length: count }, (_, at) => ({ at, key: numbers.between(0, 1) })).sort((a, b) => a.key - b.key);
  return order.map(({ at }) => (0.3 + 0.2 * at) * (numbers.between(-1, 1) < 0 ? -1 : 1));
}

export function pointOf({ shapes, region, dtype, at }: DerivativeCase, seed: number): readonly Value[] {
  const numbers = new Numbers(seed);
  const values = shapes.map((shape): Value => numbers.like({ dtype, shape }, region === 'positive' ? 0.4 : -1.5, region === 'positive' ? 2 : 1.5));
  const spread = distinct(values.reduce((count, { data }) => count + data.length, 0), numbers).values();
  return values.map((value, index) => {
    const given = at?.[index];
    if (given !== undefined) return { ...value, data: given };
    if (region === 'away from 0') return { ...value, data: value.data.map((x) => (x < 0 ? x - 0.4 : x + 0.4)) };
    return region === 'distinct' ? { ...value, data: value.data.map(() => spread.next().value as number) } : value;
  });
}

export function programOf({ shapes, dtype, apply }: DerivativeCase, as: DType = dtype): Program {
  const builder = new Builder();
  const results = apply(...shapes.map((shape) => builder.input(tensorType(as, shape))));
  return builder.build((Array.isArray(results) ? results : [results]) as readonly Atom[]);
}

export type Apply = DerivativeCase['apply'];
export const unaryShapes: readonly (readonly (readonly number[])[])[] = [[[]], [[3]], [[2, 3]], [[0, 2]]];
export const pairShapes: readonly (readonly (readonly number[])[])[] = [[[], []], [[2, 3], [2, 3]], [[2, 3], [3]], [[2, 1], [1, 3]], [[], [2]], [[1], [0]], [[2, 1, 2], [3, 1]]];

export function many(name: string, shapes: readonly (readonly (readonly number[])[])[], region: Region, apply: Apply, dtype: DType = 'float64'): readonly DerivativeCase[] {
  return shapes.map((list) => ({ name: `${name} ${dtype === 'float64' ? '' : `${dtype} `}${list.map((shape) => `[${shape.join()}]`).join(' ')}`, shapes: list, region, dtype, apply }));
}

export const one = (name: string, shapes: readonly (readonly number[])[], apply: Apply, given: Partial<DerivativeCase> = {}): DerivativeCase => ({ name, shapes, region: 'any', dtype: 'float64', apply, ...given });
export const unary = (name: string, apply: (x: Var) => unknown, region: Region = 'any'): readonly DerivativeCase[] => many(name, unaryShapes, region, (x) => apply(x!));
export const binary = (name: string, apply: (x: Var, y: Var) => unknown, region: Region = 'any'): readonly DerivativeCase[] => many(name, pairShapes, region, (x, y) => apply(x!, y!));
export const indices = (shape: readonly number[], ...values: readonly number[]): Operand<never, 'int32'> => tensor(Int32Array.from(values), { shape }) as never;
