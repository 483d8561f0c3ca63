/** Monoids as instructions, and the part of the reduction tree within one block (core/loop/reduction.ts, steps 2 and 3). */
import { loop } from '@tf/core';
import { add, advance, type Code, extractLane, get, i32, ifElse, instr, load, type Local, repeat, set, store, v128 } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import { addComplexBlockFold, combineComplex, setComplex } from './complex-fold.ts';
import { constantCode, tableBytes } from './scalar-operations.ts';
import { type Fold, foldVectors } from './monoid.ts';

const instructionNames = { sum: 'add', prod: 'mul', max: 'max', min: 'min' } as const;
/** a ∘ b of vectors of one lane each; there is no minimum of 64-bit integers, so they are compared and picked. */
function combineVectors({ monoid, type }: Fold, scope: FunctionScope, a: Code, b: Code): Code {
  const name = instructionNames[monoid];
  if (type === 'f32' || type === 'f64') return instr(`${foldVectors[type]}.${name}`, a, b);
  if (name === 'add' || name === 'mul') return instr(`${foldVectors[type]}.${name}`, a, b);
  if (type === 'i32') return instr(`i32x4.${name}_s`, a, b);
  const [x, y] = scope.locals('v128', 2) as readonly Local[] as readonly [Local, Local];
  return [set(x, a), set(y, b), instr('v128.bitselect', get(x), get(y), instr(name === 'min' ? 'i64x2.lt_s' : 'i64x2.gt_s', get(x), get(y)))];
}

/** a ∘ b of elements of one lane; integers have no min and max, so both operands are stored first. */
export function combineCode({ monoid, type }: Fold, scope: FunctionScope, a: Code, b: Code): Code {
  const name = instructionNames[monoid];
  if (type === 'f32' || type === 'f64') return instr(`${type}.${name}`, a, b);
  if (name === 'add' || name === 'mul') return instr(`${type}.${name}`, a, b);
  const [x, y] = scope.locals(type, 2) as readonly Local[] as readonly [Local, Local];
  const condition = instr(name === 'min' ? `${type}.lt_s` : `${type}.gt_s`, get(x), get(y));
  return [set(x, a), set(y, b), instr('select', get(x), get(y), condition)];
}

/** result = below ∘ result, `below` giving a lane each. */
export function combineBelow(fold: Fold, scope: FunctionScope, below: readonly Code[], result: readonly Local[]): Code {
  if (fold.lanes === 1) return set(result[0]!, combineCode(fold, scope, below[0]!, get(result[0]!)));
  const operands = scope.locals(fold.type, 2);
  return [operands.map((operand, lane) => set(operand, below[lane]!)), setComplex(result, combineComplex(fold, operands, result))];
}

/** Stores one group of identities at `address`: what completes the last group of a block. */
export function storeIdentities(fold: Fold, address: Local): Code {
  const element = tableBytes(fold.type, fold.identity);
  const vector = v128(Array.from({ length: 16 }, (_, i) => element[i % element.length]!));
  return Array.from({ length: fold.bytes / 2 }, (_, i) => store('v128.store', get(address), vector, 16 * i));
}

/** Values of a fold's identity in all lanes of a vector. */
function identityVector(fold: Fold): Code {
  return instr(`${foldVectors[fold.type]}.splat`, constantCode(fold.type, fold.identity[0]!));
}

/**
 * Adds the function (address, groups ≥ 1) → the block's result, lane by lane, for `groups` groups of eight contiguous elements:
 * the eight lanes of the tree are the lanes of two or four vectors, in order.
 */
export function addBlockFold(module: ModuleBuilder, fold: Fold): number {
  if (fold.lanes === 2) return addComplexBlockFold(module, fold);
  const scope = new FunctionScope(['i32', 'i32'], [fold.type]);
  const [address, left] = [scope.parameter(0), scope.parameter(1)];
  const lanes = scope.locals('v128', fold.bytes / 2);
  const combine = (a: Code, b: Code): Code => combineVectors(fold, scope, a, b);
  const exact = [
    lanes.map((lane) => set(lane, identityVector(fold))),
    repeat(left, get(left), [
      lanes.map((lane, i) => set(lane, combine(get(lane), load('v128.load', get(address), 16 * i)))),
      advance(address, i32(8 * fold.bytes)),
    ]),
    foldLanes(fold, scope, lanes, combine),
  ];
  return module.addFunction(scope, isFloatExtremum(fold) ? quickExtremum(fold, scope, exact) : exact);
}

/** How many blocks a sum or product folds side by side, where that many lie in a row: their chains of additions do not wait for each other. */
export function blocksAbreast(fold: Fold): number {
  return fold.lanes === 2 || isExtremum(fold) ? 1 : 16 / fold.bytes;
}

/** Adds the function (address) → what {@link blocksAbreast} whole blocks are together, each folded as {@link addBlockFold} does, then in pairs. */
export function addBlocksFold(module: ModuleBuilder, fold: Fold): number {
  const scope = new FunctionScope(['i32'], [fold.type]);
  const address = scope.parameter(0);
  const left = scope.local('i32');
  const blocks = Array.from({ length: blocksAbreast(fold) }, () => scope.locals('v128', fold.bytes / 2));
  const combine = (a: Code, b: Code): Code => combineVectors(fold, scope, a, b);
  const take = (lanes: readonly Local[], block: number): Code => lanes.map((lane, i) => set(lane, combine(get(lane), load('v128.load', get(address), block * loop.BLOCK * fold.bytes + 16 * i))));
  const pairs = (results: readonly Local[]): Code => {
    const [only, ...others] = results;
    if (others.length === 0) return get(only!);
    const half = results.length / 2;
    return combineCode(fold, scope, pairs(results.slice(0, half)), pairs(results.slice(half)));
  };
  const results = blocks.map(() => scope.local(fold.type));
  return module.addFunction(scope, [
    blocks.flat().map((lane) => set(lane, identityVector(fold))),
    repeat(left, i32(loop.BLOCK / loop.LANES), [blocks.map(take), advance(address, i32(8 * fold.bytes))]),
    results.map((result, block) => set(result, foldLanes(fold, scope, blocks[block]!, combine))),
    pairs(results),
  ]);
}

