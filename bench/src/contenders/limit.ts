import type { ContenderSource } from '../contender.ts';
import type { FloatDType } from '../workloads.ts';
import { prepareFrom } from './adapter.ts';

/**
 * What one core could do at most without fused multiply-add, which WebAssembly's fixed semantics excludes: twelve
 * independent vectors a ← a·b + c in registers, no memory. Assembled here by hand, so that no engine marks its own paper.
 */
export const limitSource: ContenderSource = {
  name: 'peak of wasm',
  kind: 'limit',
  async open() {
    const prepare = async (dtype: FloatDType): Promise<{ readonly run: () => void; readonly result: () => undefined; readonly amount: number }> => {
      const { instance } = await WebAssembly.instantiate(peakModule(dtype));
      const loop = instance.exports['peak'] as (rounds: number) => number;
      return { run: () => void loop(rounds), result: () => undefined, amount: rounds * vectors * 2 * (dtype === 'float32' ? 4 : 2) };
    };
    return { name: 'peak of wasm', kind: 'limit', version: 'mul+add', groups: ['matmul'], prepare: prepareFrom({ matmul: (_, { dtype }) => prepare(dtype) }, () => undefined) };
  },
};

const rounds = 100_000;
const vectors = 12;

const code = { block: 0x40, loop: 0x03, branchIf: 0x0d, end: 0x0b, get: 0x20, set: 0x21, tee: 0x22, i32Const: 0x41, i32Sub: 0x6b, simd: 0xfd, i32: 0x7f, v128: 0x7b } as const;
const simd = {
  float32: { add: [0xe4, 0x01], mul: [0xe6, 0x01], constant: floatBytes(Float32Array), constantCode: 0x43, splatCode: 0x13, extractCode: 0x1f, resultType: 0x7d },
  float64: { add: [0xf0, 0x01], mul: [0xf2, 0x01], constant: floatBytes(Float64Array), constantCode: 0x44, splatCode: 0x14, extractCode: 0x21, resultType: 0x7c },
} as const;

function floatBytes(array: Float32ArrayConstructor | Float64ArrayConstructor): (value: number) => readonly number[] {
  return (value) => [...new Uint8Array(array.of(value).buffer)];
}

function unsigned(value: number): readonly number[] {
  const low = value & 0x7f;
  return value < 0x80 ? [low] : [low | 0x80, ...unsigned(value >>> 7)];
}

const sized = (content: readonly number[]): readonly number[] => [...unsigned(content.length), ...content];
const section = (id: number, content: readonly number[]): readonly number[] => [id, ...sized(content)];

/** The module: `peak(rounds: i32)` gives the sum of the vectors' first lanes, so that none of them is unused. */
function peakModule(dtype: FloatDType): Uint8Array<ArrayBuffer> {
  const { add, mul, constant, constantCode, splatCode, extractCode, resultType } = simd[dtype];
  const splat = (value: number): readonly number[] => [constantCode, ...constant(value), code.simd, splatCode];
  const accumulators = Array.from({ length: vectors }, (_, at) => at + 1);
  const [factor, summand] = [vectors + 1, vectors + 2];
  const body = [
    ...unsigned(1), ...unsigned(vectors + 2), code.v128,
    ...accumulators.flatMap((local) => [...splat(local / 8), code.set, local]),
    // The multiplication by a factor below 1 keeps every value near its fixed point, far from subnormal numbers.
    ...splat(0.5), code.set, factor, ...splat(0.25), code.set, summand,
    code.loop, code.block,
    ...accumulators.flatMap((local) => [code.get, local, code.get, factor, code.simd, ...mul, code.get, summand, code.simd, ...add, code.set, local]),
    code.get, 0, code.i32Const, 1, code.i32Sub, code.tee, 0, code.branchIf, 0,
    code.end,
    code.get, 1, ...accumulators.slice(1).flatMap((local) => [code.get, local, code.simd, ...add]), code.simd, extractCode, 0,
    code.end,
  ];
  return Uint8Array.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 1, code.i32, 1, resultType]),
    ...section(3, [1, 0]),
    ...section(7, [1, 4, ...new TextEncoder().encode('peak'), 0, 0]),
    ...section(10, [1, ...sized(body)]),
  ]);
}
