import { type DType, dtypes, requireDTypeName } from './dtype.ts';
import { checkShape, type Shape, sameShape, shapeText } from './shape.ts';

/** What is known of a value before it is computed. `key` is its text, equal for equal types. */
export interface TensorType<D extends DType = DType> {
  readonly dtype: D;
  readonly shape: Shape;
  readonly key: string;
}

export function tensorType<D extends DType>(dtype: D, shape: Shape): TensorType<D> {
  const short = (dtypes[dtype] as { readonly short?: string } | undefined)?.short;
  if (short === undefined) requireDTypeName('tensorType', dtype);
  checkShape('tensorType', shape);
  return Object.freeze({ dtype, shape: Object.freeze([...shape]), key: (short as string) + shapeText(shape) });
}

export function sameType(a: TensorType, b: TensorType): boolean {
  return a === b || (a.dtype === b.dtype && sameShape(a.shape, b.shape));
}

/** `f64[3, n]`: how a type is printed in programs and errors. */
export function typeText(type: TensorType): string {
  return type.key;
}
