import { type AdContext, type Dim, type DType, isDType, dtypes, symbolicDim, tensorType, TfError } from '@tf/core';
import { inputLeaf, type TracedTensor } from './traced-tensor.ts';

export interface InputOptions<D extends DType> {
  /** Default float64. */
  readonly dtype?: D;
  /** Default: a scalar. A string names an extent that comes with the data. */
  readonly shape?: readonly (Dim | string)[];
  /** Rules and caches for derivatives of what is computed from this input. */
  readonly context?: AdContext;
}

/**
 * A named place for data: what programs given to `compile` start from.
 *
 * @throws DTypeError for an unknown dtype; ShapeError for extents that are no sizes; ArgumentError for an empty name.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { compile, input } from '@tf/traced';
 * const x = input('x', { shape: ['n'] });
 * const run = compile(x.mul(x).sum().grad(x), { engine: await createEngine() });
 * console.log(run({ x: tensor([1, 2, 3]) }).toArray(), run({ x: tensor([5]) }).toArray()); // → [ 2, 4, 6 ] [ 10 ]
 */
export function input<D extends DType = 'float64'>(name: string, options: InputOptions<D> = {}): TracedTensor<D> {
  const { dtype = 'float64' as D, shape = [], context } = options;
  if (typeof name !== 'string' || name === '') throw new TfError('ArgumentError', `input: needs a name that is a non-empty string, got ${JSON.stringify(name)}.`, { op: 'input', argument: 'name' });
  if (!isDType(dtype)) throw new TfError('DTypeError', `input ${JSON.stringify(name)}: ${JSON.stringify(dtype)} is no dtype; there are ${Object.keys(dtypes).join(', ')}.`, { op: 'input', argument: 'dtype' });
  return inputLeaf(tensorType(dtype, shape.map((dim) => (typeof dim === 'string' ? symbolicDim(dim) : dim))), name, { context });
}
