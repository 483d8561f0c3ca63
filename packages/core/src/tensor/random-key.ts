import { wrongArgument } from '../types/argument.ts';
import { tensor } from './create.ts';
import type { HostTensor } from './host-tensor.ts';

/**
 * The key of a random stream: the two 32-bit words of the seed, the upper one first, as JAX's threefry keys are. A key is a value like
 * any other; using one twice gives the same numbers twice, so give each use its own by {@link splitKey} or {@link foldIn}.
 *
 * @throws ArgumentError unless the seed is a safe integer or a bigint of at most 64 bits.
 * @example
 * import { randomKey } from '@tf/core';
 * if (JSON.stringify(randomKey(42).toArray()) !== '[0,42]') throw new Error('unexpected');
 */
export function randomKey(seed: number | bigint): HostTensor<'int32'> {
  const isSeed = typeof seed === 'bigint' ? seed >= -(2n ** 63n) && seed < 2n ** 64n : Number.isSafeInteger(seed);
  if (!isSeed) throw wrongArgument('randomKey', 'seed', seed, 'a safe integer, or a bigint of at most 64 bits');
  const bits = BigInt(seed);
  return tensor(Int32Array.of(Number(BigInt.asIntN(32, bits >> 32n)), Number(BigInt.asIntN(32, bits))));
}
