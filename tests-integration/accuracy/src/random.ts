/** Random bits that a seed repeats (xorshift, Marsaglia 2003). */
export interface Random {
  /** 0 ≤ n < 2^32. */
  readonly word: () => number;
  /** 0 ≤ n < bound ≤ 2^64; the deviation from evenness is below 2^−32. */
  readonly below: (bound: bigint) => bigint;
  readonly uniform: (low: number, high: number) => number;
}

export function randomFrom(seed: string): Random {
  let state = [...seed].reduce((hash, c) => Math.imul(hash ^ c.charCodeAt(0), 0x01000193), 0x811c9dc5) | 1;
  const word = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let i = 0; i < 16; i++) word();
  const below = (bound: bigint): bigint => {
    if (bound <= 0x100000n) return BigInt(word() % Number(bound));
    const bits = (BigInt(word()) << 64n) | (BigInt(word()) << 32n) | BigInt(word());
    return (bits * bound) >> 96n;
  };
  const uniform = (low: number, high: number): number => low + ((high - low) * (word() + word() * 2 ** -32)) / 2 ** 32;
  return { word, below, uniform };
}
