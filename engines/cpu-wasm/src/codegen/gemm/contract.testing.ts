/** The product that the engine promises to the bit, computed one operation at a time, and products in every layout. */
import { dtypes, type Engine, type TypedArray } from '@tf/core';
import { type ContractParts, contractPlan, type Order } from '../../testing/plans.ts';
import { firstDifference, randomValues } from '../../testing/values.ts';

export type FloatDType = 'float32' | 'float64';

export interface Sizes {
  readonly m: number;
  readonly n: number;
  readonly k: number;
}

export type MultiplyAdd = (a: number, b: number, sum: number) => number;

export const roundedApart: { readonly [D in FloatDType]: MultiplyAdd } = {
  float32: (a, b, sum) => Math.fround(sum + Math.fround(a * b)),
  float64: (a, b, sum) => sum + a * b,
};

/** (func (param T T T) (result T)): lane 0 of `relaxed_madd` on splats, written by hand for this test. */
export function roundedTogether(dtype: FloatDType): MultiplyAdd {
  const [type, splat, instruction, lane] = dtype === 'float32' ? [0x7d, 0x13, 0x85, 0x1f] : [0x7c, 0x14, 0x87, 0x21];
  const body = [0, ...[0, 1, 2].flatMap((local) => [0x20, local, 0xfd, splat]), 0xfd, instruction, 0x02, 0xfd, lane, 0, 0x0b];
  const bytes = [
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 8, 1, 0x60, 3, type, type, type, 1, type, 3, 2, 1, 0, 7, 5, 1, 1, 0x66, 0, 0,
    10, body.length + 2, 1, body.length, ...body,
  ];
  return new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes))).exports.f as MultiplyAdd;
}

/** Lanes of an element's sum and the products of one block. */
function orderOf({ m, n }: Sizes): readonly [number, number] {
  if (m === 1 && n === 1) return [16, 4096];
  return m === 1 || n === 1 ? [4, 1024] : [1, 256];
}

/** What the engine promises: blocks of products, each from 0 in ascending k, added in ascending order; −0 from several lanes is 0. */
export function promisedProduct(dtype: FloatDType, size: Sizes, lhs: TypedArray, rhs: TypedArray, multiplyAdd: MultiplyAdd = roundedApart[dtype]): Float64Array {
  const { m, n, k } = size;
  const [lanes, span] = orderOf(size);
  const plus = (a: number, b: number): number => (dtype === 'float32' ? Math.fround(a + b) : a + b);
  return Float64Array.from({ length: m * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    let total = 0;
    for (let block = 0; block < k; block += span) {
      let sums = new Array<number>(lanes).fill(0);
      for (let p = block; p < Math.min(k, block + span); p++) sums[p % lanes] = multiplyAdd(lhs[i * k + p] as number, rhs[p * n + j] as number, sums[p % lanes]!);
      while (sums.length > 1) sums = sums.slice(0, sums.length / 2).map((sum, lane) => plus(sum, sums[sums.length / 2 + lane]!));
      const sum = lanes === 1 ? sums[0]! : sums[0]! + 0;
      total = block === 0 ? sum : plus(total, sum);
    }
    return total;
  });
}

/** `lanes`: numbers of an element. */
export function transpose<A extends TypedArray>(data: A, rows: number, columns: number, lanes = 1): A {
  const result = data.slice() as A;
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) for (let lane = 0; lane < lanes; lane++) result[(j * rows + i) * lanes + lane] = data[(i * columns + j) * lanes + lane]!;
  return result;
}

/** Values are given row by row, whatever order they are stored in, and come back so. */
export function runContract(engine: Engine, parts: ContractParts & Sizes, lhs: TypedArray, rhs: TypedArray): TypedArray {
  const { m, n, k } = parts;
  const { lanes } = dtypes[parts.dtype];
  const stored = (data: TypedArray, order: Order | undefined, rows: number, columns: number): { readonly data: TypedArray; readonly shape: readonly number[] } =>
    order === 'columns' ? { data: transpose(data, rows, columns, lanes), shape: [columns, rows] } : { data, shape: [rows, columns] };
  const [out] = engine.compile(contractPlan(parts)).run([stored(lhs, parts.lhs, m, k), stored(rhs, parts.rhs, k, n)]);
  const values = engine.read(out!);
  out!.dispose();
  return parts.out === 'columns' ? transpose(values, n, m, lanes) : values;
}

/** The layouts whose product has other bits than promised, as text: none. */
export function layoutsThatDiffer(engine: Engine, dtype: FloatDType, size: Sizes, multiplyAdd: MultiplyAdd, values: (count: number, seed: number) => TypedArray = (count, seed) => randomValues(dtype, count, seed)): readonly string[] {
  const lhs = values(size.m * size.k, 5);
  const rhs = values(size.k * size.n, 9);
  const expected = promisedProduct(dtype, size, lhs, rhs, multiplyAdd);
  const orders: readonly Order[] = ['rows', 'columns'];
  return orders.flatMap((left) => orders.flatMap((right) => orders.flatMap((out) => {
    const at = firstDifference(runContract(engine, { ...size, dtype, lhs: left, rhs: right, out }, lhs, rhs), expected);
    return at < 0 ? [] : [`${dtype} (${size.m}×${size.k})·(${size.k}×${size.n}) ${left} · ${right} → ${out} at ${at}`];
  })));
}

/** Sizes around the borders of tiles, blocks, lanes and spans, and every shape of up to 20 in a sweep. */
export const borderSizes: readonly Sizes[] = [
  ...[63, 64, 65, 126, 127, 128, 129, 192, 193].map((m): Sizes => ({ m, n: 33, k: 50 })),
  ...[255, 256, 257, 512, 513].map((k): Sizes => ({ m: 50, n: 49, k })),
  ...[511, 513, 1025].map((n): Sizes => ({ m: 50, n, k: 3 })),
  ...[1, 3, 4, 5, 1023, 1024, 1025, 2051].flatMap((k): Sizes[] => [{ m: 1, n: 9, k }, { m: 9, n: 1, k }]),
  ...[255, 257, 511, 513, 515, 1030].flatMap((m): Sizes[] => [{ m, n: 1, k: 6 }, { m: 1, n: m, k: 6 }]),
  ...[1, 15, 16, 17, 4095, 4096, 4097, 9001].map((k): Sizes => ({ m: 1, n: 1, k })),
];

export function sweep(limit: number): readonly Sizes[] {
  const result: Sizes[] = [];
  for (let m = 0; m <= limit; m++) {
    for (let n = 0; n <= limit; n++) for (const k of [0, 1, (m + 3 * n) % (limit + 1)]) result.push({ m, n, k });
  }
  return result;
}
