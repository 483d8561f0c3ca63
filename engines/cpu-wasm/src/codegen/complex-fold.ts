/** Sums and products of complex elements, within one block (core/loop/reduction.ts, steps 2 and 3). */
import { advance, type Code, extractLane, get, i32, instr, load, type Local, repeat, set, shuffle } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import type { Fold } from './monoid.ts';
import { constantCode } from './scalar-operations.ts';

type Shape = 'f32x4' | 'f64x2';
type Lanes = readonly [Code, Code];

const shapeOf = ({ type }: Fold): Shape => (type === 'f32' ? 'f32x4' : 'f64x2');

/** a ∘ b of two elements in variables, whose type is the fold's or a vector of it. */
export function combineComplex(fold: Fold, a: readonly Local[], b: readonly Local[], on: 'f32' | 'f64' | Shape = fold.type as 'f32' | 'f64'): Lanes {
  const [[ar, ai], [br, bi]] = [a.map(get), b.map(get)] as readonly (readonly Code[])[] as readonly [Lanes, Lanes];
  if (fold.monoid === 'sum') return [instr(`${on}.add`, ar, br), instr(`${on}.add`, ai, bi)];
  const product = (x: Code, y: Code): Code => instr(`${on}.mul`, x, y);
  return [instr(`${on}.sub`, product(ar, br), product(ai, bi)), instr(`${on}.add`, product(ar, bi), product(ai, br))];
}

/** Both values are computed before the first is set. */
export function setComplex(target: readonly Local[], [re, im]: Lanes): Code {
  return [re, set(target[1]!, im), set(target[0]!, [])];
}

/** Adds (address, groups ≥ 1) → re, im. */
export function addComplexBlockFold(module: ModuleBuilder, fold: Fold): number {
  const scope = new FunctionScope(['i32', 'i32'], [fold.type, fold.type]);
  return module.addFunction(scope, fold.monoid === 'sum' ? sumBlock(fold, scope) : multiplyBlock(fold, scope));
}

/** Parts do not meet in a sum, so vectors hold elements as they lie. */
function sumBlock(fold: Fold, scope: FunctionScope): Code {
  const shape = shapeOf(fold);
  const [address, left] = [scope.parameter(0), scope.parameter(1)];
  const sums = scope.locals('v128', fold.bytes / 2);
  const plus = (a: Code, b: Code): Code => instr(`${shape}.add`, a, b);
  const folds: Code[] = [];
  for (let half = sums.length / 2; half >= 1; half /= 2) folds.push(sums.slice(0, half).map((sum, i) => set(sum, plus(get(sum), get(sums[i + half]!)))));
  const part = (lane: number): Code => extractLane(`${shape}.extract_lane`, get(sums[0]!), lane);
  const parts = fold.type === 'f64' ? [part(0), part(1)] : [instr('f32.add', part(0), part(2)), instr('f32.add', part(1), part(3))];
  return [
    sums.map((sum) => set(sum, instr(`${shape}.splat`, constantCode(fold.type, 0)))),
    repeat(left, get(left), [
      sums.map((sum, i) => set(sum, plus(get(sum), load('v128.load', get(address), 16 * i)))),
      advance(address, i32(8 * fold.bytes)),
    ]),
    folds,
    parts,
  ];
}

/** Vectors hold one part each: two vectors of elements are shuffled apart. */
function multiplyBlock(fold: Fold, scope: FunctionScope): Code {
  const shape = shapeOf(fold);
  const [address, left] = [scope.parameter(0), scope.parameter(1)];
  const pairs = Array.from({ length: fold.laneBytes / 2 }, () => scope.locals('v128', 2));
  const [low, high, ...element] = scope.locals('v128', 4) as readonly Local[] as readonly [Local, Local, Local, Local];
  const part = (first: 0 | 1): Code => {
    const places = Array.from({ length: 16 / fold.laneBytes }, (_, i) => 2 * i + first);
    return shuffle(get(low), get(high), places.flatMap((place) => Array.from({ length: fold.laneBytes }, (_, byte) => place * fold.laneBytes + byte)));
  };
  const take = (i: number): Code => [
    set(low, load('v128.load', get(address), 32 * i)),
    set(high, load('v128.load', get(address), 32 * i + 16)),
    set(element[0], part(0)),
    set(element[1], part(1)),
  ];
  const folds: Code[] = [];
  for (let half = pairs.length / 2; half >= 1; half /= 2) folds.push(pairs.slice(0, half).map((pair, i) => setComplex(pair, combineComplex(fold, pair, pairs[i + half]!, shape))));
  return [
    pairs.map((pair) => pair.map((local, lane) => set(local, instr(`${shape}.splat`, constantCode(fold.type, fold.identity[lane]!))))),
    repeat(left, get(left), [
      pairs.map((pair, i) => [take(i), setComplex(pair, combineComplex(fold, pair, element, shape))]),
      advance(address, i32(8 * fold.bytes)),
    ]),
    folds,
    multiplyLanes(fold, scope, pairs[0]!),
  ];
}

/** The lanes of one pair of vectors, the upper half onto the lower until one is left. */
function multiplyLanes(fold: Fold, scope: FunctionScope, pair: readonly Local[]): Code {
  const lanes = 16 / fold.laneBytes;
  const values = Array.from({ length: lanes }, () => scope.locals(fold.type, 2));
  const extract = values.map((value, lane) => value.map((local, part) => set(local, extractLane(`${shapeOf(fold)}.extract_lane`, get(pair[part]!), lane))));
  const folds: Code[] = [];
  for (let half = lanes / 2; half >= 1; half /= 2) folds.push(values.slice(0, half).map((value, i) => setComplex(value, combineComplex(fold, value, values[i + half]!))));
  return [extract, folds, values[0]!.map(get)];
}
