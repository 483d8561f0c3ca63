/** Whether a shared library is all there: the system's loader maps what its header promises, and a process that reads beyond the end of the file is killed (SIGBUS). */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const HEADER_BYTES = 64;
const ELF = 0x7f454c46;

/** Throws where the file cannot be read, or is an ELF file of 64 bits (System V ABI, "ELF header") that ends before the sections that it names. Other files are the loader's affair. */
export function requireWhole(path: string): void {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const isElf = readSync(file, header, 0, HEADER_BYTES, 0) === HEADER_BYTES && header.readUInt32BE(0) === ELF && header[4] === 2 && header[5] === 1;
    if (!isElf) return;
    const end = Number(header.readBigUInt64LE(40)) + header.readUInt16LE(58) * header.readUInt16LE(60);
    const { size } = fstatSync(file);
    if (size < end) throw new Error(`the file ends after ${size} bytes of ${end}: it was not copied as a whole`);
  } finally {
    closeSync(file);
  }
}
