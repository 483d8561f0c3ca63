import { broadcastTo, concat, convert, indexAdd, isInexact, maximum, minimum, mul, type Operand, pad, reshape, scatterAdd, shapeOf as extentAlong, size, slice, sliceAdd, take, takeAlongAxis, tensor, transpose, dynamicTruncate, greater, padToMatch, sum } from '@tf/core';
import { any, loose, numeric, ranked, rankOf, sameShape, shapeOf, type Steer, step, type StepKind, type Take } from './step.ts';

const axisOf = (x: Operand, { n }: Steer): number => n % rankOf(x);

/** Another shape with as many elements: extents are peeled off by a divisor chosen with `n`. */
function reshaped(x: Operand, { n, m }: Steer): Operand {
  let rest = shapeOf(x).reduce((product, extent) => product * extent, 1);
  if (rest === 0) return reshape(x, [1, ...shapeOf(x)].slice(-4).includes(0) ? [0, 2] : [0]) as Operand;
  const shape: number[] = [];
  for (let bits = n; shape.length < m % 4 && rest > 1; bits >>= 2) {
    const divisors = Array.from({ length: rest }, (_, at) => at + 1).filter((divisor) => rest % divisor === 0);
    const divisor = divisors[bits % divisors.length] as number;
    shape.push(divisor);
    rest /= divisor;
  }
  return reshape(x, rest === 1 && m % 2 === 1 ? shape : [...shape, n % 3 === 0 ? -1 : rest]) as Operand;
}

function broadcast(x: Operand, { n, m }: Steer): Operand {
  const widened = shapeOf(x).map((extent, axis) => (extent === 1 ? [1, 2, 3, 0][(m >> (2 * axis)) % 4] as number : extent));
  return broadcastTo(x, n % 3 === 0 && widened.length < 4 ? [1 + (n % 2), ...widened] : widened) as Operand;
}

function transposed(x: Operand, { n }: Steer): Operand {
  const axes = shapeOf(x).map((_, axis) => axis);
  const rest = [...axes];
  return transpose(x, axes.map((_, at) => rest.splice((n >> at) % rest.length, 1)[0] as number)) as Operand;
}

function cut(x: Operand, { n, m }: Steer): Operand {
  const shape = shapeOf(x);
  const start = shape.map((extent, axis) => Math.min(extent, (n >> axis) % 2));
  const stop = shape.map((extent, axis) => Math.max(start[axis] as number, extent - ((m >> axis) % 2)));
  return slice(x, start, stop, shape.map((_, axis) => 1 + ((m >> (axis + 4)) % 3))) as Operand;
}

function padded(x: Operand, { n, m, constant }: Steer, given?: Operand): Operand {
  const amount = (bits: number, axis: number): number => [0, 1, -1, 2][(bits >> (2 * axis)) % 4] as number;
  const value = given ?? (n % 2 === 0 ? 0 : isInexact(x.type.dtype) ? constant : 1);
  return pad(x, { low: shapeOf(x).map((_, axis) => amount(n, axis)), high: shapeOf(x).map((_, axis) => amount(m, axis)), interior: shapeOf(x).map((_, axis) => ((n + m) >> axis) % 2), value }) as Operand;
}

/** Some indices of an axis with `rows` rows: repeated ones, and ones from the end. */
function places(rows: number, { n, m }: Steer): readonly number[] {
  if (rows === 0) return [];
  return Array.from({ length: m % 5 }, (_, at) => (((n + 3 * at) * 5) % (2 * rows)) - rows);
}

/** Any numbers as indices of an axis with `rows` rows, negative ones included. */
function clamped(x: Operand, rows: number): Operand {
  const whole = loose(convert)(x.type.dtype === 'float32' || x.type.dtype === 'float64' ? mul(x, 2) : x, 'int32');
  return loose(minimum)(loose(maximum)(whole, -rows), rows - 1);
}

function taken(x: Operand, steer: Steer): Operand {
  const axis = axisOf(x, steer);
  const list = places(shapeOf(x)[axis] as number, steer);
  const indices = steer.n % 3 === 0 ? tensor(Int32Array.from(list), { shape: steer.m % 2 === 0 ? [list.length, 1] : [list.length] }) : list;
  return loose(take)(x, indices, steer.n % 2 === 0 ? axis : axis - rankOf(x));
}

/** Indices that the program computes. */
function takenBy([x, y]: readonly Operand[], steer: Steer): Operand {
  const axis = axisOf(x as Operand, steer);
  return loose(take)(x, clamped(y as Operand, shapeOf(x as Operand)[axis] as number), axis);
}

function takenAlong([x, y]: readonly Operand[], steer: Steer): Operand {
  const axis = axisOf(x as Operand, steer);
  return loose(takeAlongAxis)(x, clamped(y as Operand, shapeOf(x as Operand)[axis] as number), axis);
}

