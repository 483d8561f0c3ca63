import { type Operand, tensor } from '@tf/core';
import { shapes } from './random-function.ts';

/** Bits as text, so that −0 and NaN count. */
export type Bits = string;

export interface Result {
  readonly value: Bits;
  readonly gradients: readonly (Bits | undefined)[];
}

export interface Readable {
  data(): Promise<ArrayBufferView>;
}

export async function bitsOf(x: Readable): Promise<Bits> {
  const { buffer, byteOffset, byteLength } = await x.data();
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('hex');
}

export async function allBits(value: Readable, gradients: readonly (Readable | undefined)[]): Promise<Result> {
  return { value: await bitsOf(value), gradients: await Promise.all(gradients.map(async (x) => (x === undefined ? undefined : bitsOf(x)))) };
}

/** One tensor for each argument of a random function. */
export function dataFor(seed: number, dtype: 'float32' | 'float64'): readonly Operand[] {
  return shapes.map((shape, at) => {
    const values = Float64Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, index) => 1.5 * Math.sin(seed + index + 10 * at));
    return tensor(dtype === 'float64' ? values : Float32Array.from(values), { shape, dtype }) as Operand;
  });
}
