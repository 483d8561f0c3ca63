import * as core from '@tf/core';
import { type DType, type Engine, type Operand, tensorType, type Var } from '@tf/core';
import { programOf } from '../../programs.ts';
import { createRandom, randomValues } from '../../random.ts';
import { checkCase, type EngineCase, type EngineLaw, onEngine } from './subject.ts';

/** Centred rows by their sum of squares, and that sum: two folds, each read by rows again, and a row shared by all. */
function rowProgram(x: Operand, shared: Operand): readonly Var[] {
  // Complex numbers have no largest one.
  const fold = core.isComplex(x.type.dtype) ? core.sum : core.reduceMax;
  const centred = core.sub(x, fold(x, { axes: 1, keepdims: true }) as Operand) as Operand;
  const squares = core.sum(core.mul(centred, centred) as Operand, { axes: 1, keepdims: true }) as Operand;
  return [core.mul(core.add(centred, squares) as Operand, shared), squares] as unknown as readonly Var[];
}

function tileCase(dtype: DType, rows: number, columns: number): EngineCase {
  const shapes = [[rows, columns], [columns]];
  const program = programOf((x, shared) => rowProgram(x as Operand, shared as Operand), shapes.map((shape) => tensorType(dtype, shape)));
  return { name: `${dtype}: loops over ${rows} rows of ${columns}`, dtype, bits: true, program, inputs: shapes.map((shape, at) => randomValues(dtype, shape, createRandom(rows + at))) };
}

/** Row counts around the tiles of small engines, and rows that no cache takes at once. */
export function tileCases({ info }: Engine): readonly EngineCase[] {
  const dtypes = (['int32', 'int64', 'complex64', 'complex128', 'float32', 'float64'] as const).filter((dtype) => info.dtypes.includes(dtype));
  const large = dtypes.slice(-1).map((dtype) => tileCase(dtype, 17, 1100));
  return [...dtypes.flatMap((dtype) => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17].map((rows) => tileCase(dtype, rows, 5))), ...large];
}

export const tilesLaw: EngineLaw = {
  name: 'tiles',
  equation: 'loops over the same rows, run tile by tile = the loops one after the other',
  check: (subject) => onEngine(subject, (engine) => {
    for (const given of tileCases(engine)) checkCase('tiles', engine, given);
    return undefined;
  }),
};
