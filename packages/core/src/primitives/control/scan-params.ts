import type { Params, Program } from '../../contract.ts';
import type { Dim } from '../../types/dim.ts';
import { type TensorType, tensorType } from '../../types/tensor-type.ts';
import { range } from './region.ts';
import type { Forms } from './residual-outputs.ts';

export interface ScanParams {
  readonly body: Program;
  /** How many inputs are constants and carries; the others are stacks of slices. */
  readonly constants: number;
  readonly carries: number;
  readonly length: Dim;
  readonly reverse: boolean;
  /** The inputs in which the whole is linear. */
  readonly linear: readonly number[];
  /** What it was augmented from. */
  readonly forms?: Forms;
}

export function scanParams(params: Params): ScanParams {
  return params as unknown as ScanParams;
}

/** The types of one slice of a stack, and of a stack of `length` slices. */
export function sliceOf({ dtype, shape }: TensorType): TensorType {
  return tensorType(dtype, shape.slice(1));
}

export function stackOf({ dtype, shape }: TensorType, length: Dim): TensorType {
  return tensorType(dtype, [length, ...shape]);
}

/** Positions of a scan's inputs by what they are. */
export interface ScanPlaces {
  readonly constants: readonly number[];
  readonly carries: readonly number[];
  readonly stacks: readonly number[];
}

export function placesOf({ constants, carries }: ScanParams, count: number): ScanPlaces {
  return { constants: range(constants), carries: range(carries, constants), stacks: range(count - constants - carries, constants + carries) };
}
