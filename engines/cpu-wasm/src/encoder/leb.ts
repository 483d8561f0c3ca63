/** Numbers as WebAssembly writes them: LEB128 for integers, little-endian IEEE 754 for floats. */

/** An unsigned integer below 2^53. */
export function unsigned(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest === 0 ? low : low + 128);
  } while (rest !== 0);
  return bytes;
}

/** A signed 32-bit integer; values up to 2^32 − 1 are taken modulo 2^32. */
export function signed(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const last = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(last ? low : low | 0x80);
    if (last) return bytes;
  }
}

/** A signed 64-bit integer. */
export function signedBig(value: bigint): readonly number[] {
  const bytes: number[] = [];
  let rest = BigInt.asIntN(64, value);
  for (;;) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    const last = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
    bytes.push(last ? low : low | 0x80);
    if (last) return bytes;
  }
}

export function float32(value: number): readonly number[] {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value, true);
  return [...new Uint8Array(view.buffer)];
}

export function float64(value: number): readonly number[] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value, true);
  return [...new Uint8Array(view.buffer)];
}
