import * as scalar from '../loop/scalar.ts';
import type { DType } from '../types/dtype.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Lifted, Operand } from '../types/operand.ts';
import { broadcastShapes } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { chooseListener, liftArgument } from '../program/dispatch.ts';
import { definePrimitive, type Primitive, requireDType } from './define.ts';
import { noRule } from './rules.ts';

/** What one call of the cipher gives: a word of the two, their exclusive or, or both as one integer of 64 bits. */
export type ThreefryWord = 'first' | 'second' | 'xor' | 'both';

/** The rotations of threefry2x32, eight rounds in turn: Salmon et al. 2011, table 2 (R_{0..7} for N = 2, W = 32). */
const rotations: readonly number[] = [13, 15, 26, 6, 17, 29, 16, 24];
/** Five times four rounds: the number that the paper recommends. */
const rounds = 20;
/** The key schedule's parity constant C240, cut to 32 bits (Skein 1.3). */
const parity = 0x1bd11bda;

const word = (value: number): ScalarExpr => scalar.constant('i32', value | 0);

function rotated(x: ScalarExpr, count: number): ScalarExpr {
  return scalar.or(scalar.shl(x, word(count)), scalar.shrU(x, word(32 - count)));
}

/**
 * Threefry-2x32 with 20 rounds (J. Salmon, M. Moraes, R. Dror, D. Shaw, “Parallel random numbers: as easy as 1, 2, 3”, SC 2011): each
 * round adds, rotates and exclusive-ors; after every fourth one a word of the key, and the number of such additions so far, is added.
 */
function cipher(key: readonly [ScalarExpr, ScalarExpr], count: readonly [ScalarExpr, ScalarExpr]): readonly [ScalarExpr, ScalarExpr] {
  const schedule = [key[0], key[1], scalar.xor(word(parity), scalar.xor(key[0], key[1]))] as const;
  let [x, y] = [scalar.add(count[0], key[0]), scalar.add(count[1], key[1])];
  for (let round = 0; round < rounds; round++) {
    x = scalar.add(x, y);
    y = scalar.xor(rotated(y, rotations[round % 8] as number), x);
    if (round % 4 !== 3) continue;
    const injection = (round + 1) / 4;
    x = scalar.add(x, schedule[injection % 3]!);
    y = scalar.add(scalar.add(y, schedule[(injection + 1) % 3]!), word(injection));
  }
  return [x, y];
}

function combined(first: ScalarExpr, second: ScalarExpr, which: ThreefryWord): ScalarExpr {
  if (which === 'first') return first;
  if (which === 'second') return second;
  if (which === 'xor') return scalar.xor(first, second);
  const wide = (value: number): ScalarExpr => scalar.constant('i64', value);
  return scalar.or(scalar.shl(scalar.convert('i64', first), wide(32)), scalar.and(scalar.convert('i64', second), wide(0xffffffff)));
}

/** The cipher elementwise: two words of a key and two of a counter, all int32. Which of its words is a parameter, so that one pass gives what is used. */
export const threefryPrimitive: Primitive = definePrimitive({
  name: 'threefry2x32',
  inputs: 4,
  infer: (inputs, params, sink, op) => {
    for (const input of inputs) requireDType(op, input, ['int32']);
    const dtype: DType = params['word'] === 'both' ? 'int64' : 'int32';
    return [tensorType(dtype, broadcastShapes(op, inputs.map(({ shape }) => shape), sink))];
  },
  traits: {
    random: true,
    elementwise: (params) => {
      const [key0, key1, count0, count1] = [0, 1, 2, 3].map((input) => scalar.argument('i32', input)) as [ScalarExpr, ScalarExpr, ScalarExpr, ScalarExpr];
      return [combined(...cipher([key0, key1], [count0, count1]), params['word'] as ThreefryWord)];
    },
  },
  rule: noRule('integers carry no tangents'),
});

/** One word of the cipher, or both, for operands of any front ends. */
export function threefry(op: string, args: readonly [Operand, Operand, Operand | number, Operand | number], which: ThreefryWord): Operand {
  const listener = chooseListener(op, args);
  const inputs = args.map((arg, at): Lifted => liftArgument(listener, arg, 'int32', op, at));
  return listener.apply(threefryPrimitive.operation, inputs, { word: which })[0] as Operand;
}
