/** Signs and phases of vectors, where the decomposition leaves them open. */
import { abs, argmax, conj, expandDims, isComplex, type Kind, mul, type Operand, sign, takeAlongAxis } from '@tf/core';

/**
 * The phase of each column's entry of largest modulus (of equal ones the first), [..., 1, k]; 0 of a column of zeros. Its place is constant
 * for derivatives, the phase itself is not.
 */
export function pivotPhases(vectors: Operand): Operand {
  const place = expandDims(argmax(abs(vectors) as Operand, { axis: -2 }) as Operand, -2) as Operand<Kind, 'int32'>;
  return sign(takeAlongAxis(vectors, place, -2) as Operand) as Operand;
}

/** Columns turned so that the given phases become 1. */
export function turnedBack(vectors: Operand, phases: Operand): Operand {
  return mul(vectors, isComplex(phases.type.dtype) ? (conj(phases) as Operand) : phases) as Operand;
}

/** Columns whose entry of largest modulus is real and positive. */
export function withPositivePivots(vectors: Operand): Operand {
  return vectors.type.shape.at(-2) === 0 ? vectors : turnedBack(vectors, pivotPhases(vectors));
}
