/** Monoids as instructions, and the part of the reduction tree within one block (core/loop/reduction.ts, steps 2 and 3). */
import { type DType, loop, type MonoidName } from '@tf/core';
import { add, advance, type Code, extractLane, get, i32, instr, load, type Local, set, store, sub, whileLoop } from '../encoder/code.ts';
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
  const sets = Array.from({ length: setsOf(fold) }, () => scope.locals('v128', fold.bytes / 2));
  const combine = (a: Code, b: Code): Code => instr(vectorInstruction(fold), a, b);
  const [lanes, ...others] = sets as [readonly Local[], ...(readonly Local[])[]];
  const take = (count: number): Code => [
    sets.slice(0, count).map((own, at) => own.map((lane, i) => set(lane, combine(get(lane), load('v128.load', get(address), 8 * fold.bytes * at + 16 * i))))),
    advance(address, i32(8 * fold.bytes * count)),
    set(left, sub(get(left), i32(count))),
  ];
  return module.addFunction(scope, [
    sets.flat().map((lane) => set(lane, instr(`${vectors[fold.type]}.splat`, fold.identity))),
    others.length === 0 ? [] : whileLoop(instr('i32.ge_u', get(left), i32(sets.length)), take(sets.length)),
    whileLoop(get(left), take(1)),
    others.map((own) => own.map((lane, i) => set(lanes[i]!, combine(get(lanes[i]!), get(lane))))),
    foldLanes(fold, scope, lanes, combine),
  ]);
}

/**
 * How many groups are folded side by side. In any order the greatest is the greatest, NaN and signed zeros included; and as V8 takes
 * about eight instructions for one maximum of floats, each waiting for the one before, one chain of them would be slow.
 */
function setsOf({ monoid, type, bytes }: Fold): number {
  return (monoid === 'max' || monoid === 'min') && type !== 'i32' ? 16 / bytes : 1;
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
