/** Kernels in JavaScript, in float64 throughout: for every CPU engine. */
import { contractVersion, type HostModule } from '@tf/core';
import { fftFamily } from '../family.ts';
import { type Transform, transformOf, transformTables } from '../plan/stockham.ts';
import { fftVersion } from '../version.ts';

type Numbers = Float32Array | Float64Array;
type HostKernel = HostModule['kernels'][string];
type HostCall = Parameters<HostKernel['run']>[0];

/** Lines of a tensor [outer, n, inner]: `element` numbers apart from one index of n to the next. */
interface Lines {
  readonly outer: number;
  readonly inner: number;
  readonly n: number;
}

/** One line: from the input at `from` into `line`, complex; from `line` into the output at `to`. */
interface Ways {
  /** Elements along the axis of input and output, and numbers per element. */
  readonly read: (lines: Lines) => readonly [length: number, words: 1 | 2];
  readonly write: (lines: Lines) => readonly [length: number, words: 1 | 2];
  readonly load: (line: Float64Array, input: Numbers, from: number, step: number, n: number) => void;
  readonly store: (output: Numbers, line: Float64Array, to: number, step: number, n: number) => void;
}

const half = (n: number): number => Math.floor(n / 2) + 1;

/** Numbers as they are, imaginary parts negated or not. */
function loadComplexes(sign: number): Ways['load'] {
  return (line, input, from, step, n) => {
    for (let k = 0; k < n; k++) {
      line[2 * k] = input[from + k * step] as number;
      line[2 * k + 1] = sign * (input[from + k * step + 1] as number);
    }
  };
}

function storeComplexes(sign: number, count: (n: number) => number): Ways['store'] {
  return (output, line, to, step, n) => {
    for (let k = 0; k < count(n); k++) {
      output[to + k * step] = line[2 * k] as number;
      output[to + k * step + 1] = sign * (line[2 * k + 1] as number);
    }
  };
}

const whole = (n: number): number => n;

function complexWays(inverse: boolean): Ways {
  // The inverse is the forward transform of the conjugate, conjugated.
  const sign = inverse ? -1 : 1;
  return { read: ({ n }) => [n, 2], write: ({ n }) => [n, 2], load: loadComplexes(sign), store: storeComplexes(sign, whole) };
}

const realWays: Ways = {
  read: ({ n }) => [n, 1],
  write: ({ n }) => [half(n), 2],
  load(line, input, from, step, n) {
    for (let k = 0; k < n; k++) {
      line[2 * k] = input[from + k * step] as number;
      line[2 * k + 1] = 0;
    }
  },
  store(output, line, to, step, n) {
    storeComplexes(1, half)(output, line, to, step, n);
    // These are sums of real numbers.
    output[to + 1] = 0;
    if (n % 2 === 0) output[to + (n / 2) * step + 1] = 0;
  },
};

/** The conjugate of the whole spectrum, whose forward transform is the real line. */
const spectrumWays: Ways = {
  read: ({ n }) => [half(n), 2],
  write: ({ n }) => [n, 1],
  load(line, input, from, step, n) {
    for (let k = 0; 2 * k <= n; k++) {
      const isEnd = k === 0 || 2 * k === n;
      const [re, im] = [input[from + k * step] as number, isEnd ? 0 : (input[from + k * step + 1] as number)];
      line[2 * k] = re;
      line[2 * k + 1] = -im;
      if (isEnd) continue;
      line[2 * (n - k)] = re;
      line[2 * (n - k) + 1] = im;
    }
  },
  store(output, line, to, step, n) {
    for (let k = 0; k < n; k++) output[to + k * step] = line[2 * k] as number;
  },
};

function transformLines({ inputs, outputs }: HostCall, transform: Transform, lines: Lines, ways: Ways): void {
  const [input, output] = [inputs[0] as Numbers, outputs[0] as Numbers];
  const { outer, inner, n } = lines;
  const [[readLength, readWords], [writeLength, writeWords]] = [ways.read(lines), ways.write(lines)];
  const [line, other] = [new Float64Array(2 * n), new Float64Array(2 * n)];
  for (let row = 0; row < outer; row++) {
    for (let column = 0; column < inner; column++) {
      ways.load(line, input, (row * readLength * inner + column) * readWords, inner * readWords, n);
      ways.store(output, transform.run(line, other), (row * writeLength * inner + column) * writeWords, inner * writeWords, n);
    }
  }
}

function kernel(waysOf: (inverse: boolean) => Ways): HostKernel {
  return {
    tables: ([n]) => transformTables(n as number),
    tableIntegers: [0],
    run(call) {
      const [n, outer, inner, inverse] = call.integers as readonly [number, number, number, number];
      transformLines(call, transformOf(n, call.tables as Float64Array), { n, outer, inner }, waysOf(inverse === 1));
    },
  };
}

/**
 * Kernels of all transforms in JavaScript: for `createEngine({ modules: [fftHost()] })`, on every CPU engine. They compute in float64 and
 * round once, also for single precision; the engine's own module is several times as fast.
 *
 * @example
 * import { fftHost } from '@tf/fft/host';
 * if (fftHost().engine !== 'host') throw new Error('unexpected');
 */
export function fftHost(): HostModule {
  const [dft, rdft, hdft] = [kernel(complexWays), kernel(() => realWays), kernel(() => spectrumWays)];
  return {
    contract: contractVersion,
    family: fftFamily,
    package: '@tf/fft',
    version: fftVersion,
    engine: 'host',
    kernels: {
      [`${fftFamily}.dft.complex64`]: dft,
      [`${fftFamily}.dft.complex128`]: dft,
      [`${fftFamily}.rdft.float32`]: rdft,
      [`${fftFamily}.rdft.float64`]: rdft,
      [`${fftFamily}.hdft.complex64`]: hdft,
      [`${fftFamily}.hdft.complex128`]: hdft,
    },
  };
}
