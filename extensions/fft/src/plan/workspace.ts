import { addDims, type Dim, isKnown, mulDims } from '@tf/core';
import { convolutionLength, longestDirect, radicesOf, splitLength } from './factors.ts';
import { reserved } from './layout.ts';

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

/** Bytes of an element's two vectors, twice side by side; of as many complex numbers as run side by side. */
const block = 64;

export function workspaceOf(kind: Transformation, n: number, bytesOfReal: number): Workspace {
  const length = complexLength(kind, n);
  const smooth = radicesOf(length) !== undefined;
  const core = smooth ? length : convolutionLength(length);
  const inSteps = core > longestDirect;
  let end = reserved;
  const part = (bytes: number): number => {
    const start = end;
    end += Math.ceil(bytes / 16) * 16;
    return start;
  };
  const stages = block * (inSteps ? splitLength(core)[1] : core);
  const complexes = 2 * bytesOfReal;
  const real = kind === 'dft' ? 0 : block * n;
  const [stagesA, stagesB, middle] = [part(stages), part(stages), part(inSteps ? core * complexes : 0)];
  const [chirpA, chirpB] = [part(smooth ? 0 : core * complexes), part(smooth ? 0 : core * complexes)];
  const [realA, realB] = [part(real), part(n % 2 === 0 ? 0 : real)];
  const plainBytes = end;
  // A half spectrum may be one element longer than half of its line.
  const [collected, results] = [part(block * (n + 2)), part(block * (n + 2))];
  return { stagesA, stagesB, middle, chirpA, chirpB, realA, realB, collected, results, plainBytes, bytes: end };
}

/**
 * Bytes that are enough; exactly what is needed where the length is known. Otherwise a convolution's length m is below 4n, and the longer
 * of two factors of m at most √(31m) ≤ m/32 + 248.
 */
export function workspaceBytes(kind: Transformation, n: Dim, inner: Dim, bytesOfReal: number): Dim {
  if (isKnown(n)) return workspaceOf(kind, n, bytesOfReal)[inner === 1 ? 'plainBytes' : 'bytes'];
  const perElement = 2 * block / 8 + 3 * 4 * 2 * bytesOfReal + (kind === 'dft' ? 0 : 2 * block) + (inner === 1 ? 0 : 2 * block);
  return addDims(mulDims(perElement, n), 2 * block * 248 + reserved + 4 * block + 16 * 10);
}
