import { type AdContext, checkOptions, type Dim, type DType, introducedNumber, isDType, dtypes, type OptionChecks, requireContext, symbolicDim, tensorType, TfError, wrongArgument } from '@tf/core';
import { inputLeaf, type TracedTensor } from './traced-tensor.ts';

export interface InputOptions<D extends DType> {
  /** Default float64. */
  readonly dtype?: D;
  /** Default: a scalar. A string names an extent that comes with the data. */
  readonly shape?: readonly (Dim | string)[];
  /** Rules and caches for derivatives of what is computed from this input. */
  readonly context?: AdContext;
}

function requireShape(op: string, argument: string, value: unknown): void {
  if (!Array.isArray(value)) throw wrongArgument(op, argument, value, 'a list of extents', "Write { shape: [3, 'n'] }.");
}

/** A dtype that is none is a DTypeError, which names those there are. */
const inputOptions: OptionChecks = { dtype: () => undefined, shape: requireShape, context: requireContext };

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
  checkOptions('input', options, inputOptions, "input('x', { shape: ['n'] })");
  const { dtype = 'float64' as D, shape = [], context } = options;
  if (typeof name !== 'string' || name === '') throw new TfError('ArgumentError', `input: needs a name that is a non-empty string, got ${JSON.stringify(name)}.`, { op: 'input', argument: 'name' });
  if (!isDType(dtype)) throw new TfError('DTypeError', `input ${JSON.stringify(name)}: ${JSON.stringify(dtype)} is no dtype; there are ${Object.keys(dtypes).join(', ')}.`, { op: 'input', argument: 'dtype' });
  const taken = shape.find((dim) => typeof dim === 'string' && introducedNumber(dim) !== undefined);
  if (taken !== undefined) throw new TfError('ArgumentError', `input ${JSON.stringify(name)}: ${JSON.stringify(taken)} is how sizes that a run decides are called. Take another name.`, { op: 'input', argument: 'shape' });
  return inputLeaf(tensorType(dtype, shape.map((dim) => (typeof dim === 'string' ? symbolicDim(dim) : dim))), name, { context });
}
