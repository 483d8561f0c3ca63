/** Monoids as instructions, and the part of the reduction tree within one block (core/loop/reduction.ts, steps 2 and 3). */
import { type DType, loop, type MonoidName } from '@tf/core';
import { add, advance, type Code, extractLane, get, i32, ifElse, instr, load, type Local, repeat, set, store } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import type { Opcode } from '../encoder/opcodes.ts';
import { constantCode } from './scalar-operations.ts';
import { storageOf } from './storage.ts';

type FoldType = 'i32' | 'f32' | 'f64';

/** A monoid on one dtype. Booleans fold as i32 0 and 1, where max is `or` and min is `and`. */
export interface Fold {
  readonly monoid: MonoidName;
  readonly type: FoldType;
  readonly bytes: 4 | 8;
  readonly load: Opcode;
  readonly store: Opcode;
  readonly identity: Code;
}

export function foldOf(monoid: MonoidName, dtype: DType): Fold {
  const type = storageOf(dtype).value;
  const identity = constantCode(type, loop.identity(monoid, dtype));
  return { monoid, type, bytes: type === 'f64' ? 8 : 4, load: `${type}.load`, store: `${type}.store`, identity };
}

/** The dtype in which a fold keeps elements of `dtype` on the way. */
export function foldDType(dtype: DType): DType {
  return dtype === 'bool' ? 'int32' : dtype;
}

const instructionNames = { sum: 'add', prod: 'mul', max: 'max', min: 'min' } as const;
const vectors = { i32: 'i32x4', f32: 'f32x4', f64: 'f64x2' } as const;

function vectorInstruction({ monoid, type }: Fold): Opcode {
  if (type !== 'i32') return `${vectors[type]}.${instructionNames[monoid]}`;
  return monoid === 'max' ? 'i32x4.max_s' : monoid === 'min' ? 'i32x4.min_s' : `i32x4.${instructionNames[monoid]}`;
}

/** a ∘ b; i32 has no min and max, so both operands are stored first. */
export function combineCode({ monoid, type }: Fold, scope: FunctionScope, a: Code, b: Code): Code {
  const name = instructionNames[monoid];
  if (type !== 'i32') return instr(`${type}.${name}`, a, b);
  if (name === 'add' || name === 'mul') return instr(`i32.${name}`, a, b);
  const [x, y] = scope.locals('i32', 2) as [Local, Local];
  const condition = instr(name === 'min' ? 'i32.lt_s' : 'i32.gt_s', get(x), get(y));
  return [set(x, a), set(y, b), instr('select', get(x), get(y), condition)];
}

/** Stores one group of identities at `address`: what completes the last group of a block. */
export function storeIdentities(fold: Fold, address: Local): Code {
  const vector = instr(`${vectors[fold.type]}.splat`, fold.identity);
  return Array.from({ length: fold.bytes / 2 }, (_, i) => store('v128.store', get(address), vector, 16 * i));
}

/**
 * Adds the function (address, groups ≥ 1) → the block's result, for `groups` groups of eight contiguous elements: the eight
 * lanes are the lanes of two or four vectors, in order.
 */
export function addBlockFold(module: ModuleBuilder, fold: Fold): number {
  const scope = new FunctionScope(['i32', 'i32'], [fold.type]);
  const [address, left] = [scope.parameter(0), scope.parameter(1)];
  const lanes = scope.locals('v128', fold.bytes / 2);
  const combine = (a: Code, b: Code): Code => instr(vectorInstruction(fold), a, b);
  const exact = [
    lanes.map((lane) => set(lane, instr(`${vectors[fold.type]}.splat`, fold.identity))),
    repeat(left, get(left), [
      lanes.map((lane, i) => set(lane, combine(get(lane), load('v128.load', get(address), 16 * i)))),
      advance(address, i32(8 * fold.bytes)),
    ]),
    foldLanes(fold, scope, lanes, combine),
  ];
  return module.addFunction(scope, isFloatExtremum(fold) ? quickExtremum(fold, scope, exact) : exact);
}

function isFloatExtremum({ monoid, type }: Fold): boolean {
  return type !== 'i32' && (monoid === 'max' || monoid === 'min');
}

/**
 * The greatest number is the same in any order. V8 takes about eight instructions for one maximum that minds NaN and the sign of zero,
 * and one for `pmax`, which does not: so NaN is looked for apart, and a block that has one, or a 0 as its result in some lane, is
 * folded again with care.
 */
function quickExtremum(fold: Fold, scope: FunctionScope, exact: Code): Code {
  const vector = vectors[fold.type] as 'f32x4' | 'f64x2';
  const better = (a: Code, b: Code): Code => instr(fold.monoid === 'max' ? `${vector}.pmax` : `${vector}.pmin`, a, b);
  const lanes = scope.locals('v128', fold.bytes / 2) as readonly Local[] as readonly [Local, ...Local[]];
  const [value, doubtful] = scope.locals('v128', 2) as readonly Local[] as readonly [Local, Local];
  const [at, left] = scope.locals('i32', 2) as readonly Local[] as readonly [Local, Local];
  const result = scope.local(fold.type);
  const [first, ...others] = lanes;
  const parts = Array.from({ length: 16 / fold.bytes }, (_, i) => extractLane(`${vector}.extract_lane`, get(first), i));
  return [
    lanes.map((lane) => set(lane, instr(`${vector}.splat`, fold.identity))),
    set(at, get(scope.parameter(0))),
    repeat(left, get(scope.parameter(1)), [
      lanes.map((lane, i) => [
        set(value, load('v128.load', get(at), 16 * i)),
        set(lane, better(get(lane), get(value))),
        set(doubtful, instr('v128.or', get(doubtful), instr(`${vector}.ne`, get(value), get(value)))),
      ]),
      advance(at, i32(8 * fold.bytes)),
    ]),
    others.map((lane) => set(first, better(get(first), get(lane)))),
    set(doubtful, instr('v128.or', get(doubtful), instr(`${vector}.eq`, get(first), instr(`${vector}.splat`, constantCode(fold.type, 0))))),
    set(result, parts.reduce((a, b) => combineCode(fold, scope, a, b))),
    ifElse(instr('v128.any_true', get(doubtful)), set(result, exact)),
    get(result),
  ];
}

/** l[j] ∘ l[j+4], then l[j] ∘ l[j+2], then l[0] ∘ l[1]. */
function foldLanes(fold: Fold, scope: FunctionScope, lanes: readonly Local[], combine: (a: Code, b: Code) => Code): Code {
  const half = lanes.length / 2;
  const first = lanes.slice(0, half).map((lane, i) => set(lane, combine(get(lane), get(lanes[i + half]!))));
  const extract = (lane: Local, index: number): Code => extractLane(`${vectors[fold.type]}.extract_lane`, get(lane), index);
  const [low, high] = lanes as [Local, Local];
  if (fold.type === 'f64') {
    const second = set(low, combine(get(low), get(high)));
    return [first, second, combineCode(fold, scope, extract(low, 0), extract(low, 1))];
  }
  const even = combineCode(fold, scope, extract(low, 0), extract(low, 2));
  const odd = combineCode(fold, scope, extract(low, 1), extract(low, 3));
  return [first, combineCode(fold, scope, even, odd)];
}

/** The address of entry `depth` of a pairing stack that starts `offset` bytes into the scratch. */
export function stackEntry(scratch: Local, depth: Local): Code {
  return add(get(scratch), instr('i32.shl', get(depth), i32(3)));
}
