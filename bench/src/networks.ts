/** The tensor networks of the group einsum: what they are, and their values and gradients by plain loops. */
export type NetworkTask = 'einsum batched' | 'einsum chain' | 'einsum network' | 'ring' | 'ring gradients' | 'state' | 'state gradients';

/** Equations by task; each operand is an input, in this order. */
export const equations: Readonly<Record<string, { readonly equation: string; readonly shapes: Readonly<Record<string, readonly number[]>> }>> = {
  'einsum batched': { equation: 'bij,bjk->bik', shapes: { a: [64, 64, 64], b: [64, 64, 64] } },
  'einsum chain': { equation: 'ij,jk,kl->il', shapes: { a: [256, 256], b: [256, 256], c: [256, 256] } },
  'einsum network': { equation: 'abc,cde,efg,gha->bdfh', shapes: { a: [32, 8, 32], b: [32, 8, 32], c: [32, 8, 32], d: [32, 8, 32] } },
};

export const ringLength = 100;
export const stateLength = 200;
/** Extent of a site of the state, beside its bonds. */
export const siteExtent = 2;

/** Names of the tensors of a ring of matrices, or of the sites of a state. */
export function memberNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `m${at}`);
}

/** The shape of a site: bond, its own, bond; the bonds at the ends are 1. */
export function siteShape(site: number, bond: number): readonly number[] {
  return [site === 0 ? 1 : bond, siteExtent, site === stateLength - 1 ? 1 : bond];
}

/** Tensors drawn so that products neither grow nor vanish; undefined where the task is none of these. */
export function networkInputs<I>(task: string, size: number, uniform: (shape: readonly number[], low: number, high: number) => I): Readonly<Record<string, I>> | undefined {
  const network = equations[task];
  if (network !== undefined) return Object.fromEntries(Object.entries(network.shapes).map(([name, shape]) => [name, uniform(shape, -1, 1)]));
  if (task.startsWith('ring')) {
    const bound = Math.sqrt(3 / size);
    return Object.fromEntries(memberNames(ringLength).map((name) => [name, uniform([size, size], -bound, bound)]));
  }
  if (!task.startsWith('state')) return undefined;
  const bound = Math.sqrt(3 / (size * siteExtent));
  return Object.fromEntries(memberNames(stateLength).map((name, site) => [name, uniform(siteShape(site, size), -bound, bound)]));
}

/** A contraction of two tensors over so many last axes of the first and first axes of the second: a product of matrices. */
type Product = (a: Float64Array, b: Float64Array, rows: number, inner: number, columns: number) => Float64Array;

function transposed(a: Float64Array, rows: number, columns: number): Float64Array {
  return Float64Array.from({ length: a.length }, (_, at) => a[(at % rows) * columns + Math.floor(at / rows)] as number);
}

/** The trace of the product of the matrices; with gradients, of each: (what follows · what precedes)ᵀ. */
export function ringReference(matrices: readonly Float64Array[], size: number, product: Product): readonly Float64Array[] {
  const identity = Float64Array.from({ length: size * size }, (_, at) => (at % (size + 1) === 0 ? 1 : 0));
  const before: Float64Array[] = [identity];
  for (const matrix of matrices) before.push(product(before[before.length - 1] as Float64Array, matrix, size, size, size));
  const after: Float64Array[] = [identity];
  for (const matrix of [...matrices].reverse()) after.unshift(product(matrix, after[0] as Float64Array, size, size, size));
  const all = before[matrices.length] as Float64Array;
  const trace = Float64Array.of(Array.from({ length: size }, (_, at) => all[at * (size + 1)] as number).reduce((sum, value) => sum + value));
  return [trace, ...matrices.map((_, at) => transposed(product(after[at + 1] as Float64Array, before[at] as Float64Array, size, size, size), size, size))];
}

/** ⟨ψ|ψ⟩ of a state of real tensors, and its gradients 2·L·A·R of all sites, L and R being what stands left and right of one. */
export function stateReference(sites: readonly Float64Array[], bond: number, product: Product): readonly Float64Array[] {
  const left: Float64Array[] = [Float64Array.of(1)];
  sites.forEach((site, at) => {
    const [l, p, r] = siteShape(at, bond) as [number, number, number];
    const moved = product(left[at] as Float64Array, site, l, l, p * r);
    left.push(product(transposed(moved, l * p, r), site, r, l * p, r));
  });
  const right: Float64Array[] = [Float64Array.of(1)];
  for (let at = sites.length - 1; at >= 0; at--) {
    const [l, p, r] = siteShape(at, bond) as [number, number, number];
    const site = sites[at] as Float64Array;
    const moved = product(site, right[0] as Float64Array, l * p, r, r);
    right.unshift(product(moved, transposed(site, l, p * r), l, p * r, l));
  }
  const gradients = sites.map((site, at) => {
    const [l, p, r] = siteShape(at, bond) as [number, number, number];
    const moved = product(product(left[at] as Float64Array, site, l, l, p * r), right[at + 1] as Float64Array, l * p, r, r);
    return moved.map((value) => 2 * value);
  });
  return [left[sites.length] as Float64Array, ...gradients];
}
