import { convolutionLength, longestDirect, radicesOf, splitLength } from './factors.ts';
import { header, plan, planKind, type VectorBytes } from './layout.ts';
import { putRoot, rootOfUnity, rootsOfUnity } from './roots.ts';
import { chirpOf, chirpSpectrum } from './stockham.ts';
import { complexLength, groupOf, type Transformation, workspaceOf } from './workspace.ts';

/** Bytes of a real number. */
export type RealBytes = 4 | 8;

/** Words and numbers of one memory, each part at a multiple of 16 bytes. */
class TableWriter {
  readonly #real: RealBytes;
  readonly #parts: { readonly at: number; readonly values: ArrayLike<number>; readonly words: boolean }[] = [];
  #end = 0;

  constructor(real: RealBytes) {
    this.#real = real;
  }

  /** Complex numbers or words that lie side by side; gives their offset. */
  put(values: ArrayLike<number>, words = false): number {
    const at = this.#end;
    this.#parts.push({ at, values, words });
    this.#end += Math.ceil((values.length * (words ? 4 : this.#real)) / 16) * 16;
    return at;
  }

  finish(): Int32Array {
    const memory = new ArrayBuffer(this.#end);
    const all = new Int32Array(memory);
    const reals = this.#real === 8 ? new Float64Array(memory) : new Float32Array(memory);
    for (const { at, values, words } of this.#parts) {
      if (words) all.set(values, at / 4);
      else reals.set(values, at / this.#real);
    }
    return all;
  }
}

/** How numbers lie: bytes of a real one, and of the vectors that the tables are for. */
interface Numbers {
  readonly real: RealBytes;
  readonly vector: VectorBytes;
}

/** Everything that compiled kernels compute with for one length, as kernels/layout.h describes it. */
export function kernelTables(kind: Transformation, n: number, real: RealBytes, vector: VectorBytes): Int32Array {
  const writer = new TableWriter(real);
  const words = new Array<number>(header.words).fill(0);
  writer.put(words, true);
  writeLine(writer, words, complexLength(kind, n), { real, vector });
  words[header.group] = groupOf(kind, n, real, vector);
  words[header.width] = columnsOf({ real, vector });
  if (kind !== 'dft') words[header.realTwiddles] = writer.put(rootsOfUnity(n, Math.floor(n / 4) + 1));
  const { plainBytes: _plain, bytes: _all, ...parts } = workspaceOf(kind, n, real, vector);
  for (const [name, at] of Object.entries(parts)) words[header[name as keyof typeof parts]] = at;
  return writer.finish();
}

/** Columns that run side by side: two vectors of them. */
const columnsOf = ({ real, vector }: Numbers): number => (2 * vector) / real;

/** The plan of a line, into the words given; what it refers to behind them. */
function writeLine(writer: TableWriter, words: number[], n: number, numbers: Numbers): void {
  const radices = radicesOf(n);
  words[plan.length] = n;
  if (radices === undefined) {
    const m = convolutionLength(n);
    const inner = new Array<number>(plan.words).fill(0);
    words[plan.kind] = planKind.chirp;
    words[plan.first] = m;
    words[plan.stages] = writer.put(inner, true);
    const chirp = chirpOf(n);
    words[plan.coarse] = writer.put(chirp);
    words[plan.fine] = writer.put(chirpSpectrum(chirp, m));
    writeLine(writer, inner, m, numbers);
  } else if (n <= longestDirect) {
    words[plan.kind] = planKind.direct;
    words[plan.stages] = writeStages(writer, n, radices);
  } else {
    const [first, second] = splitLength(n);
    words[plan.kind] = planKind.fourSteps;
    [words[plan.first], words[plan.second]] = [first, second];
    words[plan.stages] = writeStages(writer, first, radicesOf(first) as readonly number[]);
    words[plan.secondStages] = writeStages(writer, second, radicesOf(second) as readonly number[]);
    const columns = columnsOf(numbers);
    words[plan.coarse] = writer.put(coarseFactors(n, first, Math.ceil(second / columns), columns));
    words[plan.fine] = writer.put(fineFactors(n, first, columns));
  }
}

/** Radices, offsets of the factors w_n^{pk} for 1 ≤ p < m, 1 ≤ k < r, and of the cosines and sines of an odd radix. */
function writeStages(writer: TableWriter, length: number, radices: readonly number[]): number {
  const words = [length, radices.length];
  let n = length;
  for (const radix of radices) {
    const m = n / radix;
    const factors = new Float64Array(2 * (m - 1) * (radix - 1));
    for (let p = 1, to = 0; p < m; p++) for (let k = 1; k < radix; k++, to += 2) putRoot(factors, to, p * k, n);
    const roots = Array.from({ length: radix }, (_, k) => rootOfUnity(k, radix));
    words.push(radix, writer.put(factors), radix % 2 === 0 ? 0 : writer.put([...roots.map(([c]) => c), ...roots.map(([, s]) => -s)]));
    n = m;
  }
  return writer.put(words, true);
}

/** w_n^{first column of a block·k} for each block and k below n1. */
function coarseFactors(n: number, first: number, blocks: number, width: number): Float64Array {
  const factors = new Float64Array(2 * blocks * first);
  for (let block = 0, to = 0; block < blocks; block++) for (let k = 0; k < first; k++, to += 2) putRoot(factors, to, (block * width * k) % n, n);
  return factors;
}

/** w_n^{column·k} for each k below n1 and the columns of a block: their real parts, then the imaginary ones. */
function fineFactors(n: number, first: number, columns: number): Float64Array {
  const factors = new Float64Array(2 * columns * first);
  for (let k = 0, to = 0; k < first; k++, to += 2 * columns) {
    for (let column = 0; column < columns; column++) [factors[to + column], factors[to + columns + column]] = rootOfUnity(column * k, n);
  }
  return factors;
}
