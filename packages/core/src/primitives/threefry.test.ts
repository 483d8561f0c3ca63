import { expect, it } from 'vitest';
import { evaluateScalar } from '../loop/evaluate.ts';
import { threefryPrimitive, type ThreefryWord } from './threefry.ts';
import { unitFloatPrimitive, type UnitRange } from './unit-float.ts';

type Words = readonly [number, number, number, number];

function ours(words: Words, word: ThreefryWord): unknown {
  const [element] = threefryPrimitive.operation.traits.elementwise!({ word }, ['int32', 'int32', 'int32', 'int32']);
  return evaluateScalar(element!, (input) => words[input]! | 0);
}

function pair(words: Words): readonly string[] {
  return (['first', 'second'] as const).map((word) => ((ours(words, word) as number) >>> 0).toString(16));
}

/** The cipher once more, from the paper's equations and with unbounded integers: five injections of a rotating key schedule. */
function derived([k0, k1, c0, c1]: Words): readonly string[] {
  const wrap = (x: bigint): bigint => BigInt.asUintN(32, x);
  const [a, b] = [wrap(BigInt(k0)), wrap(BigInt(k1))];
  const keys = [a, b, a ^ b ^ 0x1bd11bdan];
  let [x, y] = [wrap(BigInt(c0) + a), wrap(BigInt(c1) + b)];
  [[13n, 15n, 26n, 6n], [17n, 29n, 16n, 24n], [13n, 15n, 26n, 6n], [17n, 29n, 16n, 24n], [13n, 15n, 26n, 6n]].forEach((turns, group) => {
    for (const turn of turns) {
      x = wrap(x + y);
      y = wrap(y << turn) | (y >> (32n - turn));
      y ^= x;
    }
    x = wrap(x + keys[(group + 1) % 3]!);
    y = wrap(y + keys[(group + 2) % 3]! + BigInt(group + 1));
  });
  return [x.toString(16), y.toString(16)];
}

/** Random123's kat_vectors: key, counter, words. */
it.each([
  [[0, 0, 0, 0], ['6b200159', '99ba4efe']],
  [[0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff], ['1cb996fc', 'bb002be7']],
  [[0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3], ['c4923a9c', '483df7a0']],
] as const)('threefry2x32 of %s', (words, expected) => {
  expect(pair(words)).toEqual(expected);
  expect(derived(words)).toEqual(expected);
});

it('threefry2x32 is its definition, and its words go together', () => {
  for (let at = 0; at < 200; at++) {
    const words = [at * 0x9e3779b9, ~at, at ** 3, at << 20].map((word) => word | 0) as unknown as Words;
    expect(pair(words)).toEqual(derived(words));
    const [first, second] = pair(words).map((word) => BigInt(`0x${word}`)) as [bigint, bigint];
    expect(BigInt.asUintN(64, ours(words, 'both') as bigint)).toBe((first << 32n) | second);
    expect((ours(words, 'xor') as number) >>> 0).toBe(Number(first ^ second));
  }
});

function float(bits: number | bigint, range: UnitRange): unknown {
  const [element] = unitFloatPrimitive.operation.traits.elementwise!({ range }, [typeof bits === 'bigint' ? 'int64' : 'int32']);
  return evaluateScalar(element!, () => bits);
}

it.each([[24, 0, -1, 1 << 31], [53, 0n, -1n, -(2n ** 63n)]] as const)('unitFloat of %s bits at its ends', (precision, least, most, middle) => {
  const step = 2 ** -precision;
  expect([least, middle, most].map((bits) => float(bits, 'unit'))).toEqual([0, 0.5, 1 - step]);
  expect([least, middle, most].map((bits) => float(bits, 'open'))).toEqual([step, 0.5 + step, 1 - step]);
  expect([least, middle, most].map((bits) => float(bits, 'signed'))).toEqual([step - 1, step, 1 - step]);
});
