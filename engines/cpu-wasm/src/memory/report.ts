/** What the memory of an engine holds: for programs as fields, for people as text. */

/** Bytes in use by what uses them. Their sum is `bytesInUse`. */
export interface MemoryKinds {
  /** Tensors. */
  readonly buffers: number;
  /** What compiled programs compute on the way: one piece, as large as the largest plan that ran needs. */
  readonly arena: number;
  /** Constants of compiled plans. */
  readonly constants: number;
  /** Step tables of compiled plans and tables of their code. The code itself lies outside the memory. */
  readonly code: number;
  /** Tables of kernels of execution modules, e.g. twiddle factors: 64 MiB at most, those that were needed last. */
  readonly tables: number;
  /** Static data of execution modules. */
  readonly modules: number;
  /** What kernels work with: the stack, scratch of loops, packed panels of matrix products. */
  readonly scratch: number;
}

export interface MemoryFigures {
  /** Size of the WebAssembly memory, which grows and never shrinks. */
  readonly bytesReserved: number;
  /** What it can grow to. */
  readonly bytesMaximum: number;
  readonly bytesInUse: number;
  /** The largest `bytesInUse` so far. */
  readonly bytesPeak: number;
  readonly kinds: MemoryKinds;
  /** Buffers neither disposed nor known to be dead, evicted ones included. */
  readonly liveBuffers: number;
  /** Live buffers whose values were copied out to ordinary ArrayBuffers, as far as the engine keeps count. */
  readonly evictedBuffers: number;
  /** Bytes of those copies, which lie outside the memory. */
  readonly bytesEvicted: number;
  /** How often a buffer was copied out. */
  readonly evictions: number;
  /** How often the memory grew. */
  readonly growths: number;
}

/** Figures of a moment; as text, a short table. */
export class MemoryReport implements MemoryFigures {
  readonly bytesReserved: number;
  readonly bytesMaximum: number;
  readonly bytesInUse: number;
  readonly bytesPeak: number;
  readonly kinds: MemoryKinds;
  readonly liveBuffers: number;
  readonly evictedBuffers: number;
  readonly bytesEvicted: number;
  readonly evictions: number;
  readonly growths: number;

  constructor(figures: MemoryFigures) {
    this.bytesReserved = figures.bytesReserved;
    this.bytesMaximum = figures.bytesMaximum;
    this.bytesInUse = figures.bytesInUse;
    this.bytesPeak = figures.bytesPeak;
    this.kinds = Object.freeze({ ...figures.kinds });
    this.liveBuffers = figures.liveBuffers;
    this.evictedBuffers = figures.evictedBuffers;
    this.bytesEvicted = figures.bytesEvicted;
    this.evictions = figures.evictions;
    this.growths = figures.growths;
    Object.freeze(this);
  }

  /** One line for each figure. */
  toString(): string {
    const { buffers, arena, constants, code, tables, modules, scratch } = this.kinds;
    return [
      line('reserved', this.bytesReserved, `of at most ${bytesText(this.bytesMaximum)}; ${counted(this.growths, 'growth')}`),
      line('in use', this.bytesInUse, `${bytesText(this.bytesPeak)} at the peak`),
      line('  buffers', buffers, `${this.liveBuffers - this.evictedBuffers} here`),
      line('  arena', arena, ''),
      line('  constants', constants, ''),
      line('  code', code, ''),
      line('  tables', tables, ''),
      line('  modules', modules, ''),
      line('  scratch', scratch, ''),
      line('evicted', this.bytesEvicted, `${counted(this.evictedBuffers, 'buffer')} on the host; ${counted(this.evictions, 'eviction')}`),
    ].join('\n');
  }
}

const units: readonly string[] = Object.freeze(['KiB', 'MiB', 'GiB']);

function line(name: string, bytes: number, more: string): string {
  return `${name.padEnd(11)}${bytesText(bytes).padStart(10)}  ${more}`.trimEnd();
}

function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(3, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 2 ** (10 * power)).toFixed(1)} ${units[power - 1]!}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