function isFloatExtremum(fold: Fold): boolean {
  return (fold.type === 'f32' || fold.type === 'f64') && isExtremum(fold);
}

/** Whether the order of the elements does not matter. */
export function isExtremum({ monoid }: Fold): boolean {
  return monoid === 'max' || monoid === 'min';
}

/** Vectors that a pass of {@link quickExtremum} takes, each into a variable of its own. */
const ABREAST = 4;

/**
 * The greatest number is the same in any order. V8 takes about eight instructions for one maximum that minds NaN and the sign of zero,
 * and one for `pmax`, which does not: so NaN is looked for apart, in sums, and elements that have one, or a 0 as their result in some
 * lane, are folded again with care. A sum is NaN where infinities of both signs meet, too, which costs time only.
 */
function quickExtremum(fold: Fold, scope: FunctionScope, exact: Code): Code {
  const vector = foldVectors[fold.type] as 'f32x4' | 'f64x2';
  const better = (a: Code, b: Code): Code => instr(fold.monoid === 'max' ? `${vector}.pmax` : `${vector}.pmin`, a, b);
  const plus = (a: Code, b: Code): Code => instr(`${vector}.add`, a, b);
  const [extrema, sums] = [scope.locals('v128', ABREAST), scope.locals('v128', ABREAST)];
  const [at, left, value] = [scope.local('i32'), scope.local('i32'), scope.local('v128')];
  const take = (lane: number): Code => [
    set(value, load('v128.load', get(at), 16 * lane)),
    set(extrema[lane]!, better(get(extrema[lane]!), get(value))),
    set(sums[lane]!, plus(get(sums[lane]!), get(value))),
  ];
  const takeAll = (count: number): Code => [Array.from({ length: count }, (_, lane) => take(lane)), advance(at, i32(16 * count))];
  const perGroup = fold.bytes / 2;
  const groups = get(scope.parameter(1));
  return [
    extrema.map((local) => set(local, identityVector(fold))),
    set(at, get(scope.parameter(0))),
    set(left, instr('i32.shr_u', groups, i32(Math.log2(ABREAST / perGroup)))),
    ifElse(get(left), repeat(left, get(left), takeAll(ABREAST))),
    perGroup === ABREAST ? [] : ifElse(instr('i32.and', groups, i32(1)), takeAll(perGroup)),
    quickResult(fold, scope, { best: joined(extrema, better), sum: joined(sums, plus), exact }),
  ];
}

/** All variables' values as one. */
function joined(locals: readonly Local[], combine: (a: Code, b: Code) => Code): Code {
  return locals.slice(1).reduce<Code>((code, local) => combine(code, get(local)), get(locals[0]!));
}

function quickResult(fold: Fold, scope: FunctionScope, { best, sum, exact }: { readonly best: Code; readonly sum: Code; readonly exact: Code }): Code {
  const vector = foldVectors[fold.type] as 'f32x4' | 'f64x2';
  const [extremum, total] = [scope.local('v128'), scope.local('v128')];
  const result = scope.local(fold.type);
  const parts = Array.from({ length: 16 / fold.bytes }, (_, i) => extractLane(`${vector}.extract_lane`, get(extremum), i));
  const isZero = instr(`${vector}.eq`, get(extremum), instr(`${vector}.splat`, constantCode(fold.type, 0)));
  const isDoubtful = instr('v128.any_true', instr('v128.or', instr(`${vector}.ne`, get(total), get(total)), isZero));
  return [
    set(extremum, best),
    set(total, sum),
    ifElse(isDoubtful, set(result, exact), set(result, parts.reduce((a, b) => combineCode(fold, scope, a, b)))),
    get(result),
  ];
}

/** l[j] ∘ l[j+4], then l[j] ∘ l[j+2], then l[0] ∘ l[1]. */
function foldLanes(fold: Fold, scope: FunctionScope, lanes: readonly Local[], combine: (a: Code, b: Code) => Code): Code {
  const half = lanes.length / 2;
  const first = lanes.slice(0, half).map((lane, i) => set(lane, combine(get(lane), get(lanes[i + half]!))));
  const extract = (lane: Local, index: number): Code => extractLane(`${foldVectors[fold.type]}.extract_lane`, get(lane), index);
  const [low, high] = lanes as [Local, Local];
  if (fold.laneBytes === 8) {
    const second = set(low, combine(get(low), get(high)));
    return [first, second, combineCode(fold, scope, extract(low, 0), extract(low, 1))];
  }
  const even = combineCode(fold, scope, extract(low, 0), extract(low, 2));
  const odd = combineCode(fold, scope, extract(low, 1), extract(low, 3));
  return [first, combineCode(fold, scope, even, odd)];
}

/** The address of entry `depth` of a fold's pairing stack, from the beginning of its scratch. */
export function stackEntry({ lanes }: Fold, scratch: Local, depth: Local): Code {
  return add(get(scratch), instr('i32.shl', get(depth), i32(lanes === 1 ? 3 : 4)));
}
