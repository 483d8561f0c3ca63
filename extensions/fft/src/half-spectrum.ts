/**
 * Real lines and the first half of their spectra, unnormalised: `rdft` gives X_k = Σ_j x_j e^{−2πijk/n} for k ≤ n/2, `hdft` the real
 * line Σ_k X_k e^{2πijk/n} over the whole spectrum, whose second half is the conjugate of the first, reversed.
 */
import { addDims, applyOperation, complexOf, type Dim, dimText, divideDims, equal, extentOf, type FloatDType, iotaBeside, isKnown, type Kind, logicalOr, mul, type Of, type Operand, realPart, requireSameDim, reshape, select, subDims, type TensorType, tensorType, TfError, type Var } from '@tf/core';
import { axisOf, defineTransform, type FamilyOperation, isOdd, requireLength } from './family.ts';

/** ⌊n/2⌋; undefined where it is not known whether a symbolic n is even. */
export function halfOf(n: Dim): Dim | undefined {
  if (isKnown(n)) return Math.floor(n / 2);
  const odd = isOdd(n);
  return odd === undefined ? undefined : divideDims(odd ? subDims(n, 1) : n, 2);
}

/** The extent of half a spectrum: ⌊n/2⌋ + 1. */
export function halfExtent(op: string, n: Dim): Dim {
  const half = halfOf(n);
  if (half !== undefined) return addDims(half, 1);
  throw new TfError('ShapeError', `${op}: whether the symbolic length ${dimText(n)} is even is not known, so neither is the size of half its spectrum. Give a length that says it, such as n: mulDims(2, symbolicDim('n')) of an axis of n, or declare the input with the extent mulDims(2, symbolicDim('m')).`, { op, n });
}

const lengthOf = (x: TensorType, at: number): Dim => x.shape[at] as Dim;
const withExtent = (x: TensorType, at: number, extent: Dim): readonly Dim[] => x.shape.map((dim, axis) => (axis === at ? extent : dim));

/**
 * A half spectrum whose elements between the ends are multiplied by `factor`: they stand for two elements of the whole spectrum, the
 * first one, and for even n the last one, for themselves.
 */
function weighted(spectrum: Var, axis: number, n: Dim, factor: number): Var {
  const { shape } = spectrum.type;
  const at = shape.length + axis;
  const extent = shape[at] as Dim;
  const k = iotaBeside('half spectrum', spectrum, extent);
  const first = equal(k, 0);
  const ends = isOdd(n) === true ? first : logicalOr(first, equal(k, extentOf(spectrum, subDims(extent, 1))));
  const along = reshape(ends as Operand<Kind, 'bool'>, shape.map((_, own) => (own === at ? extent : 1)));
  return select(along as Operand<Kind, 'bool'>, spectrum, mul(spectrum, factor) as Operand) as Var;
}

export const rdftOperation: FamilyOperation = defineTransform({
  name: 'rdft',
  takes: ['float32', 'float64'],
  infer: (x, params, sink) => {
    const at = axisOf(params, x);
    requireLength('rdft', lengthOf(x, at), sink);
    return tensorType(complexOf(x.dtype as FloatDType), withExtent(x, at, halfExtent('rdft', lengthOf(x, at))));
  },
  length: (params, x) => lengthOf(x, axisOf(params, x)),
  rule: {
    kind: 'rule',
    linear: { inputs: [0], how: 'together' },
    // x̄_j = Re Σ_{k ≤ n/2} c_k e^{2πijk/n}: what hdft gives for halves of all c_k that it counts twice.
    transpose: (ctx, [ct]) => {
      if (ct === undefined) return [undefined];
      const axis = ctx.params['axis'] as number;
      const [x] = ctx.inputTypes as readonly [TensorType];
      const n = lengthOf(x, axisOf(ctx.params, x));
      return [hdft(weighted(ct, axis, n, 0.5), axis, n) as Var];
    },
  },
});

export const hdftOperation: FamilyOperation = defineTransform({
  name: 'hdft',
  takes: ['complex64', 'complex128'],
  infer: (x, params, sink) => {
    const at = axisOf(params, x);
    const n = params['n'] as Dim;
    requireLength('hdft', n, sink);
    const extent = halfExtent('hdft', n);
    if (!requireSameDim(lengthOf(x, at), extent, `hdft: axis ${at} of half a spectrum`, sink)) {
      throw new TfError('ShapeError', `hdft: half the spectrum of ${dimText(n)} elements has ${dimText(extent)} along axis ${at}, got ${x.key}. Cut it or fill it up with zeros.`, { op: 'hdft', axis: at, n });
    }
    return tensorType(realPart(x.dtype), withExtent(x, at, n));
  },
  length: (params) => params['n'] as Dim,
  rule: {
    kind: 'rule',
    linear: { inputs: [0], how: 'together' },
    // X̄_k = Σ_j c_j e^{−2πijk/n}, twice where X_k stands for its conjugate too. At the ends it is real, as is what hdft reads there.
    transpose: (ctx, [ct]) => {
      const axis = ctx.params['axis'] as number;
      return [ct === undefined ? undefined : weighted(rdft(ct, axis) as Var, axis, ctx.params['n'] as Dim, 2)];
    },
  },
});

/** Half the spectrum of real lines along an axis counted from the end. */
export function rdft<K extends Kind>(x: Operand<K>, axis: number): Of<K, 'complex64' | 'complex128'> {
  return applyOperation(rdftOperation.operation, [x], { axis })[0] as Of<K, 'complex64' | 'complex128'>;
}

/** The real lines of n elements that half spectra along an axis counted from the end belong to. */
export function hdft<K extends Kind>(x: Operand<K>, axis: number, n: Dim): Of<K, 'float32' | 'float64'> {
  return applyOperation(hdftOperation.operation, [x], { axis, n })[0] as Of<K, 'float32' | 'float64'>;
}
