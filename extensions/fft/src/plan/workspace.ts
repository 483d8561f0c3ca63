import { addDims, type Dim, isKnown, mulDims } from '@tf/core';
import { convolutionLength, longestDirect, radicesOf, splitLength } from './factors.ts';
import { reservedBytes, type VectorBytes, widestBytes } from './layout.ts';

/** What a kernel does: complex to complex, real to half spectrum, half spectrum to real. */
export type Transformation = 'dft' | 'rdft' | 'hdft';

/** Where the parts of the workspace begin, in bytes, and how long it is. */
export interface Workspace {
  readonly stagesA: number;
  readonly stagesB: number;
  readonly middle: number;
  readonly chirpA: number;
  readonly chirpB: number;
  readonly realA: number;
  readonly realB: number;
  readonly collected: number;
  readonly results: number;
  /** Without and with what lines that do not lie side by side need. */
  readonly plainBytes: number;
  readonly bytes: number;
}

/** The length that a kernel's complex lines have: half of an even real line. */
export function complexLength(kind: Transformation, n: number): number {
  return kind !== 'dft' && n % 2 === 0 ? n / 2 : n;
}

/** Lines that are collected, or completed, at a time: as many as run side by side, or of those that run alone what one line of the cache has of each. */
export function groupOf(kind: Transformation, n: number, bytesOfReal: number, vector: VectorBytes): number {
  return complexLength(kind, n) <= longestDirect ? (2 * vector) / bytesOfReal : 32 / bytesOfReal;
}

export function workspaceOf(kind: Transformation, n: number, bytesOfReal: number, vector: VectorBytes): Workspace {
  const length = complexLength(kind, n);
  const smooth = radicesOf(length) !== undefined;
  const core = smooth ? length : convolutionLength(length);
  const inSteps = core > longestDirect;
  let end = reservedBytes(vector);
  const part = (bytes: number): number => {
    const start = end;
    end += Math.ceil(bytes / vector) * vector;
    return start;
  };
  // Of an element: its two vectors, twice side by side.
  const stages = 4 * vector * (inSteps ? splitLength(core)[1] : core);
  const complexes = 2 * bytesOfReal;
  const group = complexes * groupOf(kind, n, bytesOfReal, vector);
  const real = kind === 'dft' ? 0 : group * n;
  const [stagesA, stagesB, middle] = [part(stages), part(stages), part(inSteps ? core * complexes : 0)];
  const [chirpA, chirpB] = [part(smooth ? 0 : core * complexes), part(smooth ? 0 : core * complexes)];
  const [realA, realB] = [part(real), part(n % 2 === 0 ? 0 : real)];
  const plainBytes = end;
  // A half spectrum may be one element longer than half of its line.
  const [collected, results] = [part(group * (n + 2)), part(group * (n + 2))];
  return { stagesA, stagesB, middle, chirpA, chirpB, realA, realB, collected, results, plainBytes, bytes: end };
}

/**
 * Bytes that are enough for every engine; exactly what the widest vectors need where the length is known. Otherwise a convolution's length m
 * is below 4n, and the longer of two factors of m at most √(31m) ≤ m/32 + 248.
 */
export function workspaceBytes(kind: Transformation, n: Dim, inner: Dim, bytesOfReal: number): Dim {
  if (isKnown(n)) return workspaceOf(kind, n, bytesOfReal, widestBytes)[inner === 1 ? 'plainBytes' : 'bytes'];
  const block = 4 * widestBytes;
  // Only lines of at most longestDirect elements, or twice as many real ones, run and are collected in whole blocks.
  const perElement = 2 * block / 8 + 3 * 4 * 2 * bytesOfReal + (kind === 'dft' ? 0 : 2 * 64) + (inner === 1 ? 0 : 2 * 64);
  return addDims(mulDims(perElement, n), 2 * block * 248 + 4 * block * (2 * longestDirect + 2) + reservedBytes(widestBytes) + 4 * block + widestBytes * 10);
}
