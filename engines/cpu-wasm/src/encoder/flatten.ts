import type { Code } from './code.ts';

/** Nested bytes as one array. Byte arrays may appear as parts. */
export function flatten(code: Code): Uint8Array {
  const writer = new ByteWriter();
  writer.write(code);
  return writer.result();
}

class ByteWriter {
  #bytes: Uint8Array = new Uint8Array(256);
  #length = 0;

  write(code: Code): void {
    if (typeof code === 'number') {
      this.#reserve(1);
      this.#bytes[this.#length++] = code;
    } else if (code instanceof Uint8Array) {
      this.#reserve(code.length);
      this.#bytes.set(code, this.#length);
      this.#length += code.length;
    } else {
      for (let at = 0; at < code.length; at++) this.write(code[at]!);
    }
  }

  result(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#length + count));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
