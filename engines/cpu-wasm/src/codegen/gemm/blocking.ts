/**
 * Block sizes of the packed product (Goto, van de Geijn, ACM TOMS 34 (2008) 12): a panel of the right side, kc × nr, stays
 * in L1, the packed left side, mc × kc, in L2. The micro tile is what the 15 vector registers that V8 gives out on x86-64
 * hold: four rows by two vectors where a product needs a register before it is added, six by two where it does not
 * (docs/decisions/2026-11-29-gemm-generated.md).
 *
 * kc, and the spans and lanes below, belong to the numerical contract: they are the order of each element's sum.
 */
export interface Blocking {
  readonly type: 'f32' | 'f64';
  /** Of a number; a complex element is two. */
  readonly bytes: 4 | 8;
  /** Panels hold numbers: complex operands are packed as two of them, real and imaginary parts. */
  readonly parts: 1 | 2;
  /** Elements of a vector. */
  readonly lanes: 2 | 4;
  /** One rounding for product and sum. */
  readonly fused: boolean;
  /** Rows and columns of the micro tile. */
  readonly mr: 4 | 6;
  readonly nr: 4 | 8;
  readonly mc: number;
  readonly kc: number;
  readonly nc: number;
}

export function blockingOf(dtype: 'float32' | 'float64', fused: boolean): Blocking {
  const mr = fused ? 6 : 4;
  return dtype === 'float32'
    ? { type: 'f32', bytes: 4, parts: 1, lanes: 4, fused, mr, nr: 8, mc: 32 * mr, kc: 256, nc: 1024 }
    : { type: 'f64', bytes: 8, parts: 1, lanes: 2, fused, mr, nr: 4, mc: 16 * mr, kc: 256, nc: 512 };
}

/** As the real product of the parts' dtype; panels of both parts take the place of one. */
export function complexBlockingOf(dtype: 'complex64' | 'complex128', fused: boolean): Blocking {
  const real = blockingOf(dtype === 'complex64' ? 'float32' : 'float64', fused);
  return { ...real, parts: 2, mc: real.mc / 2, nc: real.nc / 2 };
}

/**
 * Where a matrix has a single row or column, an element is summed in 4 lanes (k modulo 4), a product of two vectors in 16;
 * each lane over 256 products, then the upper half of the lanes onto the lower until one is left, plus 0; block after block.
 */
export const vectorSum = { lanes: 4, span: 1024 } as const;
export const dotSum = { lanes: 16, span: 4096 } as const;

/** Rows of a matrix that are multiplied by a vector at a time, as bytes of one element each. */
export const stripBytes = 2048;

/** Where the packed panels and one micro tile lie in the workspace. Vector products use it as they like. */
export function workspaceOf({ bytes, parts, mr, nr, mc, kc, nc }: Blocking): Workspace {
  const [lhsPart, rhsPart, tilePart] = [mc * kc * bytes, kc * nc * bytes, mr * nr * bytes];
  const rhs = parts * lhsPart;
  const tile = rhs + parts * rhsPart;
  return { lhs: 0, rhs, tile, lhsPart, rhsPart, tilePart, bytes: tile + (parts === 1 ? 1 : 3) * tilePart };
}

/** Byte positions, and the bytes of one part of each: parts follow each other. A complex tile is kept as three (`complex.ts`). */
export interface Workspace {
  readonly lhs: number;
  readonly rhs: number;
  readonly tile: number;
  readonly lhsPart: number;
  readonly rhsPart: number;
  readonly tilePart: number;
  readonly bytes: number;
}