function addedAt([x, y]: readonly Operand[], steer: Steer): Operand {
  const axis = axisOf(x as Operand, steer);
  const list = places(shapeOf(x as Operand)[axis] as number, steer);
  return loose(indexAdd)(x, list, loose(take)(y, list.map((place) => -1 - place), axis), axis);
}

/** Adds all of y to x in one corner, or half of it in steps of 2. */
function addedBox([x, y]: readonly Operand[], { n }: Steer): Operand {
  const shape = shapeOf(x as Operand);
  const step = shape.map((_, axis) => 1 + ((n >> axis) % 2));
  const start = shape.map((extent, axis) => (extent > 1 && step[axis] === 2 ? 1 : 0));
  const count = shape.map((extent, axis) => (step[axis] === 2 ? Math.floor(extent / 2) : extent));
  return loose(sliceAdd)(x, start, loose(slice)(y, shape.map(() => 0), count), step);
}

function scattered([x, y, z]: readonly Operand[], steer: Steer): Operand {
  const axis = axisOf(x as Operand, steer);
  return loose(scatterAdd)(x, clamped(z as Operand, shapeOf(x as Operand)[axis] as number), y, axis);
}

/** The first rows, as many as y has entries above a number: put back among zeros, or added up. */
function truncated([x, y]: readonly Operand[], steer: Steer): Operand {
  const [cut, from] = [x as Operand, y as Operand];
  const axis = axisOf(cut, steer);
  const chosen = from.type.dtype === 'bool' ? from : loose(greater)(from, Number.isNaN(steer.constant) ? 0 : steer.constant);
  const rows = loose(dynamicTruncate)(cut, loose(sum)(loose(convert)(chosen, 'int32')), axis);
  const used = cut.type.dtype === 'float32' || cut.type.dtype === 'float64' ? loose(mul)(rows, rows) : rows;
  return steer.m % 3 === 0 && cut.type.dtype !== 'bool' ? loose(sum)(used, { axes: axis }) : loose(padToMatch)(used, cut);
}

const occupied: Take = (type, chosen) => ranked(any)(type, chosen) && !type.shape.includes(0);
const occupiedNumeric: Take = (type, chosen) => numeric(type, chosen) && occupied(type, chosen);
const small: Take = (type) => type.shape.length < 2;

/** Equal but for one axis, which `n` chooses later: the one where they differ, if any. */
const joinable: Take = (type, [first]) => first === undefined || (type.shape.length === first.shape.length && type.shape.filter((extent, axis) => extent !== first.shape[axis]).length <= 1);

function joined(operands: readonly Operand[], { n }: Steer): Operand {
  const [x, y] = operands as readonly [Operand, Operand];
  const differing = shapeOf(x).findIndex((extent, axis) => extent !== shapeOf(y)[axis]);
  return concat(n % 3 === 0 ? [x, y, x] : operands, differing >= 0 ? differing : n % rankOf(x)) as Operand;
}

export const movementSteps: { readonly [name: string]: StepKind } = {
  size: step([any], ([x], steer) => (rankOf(x as Operand) === 0 ? size(x as Operand) : extentAlong(x as Operand, axisOf(x as Operand, steer))) as Operand, 3),
  extent: step([ranked(any), any], truncated, 5),
  reshape: step([any], ([x], steer) => reshaped(x as Operand, steer), 5),
  broadcastTo: step([any], ([x], steer) => broadcast(x as Operand, steer), 8),
  transpose: step([ranked(any)], ([x], steer) => transposed(x as Operand, steer), 9),
  slice: step([ranked(any)], ([x], steer) => cut(x as Operand, steer), 7),
  pad: step([ranked(any)], ([x], steer) => padded(x as Operand, steer), 7),
  'pad with a value': step([ranked(any), ({ dtype, shape }, [x]) => shape.length === 0 && dtype === x?.dtype], ([x, value], steer) => padded(x as Operand, steer, value), 4),
  concat: step([ranked(any), (type, chosen) => ranked(any)(type, chosen) && joinable(type, chosen)], joined, 7),
  take: step([ranked(any)], ([x], steer) => taken(x as Operand, steer), 6),
  'take at computed indices': step([occupied, small], takenBy, 3),
  takeAlongAxis: step([occupied, sameShape(any)], takenAlong, 4),
  indexAdd: step([(type, chosen) => ranked(numeric)(type, chosen), sameShape(numeric)], addedAt, 5),
  sliceAdd: step([(type, chosen) => ranked(numeric)(type, chosen), sameShape(numeric)], addedBox, 5),
  scatterAdd: step([occupiedNumeric, sameShape(numeric), sameShape(any)], scattered, 5),
};
