import { evaluateDim, linearDim, shapeText, solveDim, type TensorType, tensorType, TfError } from '@tf/core';

/** Numbers for the symbols of `types`, from the shapes that came. Mutable while it is filled. */
export type Binding = Map<string, number>;

/** Binds each symbol that decides an extent by itself (`n`, `2*m`, `n-1`), then checks every extent against the shape given. */
export function bindShapes(op: string, types: readonly TensorType[], shapes: readonly (readonly number[])[]): Binding {
  const binding: Binding = new Map();
  types.forEach((type, at) => {
    const shape = shapes[at] as readonly number[];
    if (shape.length !== type.shape.length) throw wrongShape(op, at, type, shape);
    type.shape.forEach((dim, axis) => {
      const linear = linearDim(dim);
      if (linear === undefined || binding.has(linear.symbol)) return;
      const size = solveDim(linear, shape[axis] as number);
      if (size === undefined) throw wrongShape(op, at, type, shape);
      binding.set(linear.symbol, size);
    });
  });
  types.forEach((type, at) => {
    const shape = shapes[at] as readonly number[];
    if (type.shape.some((dim, axis) => evaluateDim(dim, binding) !== shape[axis])) throw wrongShape(op, at, type, shape);
  });
  return binding;
}

function wrongShape(op: string, at: number, type: TensorType, shape: readonly number[]): TfError {
  return new TfError('ShapeError', `${op}: input ${at} is ${type.key}, got the shape ${shapeText(shape)}. Pass a value of the declared shape.`, { op, argument: String(at), expected: type.key, shape });
}

/** The type with numbers for its extents. */
export function concreteType(type: TensorType, binding: Binding): TensorType {
  return tensorType(type.dtype, type.shape.map((dim) => evaluateDim(dim, binding)));
}
