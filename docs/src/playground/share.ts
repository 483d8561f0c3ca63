/** A program in the hash of an address: its UTF-8, compressed where that is shorter, in base64url. */
export async function toHash(code: string): Promise<string> {
  const bytes = new TextEncoder().encode(code);
  const packed = await through(bytes, new CompressionStream('deflate-raw'));
  return packed.length < bytes.length ? `#z=${base64(packed)}` : `#t=${base64(bytes)}`;
}

/** A hash that should hold a program, and holds none that can be read. */
export const brokenLink: unique symbol = Symbol('brokenLink');

/** Undefined where the hash is no program's. */
export async function fromHash(hash: string): Promise<string | typeof brokenLink | undefined> {
  const [, form, written] = /^#([zt])=(.*)$/s.exec(hash) ?? [];
  if (form === undefined || written === undefined) return undefined;
  try {
    // Mail and chat break lines, and write some signs by their numbers.
    const text = decodeURIComponent(written).replaceAll(/\s/g, '');
    if (!/^[\w-]*$/.test(text)) return brokenLink;
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(form === 'z' ? await through(bytes, new DecompressionStream('deflate-raw')) : bytes);
  } catch {
    return brokenLink;
  }
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const passed = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(passed as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

function base64(bytes: Uint8Array): string {
  return btoa([...bytes].map((byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
