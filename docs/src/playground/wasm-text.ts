import { BinaryReader, WasmDisassembler } from 'wasmparser';

/** The modules that the code compiles meanwhile, as bytes. */
export function capturingModules(work: () => void): readonly Uint8Array[] {
  const captured: Uint8Array[] = [];
  const original = WebAssembly.Module;
  WebAssembly.Module = class extends original {
    constructor(bytes: BufferSource) {
      super(bytes);
      captured.push(new Uint8Array(ArrayBuffer.isView(bytes) ? bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) : bytes.slice(0)));
    }
  };
  try {
    work();
  } finally {
    WebAssembly.Module = original;
  }
  return captured;
}

const mostLines = 3000;

/** A module in WebAssembly's text format, cut where it is very long. */
export function wasmText(bytes: Uint8Array): string {
  const disassembler = new WasmDisassembler();
  const reader = new BinaryReader();
  reader.setData(bytes.slice().buffer, 0, bytes.length);
  disassembler.disassembleChunk(reader);
  const { lines } = disassembler.getResult();
  return [...lines.slice(0, mostLines), ...(lines.length > mostLines ? [`;; ${lines.length - mostLines} lines more`] : [])].join('\n');
}
