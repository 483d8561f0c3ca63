/** The tensor networks of the group einsum: what they are, and their values and gradients by plain loops. */
export type NetworkTask = 'einsum batched' | 'einsum chain' | 'einsum network' | GeneralTask | 'ring' | 'ring gradients' | 'state' | 'state gradients';

/** Equations whose reference is {@link contracted}. */
export const generalTasks = ['einsum permuted', 'einsum tree', 'einsum star', 'einsum sites'] as const;
export type GeneralTask = (typeof generalTasks)[number];

/** Equations by task; each operand is an input, in this order. */
export const equations: Readonly<Record<string, { readonly equation: string; readonly shapes: Readonly<Record<string, readonly number[]>> }>> = {
  'einsum batched': { equation: 'bij,bjk->bik', shapes: { a: [64, 64, 64], b: [64, 64, 64] } },
  'einsum chain': { equation: 'ij,jk,kl->il', shapes: { a: [256, 256], b: [256, 256], c: [256, 256] } },
  'einsum network': { equation: 'abc,cde,efg,gha->bdfh', shapes: { a: [32, 8, 32], b: [32, 8, 32], c: [32, 8, 32], d: [32, 8, 32] } },
  'einsum permuted': { equation: 'abcd,dcef->feab', shapes: { a: [16, 16, 16, 16], b: [16, 16, 16, 16] } },
  'einsum tree': { equation: 'abc,ade,bfg,ch->degfh', shapes: { a: [24, 24, 24], b: [24, 8, 8], c: [24, 8, 8], d: [24, 8] } },
  'einsum star': { equation: 'ai,aj,ak,al->ijkl', shapes: { a: [64, 16], b: [64, 16], c: [64, 16], d: [64, 16] } },
  'einsum sites': { equation: 'pa,aqb,brc,csd,dte,eu,pA,AqB,BrC,CsD,DtE,Eu->', shapes: sitesOf('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l') },
};

/** Twice six sites, their own axes of 2 and bonds of 32. */
function sitesOf(...names: readonly string[]): Readonly<Record<string, readonly number[]>> {
  return Object.fromEntries(names.map((name, at) => [name, at % 6 === 0 ? [2, 32] : at % 6 === 5 ? [32, 2] : [32, 2, 32]]));
}

interface Labelled {
  readonly labels: string;
  readonly extents: readonly number[];
  readonly values: Float64Array;
}

/** The equation's result by plain loops: one operand after the other into what came before, summed over labels that nothing else has. */
export function contracted(task: string, values: readonly Float64Array[]): Float64Array {
  const { equation, shapes } = equations[task]!;
  const [left, right] = equation.split('->') as [string, string];
  const operands = left.split(',').map((labels, at): Labelled => ({ labels, extents: Object.values(shapes)[at]!, values: values[at]! }));
  return operands.slice(1).reduce((sofar, operand, at) => {
    const later = operands.slice(at + 2).map(({ labels }) => labels).join('') + right;
    const kept = [...new Set(sofar.labels + operand.labels)].filter((label) => later.includes(label));
    return pairContracted(sofar, operand, at === operands.length - 2 ? right : kept.join(''));
  }, operands[0]!).values;
}

function pairContracted(a: Labelled, b: Labelled, kept: string): Labelled {
  const extent = (label: string): number => (a.labels.includes(label) ? a.extents[a.labels.indexOf(label)] : b.extents[b.labels.indexOf(label)]) as number;
  const all = [...kept, ...[...new Set(a.labels + b.labels)].filter((label) => !kept.includes(label))];
  const stridesIn = (labels: string, extents: readonly number[]): readonly number[] => all.map((label) => (labels.includes(label) ? extents.slice(labels.indexOf(label) + 1).reduce((size, one) => size * one, 1) : 0));
  const extents = all.map(extent);
  const keptExtents = extents.slice(0, kept.length);
  const [ofA, ofB, ofOut] = [stridesIn(a.labels, a.extents), stridesIn(b.labels, b.extents), stridesIn(kept, keptExtents)];
  const out = new Float64Array(keptExtents.reduce((size, one) => size * one, 1));
  const walk = (axis: number, atA: number, atB: number, atOut: number): void => {
    if (axis === all.length) out[atOut]! += (a.values[atA] as number) * (b.values[atB] as number);
    else for (let i = 0; i < extents[axis]!; i++) walk(axis + 1, atA + i * ofA[axis]!, atB + i * ofB[axis]!, atOut + i * ofOut[axis]!);
  };
  walk(0, 0, 0, 0);
  return { labels: kept, extents: keptExtents, values: out };
}

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
