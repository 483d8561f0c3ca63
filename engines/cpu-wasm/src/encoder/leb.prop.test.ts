import fc from 'fast-check';
import { expect, test } from 'vitest';
import { float32, float64, signed, signedBig, unsigned } from './leb.ts';

/** The inverse, written from the definition (DWARF 4, §7.6), in exact arithmetic. */
function decode(bytes: readonly number[], isSigned: boolean): bigint {
  let value = 0n;
  bytes.forEach((byte, i) => {
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
  });
  const negative = isSigned && (bytes.at(-1)! & 0x40) !== 0;
  return negative ? value - (1n << BigInt(7 * bytes.length)) : value;
}

const continues = (bytes: readonly number[]): boolean => bytes.every((byte, i) => byte >= 0x80 === i < bytes.length - 1);

test('unsigned LEB128 decodes to the number', () => {
  fc.assert(fc.property(fc.maxSafeNat(), (n) => continues(unsigned(n)) && decode(unsigned(n), false) === BigInt(n)), { seed: 1 });
});

test('signed LEB128 decodes to the number', () => {
  fc.assert(fc.property(fc.integer(), (n) => continues(signed(n)) && decode(signed(n), true) === BigInt(n)), { seed: 1 });
  fc.assert(fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (n) => continues(signedBig(n)) && decode(signedBig(n), true) === n), { seed: 1 });
});

test('the shortest form is written', () => {
  expect(signed(63)).toEqual([63]);
  expect(signed(64)).toEqual([0xc0, 0]);
  expect(signed(-64)).toEqual([0x40]);
  expect(unsigned(128)).toEqual([0x80, 1]);
});

test('floats are little-endian IEEE 754', () => {
  expect(float32(1)).toEqual([0, 0, 0x80, 0x3f]);
  expect(float64(-2)).toEqual([0, 0, 0, 0, 0, 0, 0, 0xc0]);
});
