// Static data that are zeros, which a linker writes out for a memory that it does not know: the engine's is zero where it places them.
const [globalSection, dataSection] = [6, 11];

const readLeb = (bytes, at) => {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return [value, at];
  }
};

const leb = (value) => (value < 128 ? [value] : [(value % 128) | 0x80, ...leb(Math.floor(value / 128))]);

/** Behind the constant expression that says where a segment goes. */
const behindOffset = (bytes, start) => {
  let at = start;
  for (let opcode = bytes[at++]; opcode !== 0x0b; opcode = bytes[at++]) {
    if (opcode !== 0x41 && opcode !== 0x23 && opcode !== 0x6a) throw new Error(`a data segment's offset has the instruction ${opcode}`);
    if (opcode !== 0x6a) at = readLeb(bytes, at)[1];
  }
  return at;
};

/** The data section with each segment up to its last byte that is not 0. */
const trimmedData = (bytes, start) => {
  let [left, at] = readLeb(bytes, start);
  const parts = [Uint8Array.from(leb(left))];
  for (; left > 0; left--) {
    const begin = at;
    if (bytes[at] !== 0) throw new Error('a data segment is not active');
    at = behindOffset(bytes, at + 1);
    const head = bytes.subarray(begin, at);
    const [length, data] = readLeb(bytes, at);
    let kept = length;
    while (kept > 0 && bytes[data + kept - 1] === 0) kept--;
    parts.push(head, Uint8Array.from(leb(kept)), bytes.subarray(data, data + kept));
    at = data + length;
  }
  return Buffer.concat(parts);
};

/** The module without them; refuses one with globals. */
export const withoutZeros = (bytes) => {
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const [size, content] = readLeb(bytes, at + 1);
    const end = content + size;
    if (bytes[at] === globalSection) throw new Error('the module has globals of its own, addresses in tables that no engine fills: call functions by name, and declare data of other files hidden');
    if (bytes[at] === dataSection) {
      const data = trimmedData(bytes, content);
      parts.push(Uint8Array.from([dataSection, ...leb(data.length)]), data);
    } else parts.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(parts);
};
