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
  readonly bytes: 4 | 8;
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
    ? { type: 'f32', bytes: 4, lanes: 4, fused, mr, nr: 8, mc: 32 * mr, kc: 256, nc: 1024 }
    : { type: 'f64', bytes: 8, lanes: 2, fused, mr, nr: 4, mc: 16 * mr, kc: 256, nc: 512 };
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
export function workspaceOf({ bytes, mr, nr, mc, kc, nc }: Blocking): { readonly lhs: number; readonly rhs: number; readonly tile: number; readonly bytes: number } {
  const lhs = 0;
  const rhs = lhs + mc * kc * bytes;
  const tile = rhs + kc * nc * bytes;
  return { lhs, rhs, tile, bytes: tile + mr * nr * bytes };
}
