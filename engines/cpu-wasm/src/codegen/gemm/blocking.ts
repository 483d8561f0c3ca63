/**
 * Block sizes of the packed product (Goto, van de Geijn, ACM TOMS 34 (2008) 12): a panel of the right side, kc × nr, stays
 * in L1, the packed left side, mc × kc, in L2. Four rows by two vectors is the micro tile that the 16 vector registers of
 * x86-64 hold without spilling (engine-wasm.md).
 *
 * kc belongs to the numerical contract: an element of the result is the sum, block after block, of sums over kc products.
 */
export interface Blocking {
  readonly type: 'f32' | 'f64';
  readonly bytes: 4 | 8;
  /** Rows and columns of the micro tile. */
  readonly mr: 4;
  readonly nr: 4 | 8;
  readonly mc: number;
  readonly kc: number;
  readonly nc: number;
}

export const blockings: { readonly [T in 'float32' | 'float64']: Blocking } = {
  float32: { type: 'f32', bytes: 4, mr: 4, nr: 8, mc: 128, kc: 256, nc: 1024 },
  float64: { type: 'f64', bytes: 8, mr: 4, nr: 4, mc: 64, kc: 256, nc: 512 },
};

/** Where the packed panels and one micro tile lie in the workspace. */
export function workspaceOf({ bytes, mr, nr, mc, kc, nc }: Blocking): { readonly lhs: number; readonly rhs: number; readonly tile: number; readonly bytes: number } {
  const lhs = 0;
  const rhs = lhs + mc * kc * bytes;
  const tile = rhs + kc * nc * bytes;
  return { lhs, rhs, tile, bytes: tile + mr * nr * bytes };
}
