/** The words of the tables, as kernels/layout.h has them. */
export const plan = { kind: 0, length: 1, stages: 2, secondStages: 3, coarse: 4, fine: 5, first: 6, second: 7, words: 8 } as const;
export const planKind = { direct: 0, fourSteps: 1, chirp: 2 } as const;
export const header = {
  realTwiddles: 8, stagesA: 9, stagesB: 10, middle: 11, chirpA: 12, chirpB: 13, realA: 14, realB: 15, collected: 16, results: 17, group: 18, width: 19, words: 20,
} as const;

/** Bytes of a kernel's vectors: what tables and workspaces are made for. Narrower ones get along with those of wider ones. */
export type VectorBytes = 16 | 64;
/** Of WebAssembly, and of the widest machine. */
export const simdBytes = 16;
export const widestBytes = 64;

/** Bytes of the workspace before its first part: places of lanes, and pairs of an odd radix. */
export const reservedBytes = (vector: VectorBytes): number => 72 * vector;
