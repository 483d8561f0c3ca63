import { type DType, flattenTree, isComplex, isInexact, isOperand, type Operand, sameStructure, tensor, TfError, type TreeStructure, unflattenTree } from '@tf/core';

interface Readable {
  data(): Promise<Float64Array | Float32Array>;
}

interface Part {
  readonly path: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly length: number;
}

/** A tree of tensors as one vector of real numbers, and back. A complex tensor is as long as its real and imaginary parts. */
export class FlatVector {
  readonly length: number;
  readonly #op: string;
  readonly #structure: TreeStructure;
  readonly #parts: readonly Part[];

  constructor(op: string, tree: unknown, argument: string) {
    const { structure, leaves, paths } = flattenTree(tree);
    this.#op = op;
    this.#structure = structure;
    this.#parts = leaves.map((leaf, at) => partOf(op, leaf, paths[at] as string, argument));
    this.length = this.#parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** Copies the values of a tree of this structure. */
  async read(tree: unknown, argument: string): Promise<Float64Array> {
    const { structure, leaves } = flattenTree(tree);
    if (!sameStructure(structure, this.#structure)) throw new TfError('ArgumentError', `${this.#op}: ${argument} has another structure than ${this.#parts.map(({ path }) => path).join(', ') || 'one tensor'}.`, { op: this.#op, argument });
    const arrays = await Promise.all(leaves.map((leaf) => readable(this.#op, leaf, argument).data()));
    const values = new Float64Array(this.length);
    let at = 0;
    arrays.forEach((array, index) => {
      const { length, path } = this.#parts[index] as Part;
      if (array.length !== length) throw new TfError('ShapeError', `${this.#op}: ${argument} has ${array.length} numbers${path === '' ? '' : ` at ${path}`}, where ${length} are expected.`, { op: this.#op, argument });
      values.set(array, at);
      at += length;
    });
    return values;
  }

  /** The vector as host tensors in their places. */
  tensors(values: Float64Array): unknown {
    let at = 0;
    return unflattenTree(this.#structure, this.#parts.map(({ dtype, shape, length }) => {
      const own = values.slice(at, at + length);
      at += length;
      const isSingle = dtype === 'float32' || dtype === 'complex64';
      return tensor(isSingle ? Float32Array.from(own) : own, { shape, dtype } as never);
    }));
  }
}

function partOf(op: string, leaf: unknown, path: string, argument: string): Part {
  const at = path === '' ? argument : `${argument} at ${path}`;
  if (!isOperand(leaf) || !isInexact(leaf.type.dtype)) throw new TfError('DTypeError', `${op}: ${at} is ${isOperand(leaf) ? leaf.type.key : typeof leaf}; it needs tensors of floating or complex numbers. Leave others out and let the function hold them.`, { op, argument });
  const shape = (leaf as Operand).type.shape as readonly number[];
  return { path, dtype: leaf.type.dtype, shape, length: shape.reduce((product, size) => product * size, isComplex(leaf.type.dtype) ? 2 : 1) };
}

function readable(op: string, leaf: unknown, argument: string): Readable {
  if (typeof (leaf as Readable | null | undefined)?.data === 'function') return leaf as Readable;
  throw new TfError('ArgumentError', `${op}: ${argument} holds ${leaf === undefined ? 'undefined' : 'a value that cannot be read'}. Compile the functions, e.g. jit(valueAndGrad(f), { engine }), so that they give tensors with values.`, { op, argument });
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

/** a + scale · b. */
export function plus(a: Float64Array, scale: number, b: Float64Array): Float64Array {
  return a.map((value, at) => value + scale * (b[at] as number));
}

export function largest(a: Float64Array): number {
  return a.reduce((most, value) => (Number.isNaN(value) ? NaN : Math.max(most, Math.abs(value))), 0);
}
