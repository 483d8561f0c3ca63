import { addAt, convert, dynamicSlice, dynamicUpdateSlice, getAt, maxAt, maximum, minAt, minimum, mul, type Operand, reshape, scatterMax, scatterMin, scatterSet, searchsorted, setAt, slice, sort, sum, take } from '@tf/core';
import { any, float, loose, numeric, ranked, rankOf, sameShape, shapeOf, step, type StepKind, type Take } from './step.ts';

const occupied = (take: Take): Take => (type, chosen) => ranked(take)(type, chosen) && !type.shape.includes(0);

/** Any numbers as indices of an axis with `rows` rows, negative ones included. */
function clamped(x: Operand, rows: number): Operand {
  const whole = loose(convert)(x.type.dtype === 'float32' || x.type.dtype === 'float64' ? mul(x, 2) : x, 'int32');
  return loose(minimum)(loose(maximum)(whole, -rows), rows - 1);
}

function scattered(f: unknown): StepKind['apply'] {
  return ([x, y, z], { n }) => {
    const axis = n % rankOf(x as Operand);
    return loose(f)(x, clamped(z as Operand, shapeOf(x as Operand)[axis] as number), y, axis);
  };
}

function flat(x: Operand): Operand {
  return loose(reshape)(x, [shapeOf(x).reduce((product, extent) => product * extent, 1)]);
}

/** Two axes at once; of one axis, that. */
function places(x: Operand, z: Operand, n: number): readonly [readonly Operand[], { readonly axes: readonly number[] }] {
  const axes = rankOf(x) < 2 ? [0] : [n % rankOf(x), (n + 1) % rankOf(x)];
  return [axes.map((axis) => clamped(flat(z), shapeOf(x)[axis] as number)), { axes }];
}

function scatteredAt(f: unknown): StepKind['apply'] {
  return ([x, y, z], { n }) => {
    const [indices, options] = places(x as Operand, z as Operand, n);
    return loose(f)(x, indices, loose(take)(flat(y as Operand), [0]), options);
  };
}

/** An integer that the program computes. */
function startOf(x: Operand): Operand {
  return loose(convert)(loose(maximum)(loose(minimum)(sum(loose(convert)(x, 'float64')), 9), -9), 'int32');
}

function halves(x: Operand): readonly number[] {
  return shapeOf(x).map((extent) => Math.ceil(extent / 2));
}

export const scatterSteps: { readonly [name: string]: StepKind } = {
  scatterSet: step([occupied(any), sameShape(any), sameShape(any)], scattered(scatterSet), 8),
  scatterMax: step([occupied(any), sameShape(any), sameShape(any)], scattered(scatterMax), 8),
  scatterMin: step([occupied(any), sameShape(any), sameShape(any)], scattered(scatterMin), 8),
  getAt: step([occupied(any), any], ([x, z], { n }) => loose(getAt)(x, ...places(x as Operand, z as Operand, n)), 4),
  setAt: step([occupied(any), occupied(any), any], scatteredAt(setAt), 4),
  addAt: step([occupied(numeric), occupied(numeric), any], scatteredAt(addAt), 4),
  maxAt: step([occupied(any), sameShape(any), any], scatteredAt(maxAt), 3),
  minAt: step([occupied(any), sameShape(any), any], scatteredAt(minAt), 3),
  dynamicSlice: step([ranked(any), numeric], ([x, y], { n }) => loose(dynamicSlice)(x, shapeOf(x as Operand).map((_, axis) => ((n >> axis) % 2 === 0 ? startOf(y as Operand) : n % 3)), halves(x as Operand)), 3),
  dynamicUpdateSlice: step([ranked(any), numeric], ([x, y], { n }) => loose(dynamicUpdateSlice)(x, slice(x as Operand, shapeOf(x as Operand).map(() => 0), halves(x as Operand)), shapeOf(x as Operand).map((_, axis) => ((n >> axis) % 2 === 0 ? startOf(y as Operand) : n % 3))), 3),
  searchsorted: step([(type) => float(type, []) && type.shape.length === 1, float], ([x, y], { n }) => loose(searchsorted)(sort(x as Operand), y, n % 2 === 0 ? 'left' : 'right'), 1),
};
