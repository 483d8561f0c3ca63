/** Decompositions by singular values and eigenvalues. */
import { abs, any, complex, div, equal, type Kind, lessEqual, logicalOr, mul, type Operand, reduceMax, reshape, select, slice, sub } from '@tf/core';
import type { StableHloRole, StableHloSite, StableHloValue as Value, StableHloType as ValueType } from '@tf/export-stablehlo';
import { byLapack, callLapack, infoType, isComplexElement, letter, matrixParts, orNaN, realElement } from './lapack.ts';

type Part = 'u' | 's' | 'vh';

/** Which vectors are formed: as many as there are values, all, or none. */
const modes = { thin: 'S', full: 'A', none: 'N' } as const;

function svd(parts: readonly Part[], mode: keyof typeof modes): (site: StableHloSite) => readonly Value[] {
  return (site) => {
    const [a] = site.operands as readonly [Value];
    const [lead, rows, columns] = matrixParts(a);
    const k = Math.min(rows, columns);
    const [left, right] = mode === 'full' ? [rows, columns] : [k, k];
    const types: readonly ValueType[] = [
      a, { element: realElement(a.element), shape: [...lead, k] },
      { element: a.element, shape: [...lead, rows, left] }, { element: a.element, shape: [...lead, right, columns] }, infoType(lead),
    ];
    if (k === 0) return site.outputs.map((type) => (type.shape.includes(0) ? site.writer.zeros(type) : identity(site, type)));
    const [, s, u, vh, info] = callLapack(site, site.params['driver'] === 'gesvd' ? 'gesvd' : 'gesdd', [a], types, letter('mode', modes[mode])) as readonly [Value, Value, Value, Value, Value];
    const found: { readonly [P in Part]: Value } = { u, s, vh };
    return orNaN(site, info, parts.map((part) => found[part]));
  };
}

/** Square identities. */
function identity({ writer }: StableHloSite, type: ValueType): Value {
  const rank = type.shape.length;
  const [row, column] = [writer.iota('i32', type.shape, rank - 2), writer.iota('i32', type.shape, rank - 1)];
  return writer.convert(writer.compare('EQ', row, column), type.element);
}

function eigh(hasVectors: boolean): (site: StableHloSite) => readonly Value[] {
  return (site) => {
    const [a] = site.operands as readonly [Value];
    const [lead, rows] = matrixParts(a);
    const config = [letter('mode', hasVectors ? 'V' : 'N'), letter('uplo', site.params['upper'] === true ? 'U' : 'L')].join(', ');
    const [vectors, values, info] = callLapack(site, ['syevd', 'heevd'], [a], [a, { element: realElement(a.element), shape: [...lead, rows] }, infoType(lead)], config) as readonly [Value, Value, Value];
    return orNaN(site, info, hasVectors ? [values, vectors] : [values]);
  };
}

/** Real matrices have their eigenvalues in two parts. */
function eig(hasVectors: boolean): (site: StableHloSite) => readonly Value[] {
  return (site) => {
    const [a] = site.operands as readonly [Value];
    const [lead, rows] = matrixParts(a);
    const isComplex = isComplexElement(a.element);
    const parts: readonly ValueType[] = Array.from({ length: isComplex ? 1 : 2 }, () => ({ element: a.element, shape: [...lead, rows] }));
    const vectors: ValueType = { element: site.outputs[0]?.element ?? a.element, shape: a.shape };
    const config = [letter('compute_left', 'N'), letter('compute_right', hasVectors ? 'V' : 'N')].join(', ');
    const given = callLapack(site, 'geev', [a], [...parts, vectors, vectors, infoType(lead)], config);
    const [right, info] = given.slice(-2) as unknown as readonly [Value, Value];
    const values = isComplex ? (given[0] as Value) : (site.apply((re, im) => complex(re as never, im as never) as Operand, given[0] as Value, given[1] as Value)[0] as Value);
    return orNaN(site, info, hasVectors ? [values, right] : [values]);
  };
}

function schur(site: StableHloSite): readonly Value[] {
  const [a] = site.operands as readonly [Value];
  const [lead, rows] = matrixParts(a);
  const values: readonly ValueType[] = Array.from({ length: isComplexElement(a.element) ? 1 : 2 }, () => ({ element: a.element, shape: [...lead, rows] }));
  const given = callLapack(site, 'gees', [a], [a, a, ...values, infoType(lead), infoType(lead)], [letter('mode', 'V'), letter('sort', 'N')].join(', '));
  return orNaN(site, given.at(-1) as Value, given.slice(0, 2));
}

/** NaN for lines of values of which two are not told apart. */
function distinct({ params, operands: [s], apply }: StableHloSite): readonly Value[] {
  const [ulps, squares, zeroUlps] = [params['ulps'] as number, params['squares'] === true, params['zeroUlps'] as number];
  const n = s?.shape.at(-1) as number;
  const unit = s?.element === 'f32' ? 2 ** -24 : 2 ** -53;
  return apply((given) => {
    const x = given as Operand;
    const lead = x.type.shape.slice(0, -1);
    const largest = reduceMax(abs(x) as Operand, { axes: -1, keepdims: true }) as Operand;
    const relative = select(equal(largest, 0) as Operand<Kind, 'bool'>, 0, div(x, largest) as Operand) as Operand;
    const measured = squares ? (mul(relative, relative) as Operand) : relative;
    const part = (from: number, to: number): Operand => slice(measured, [...lead.map(() => 0), from], [...lead, to]) as Operand;
    const last = slice(relative, [...lead.map(() => 0), n - 1], [...lead, n]) as Operand;
    const isZero = lessEqual(abs(last) as Operand, zeroUlps * unit) as Operand<Kind, 'bool'>;
    const isEqual = any(lessEqual(abs(sub(part(1, n), part(0, n - 1)) as Operand) as Operand, ulps * unit) as Operand, { axes: -1 }) as Operand;
    return select(logicalOr(reshape(isEqual, [...lead, 1]) as Operand<Kind, 'bool'>, isZero) as Operand<Kind, 'bool'>, NaN, x) as Operand;
  }, s as Value);
}

const gesdd = 'lapack_*gesdd_ffi (with the driver gesvd, lapack_*gesvd_ffi)';

export const spectralRoles: { readonly [operation: string]: StableHloRole } = {
  svd: byLapack(gesdd, svd(['u', 's', 'vh'], 'thin')),
  svdFull: byLapack(gesdd, svd(['u', 's', 'vh'], 'full')),
  svdvals: byLapack(gesdd, svd(['s'], 'none')),
  svdLeft: byLapack(gesdd, svd(['u', 's'], 'thin')),
  svdRight: byLapack(gesdd, svd(['s', 'vh'], 'thin')),
  eigh: byLapack('lapack_*syevd_ffi', eigh(true)),
  eigvalsh: byLapack('lapack_*syevd_ffi', eigh(false)),
  eig: byLapack('lapack_*geev_ffi', eig(true)),
  eigvals: byLapack('lapack_*geev_ffi', eig(false)),
  schur: byLapack('lapack_*gees_ffi', schur),
  distinct: { becomes: 'elementwise operations', caveats: ['values that are not told apart become NaN: XLA has no errors'], toStableHlo: distinct },
};
