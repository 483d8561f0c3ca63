/**
 * pnpm test:linalg-hard: the functions, through the engines and in batches of all families at once, against results in high precision. Errors
 * are in units of size·eps·condition: that of the problem, as the comment beside each says. What has no digit left is not asked for.
 */
import type { Engine, Operand } from '@tf/core';
import { createEngine as createNativeEngine } from '@tf/engine-cpu-blas-native';
import { createEngine } from '@tf/engine-cpu-wasm';
import { reportPresence } from '@tf/testkit';
import { afterAll, describe, it } from 'vitest';
import { randomMatrix } from './hard-matrices.testing.ts';
import { HardReport } from './hard-report.testing.ts';
import { distance, exactly, exponentialGain, outside, type Subject, subjectsOf } from './hard-subjects.testing.ts';
import { minus, nearest, precise, type Precise, preciseAdjoint, preciseExponential, preciseProduct, sizeOf } from './high-precision.testing.ts';
import { isRealDType, type KernelDType, kernelDTypes, realOf, rounded } from './kernels.testing.ts';
import { lapackPresence } from './lapack.testing.ts';
import { nativePresence } from './native.testing.ts';
import { type Results, runOnMatrices } from './run-matrices.testing.ts';
import { type Matrix, timesReal } from './src/host/matrix.ts';
import { cond, det, fullPivLuSolve, inv, lstsq, logdet, matrixExp, matrixLog, matrixNorm, matrixPower, matrixRank, matrixSqrt, pinv, polar, slogdet, solve, svdvals, sylvester } from './src/index.ts';
import { linalgNative } from './src/modules/cpu-blas-native.ts';
import { linalgWasm } from './src/modules/cpu-wasm.ts';
import { linalgHost } from './src/modules/host.ts';

const report = new HardReport('Functions against high precision');

/** Who computes, where it can. */
const engines: readonly (readonly [name: string, create: () => Promise<Engine>])[] = [
  ['kernels in JavaScript', () => createEngine({ modules: [linalgHost()] })],
  ...(reportPresence({ it }, lapackPresence) ? [['LAPACK in WebAssembly', () => createEngine({ modules: [linalgHost(), ...linalgWasm()] })] as const] : []),
  ...(reportPresence({ it }, nativePresence) ? [["the machine's own code", () => createNativeEngine({ modules: [linalgHost(), linalgNative()] })] as const] : []),
];

/** The largest and the smallest normal number, by their exponents. */
const range = (dtype: KernelDType): readonly [number, number] => (realOf(dtype) === 'float32' ? [-126, 128] : [-1022, 1024]);

/** x·2^exponent. */
const shifted = (x: number, exponent: number): number => x * 2 ** Math.trunc(exponent / 2) * 2 ** (exponent - Math.trunc(exponent / 2));

class Trial {
  readonly #by: string;
  readonly #engine: Engine;
  readonly #dtype: KernelDType;

  constructor(by: string, engine: Engine, dtype: KernelDType) {
    [this.#by, this.#engine, this.#dtype] = [by, engine, dtype];
  }

  #see(measure: string, subject: Subject, value: number): void {
    report.see(this.#by, measure, this.#dtype, value, subject.where);
  }

  #run<Name extends string>(inputs: readonly (readonly Matrix[])[], f: (...operands: readonly Operand[]) => Readonly<Record<Name, unknown>>): Results<Name> {
    return runOnMatrices(this.#engine, this.#dtype, inputs, f);
  }

  #random(rows: number, columns: number): Matrix {
    return rounded(this.#dtype, randomMatrix({ rows, columns, isReal: isRealDType(this.#dtype), seed: 9 }));
  }

  rectangular(subjects: readonly Subject[]): void {
    const side = this.#random(subjects[0]!.given.rows, 2);
    const found = this.#run([subjects.map(({ given }) => given), [side]], (x, b) => {
      const { u, p } = polar(x!);
      return { pinv: pinv(x!), lstsq: lstsq(x!, b!).x, rank: matrixRank(x!), s: svdvals(x!), u, p, left: polar(x!, { side: 'left' }).p, nuclear: matrixNorm(x!, { ord: 'nuc' }), fro: matrixNorm(x!), cond: cond(x!) };
    });
    report.countMatrices(this.#by, subjects.length);
    subjects.forEach((subject, at) => {
      const of = (name: keyof typeof found): Matrix => found[name][at]!;
      this.#values(subject, of);
      this.#polar(subject, of);
      const rank = subject.rank();
      if (rank === undefined) return;
      this.#see('matrixRank', subject, of('rank').re[0] === rank ? 0 : Infinity);
      // ‖A⁺‖ times the condition on its rank.
      const inverse = subject.pseudoinverse(rank);
      this.#see('pinv', subject, distance(exactly(of('pinv'), -subject.exponent), inverse, (sizeOf(inverse) || 1) * subject.condition(rank), subject.unit));
      this.#leastSquares(subject, rank, precise(side), exactly(of('lstsq'), -subject.exponent));
    });
  }

  /** Of the largest value; cond relative to itself, squared: the smallest value has a condition of its own. */
  #values(subject: Subject, of: (name: 's' | 'nuclear' | 'fro' | 'cond') => Matrix): void {
    const { s } = subject.svd;
    const { largest, unit, exponent } = subject;
    const scaled = (x: number | undefined): number => shifted(x ?? NaN, exponent);
    const size = largest || 1;
    this.#see('svdvals', subject, Math.max(...s.map((value, i) => Math.abs(scaled(of('s').re[i]) - value))) / size / unit);
    const [nuclear, fro] = [s.reduce((sum, value) => sum + value, 0), Math.hypot(...s)];
    this.#see('matrixNorm', subject, Math.max(Math.abs(scaled(of('nuclear').re[0]) - nuclear) / (nuclear || 1), Math.abs(scaled(of('fro').re[0]) - fro) / (fro || 1)) / unit);
    if (subject.isRegular) this.#see('cond', subject, Math.abs(of('cond').re[0]! / subject.condition() - 1) / unit / subject.condition());
  }

  /** P to ‖A‖; U to √k times the condition. */
  #polar(subject: Subject, of: (name: 'u' | 'p' | 'left') => Matrix): void {
    const { unitary, right, left } = subject.polar();
    const size = sizeOf(subject.exact) || 1;
    this.#see('polar: P', subject, Math.max(distance(exactly(of('p'), subject.exponent), right, size, subject.unit), distance(exactly(of('left'), subject.exponent), left, size, subject.unit)));
    if (subject.isRegular) this.#see('polar: U', subject, distance(exactly(of('u')), unitary, Math.sqrt(subject.svd.s.length) * subject.condition(), subject.unit));
  }

  /** With A cut to its rank: Aᴴ(b − A x) to ‖A‖(‖A‖‖x‖ + ‖b‖); the part of x outside the rows of A to ‖x‖ times the condition. */
  #leastSquares(subject: Subject, rank: number, b: Precise, x: Precise | undefined): void {
    if (x === undefined) return this.#see('lstsq: least residual', subject, Infinity);
    const a = subject.part(rank);
    const rest = minus(b, preciseProduct(a, x));
    const size = subject.largest * (subject.largest * sizeOf(x) + sizeOf(b)) || 1;
    this.#see('lstsq: least residual', subject, sizeOf(preciseProduct(preciseAdjoint(a), rest)) / size / subject.unit);
    const { v } = subject.svd;
    const rows: Precise = { ...v, re: v.re.map((value, at) => (at % v.columns < rank ? value : 0n)), ...(v.im && { im: v.im.map((value, at) => (at % v.columns < rank ? value : 0n)) }) };
    this.#see('lstsq: least norm', subject, sizeOf(outside(x, rows)) / ((sizeOf(x) || 1) * subject.condition(rank)) / subject.unit);
  }

  square(subjects: readonly Subject[]): void {
    const found = this.#run([subjects.map(({ given }) => given)], (x) => ({ det: det(x!) }));
    subjects.forEach((subject, at) => this.#determinant(subject, found.det[at]!));
    if (subjects[0]!.given.rows > 16) return;
    for (const exponent of [-6, 0, 4]) this.#exponentials(subjects, exponent);
  }

  /** What singular values that are off by size·eps of the largest can do to their product. */
  #determinant(subject: Subject, found: Matrix): void {
    const { svd: { s }, largest, unit, exponent } = subject;
    const exact = s.reduce((product, value) => product * value, 1);
    const room = s.reduce((product, value) => product * (value + 30 * unit * largest), 1);
    const back = -exponent * s.length;
    const [least, most] = range(this.#dtype);
    if (!(Math.log2(room) + back < most - 8 && Math.log2(room - exact) + back > least + 30)) return;
    const { re, im, exponent: own } = subject.determinant();
    const error = Math.hypot(shifted(found.re[0]!, -back) - shifted(re, own), shifted(found.im[0]!, -back) - shifted(im, own));
    this.#see('det', subject, error === 0 ? 0 : (30 * error) / (room - exact));
  }

  /** At ‖A‖ of 2^exponent: ‖L‖‖A‖, L being the derivative. */
  #exponentials(subjects: readonly Subject[], exponent: number): void {
    const given = subjects.map(({ scaled, exact }) => timesReal(scaled, 2 ** (exponent - Math.ceil(Math.log2(sizeOf(exact) || 1)))));
    const { exp } = this.#run([given], (x) => ({ exp: matrixExp(x!) }));
    subjects.forEach((subject, at) => {
      const exact = precise(given[at]!);
      const wanted = cached(subject, `exp ${exponent}`, () => preciseExponential(exact));
      const gain = cachedNumber(subject, `gain ${exponent}`, () => exponentialGain(given[at]!));
      this.#see('matrixExp', subject, distance(exactly(exp[at]!), wanted, gain * sizeOf(exact) + sizeOf(wanted), subject.unit));
    });
  }

  regular(subjects: readonly Subject[]): void {
    if (subjects.length === 0) return;
    const n = subjects[0]!.given.rows;
    const right = this.#random(n, 2);
    const found = this.#run([subjects.map(({ given }) => given), subjects.map((subject) => subject.scaled), [right]], (x, scaled, b) => {
      const { sign, logabsdet } = slogdet(x!);
      return { solve: solve(x!, b!), full: fullPivLuSolve(x!, b!), inv: inv(x!), cond: cond(x!, { ord: 'fro' }), sign, logabsdet, logdet: logdet(scaled!), cube: matrixPower(scaled!, 3), inverseSquare: matrixPower(scaled!, -2), root: matrixSqrt(scaled!) };
    });
    subjects.forEach((subject, at) => {
      const of = (name: keyof typeof found): Matrix => found[name][at]!;
      for (const [measure, result] of [['solve', of('solve')], ['fullPivLuSolve', of('full')]] as const) this.#solution(measure, subject, precise(right), exactly(result, -subject.exponent));
      this.#inverses(subject, of);
      this.#logarithms(subject, of);
      this.#root(subject, exactly(of('root')));
    });
    this.#equations(subjects);
    if (n <= 9) this.#matrixLogs(subjects);
  }

  /** ‖A X − B‖ to ‖A‖‖X‖ + ‖B‖. */
  #solution(measure: string, subject: Subject, b: Precise, x: Precise | undefined): void {
    if (x === undefined) return this.#see(measure, subject, Infinity);
    this.#see(measure, subject, sizeOf(minus(preciseProduct(subject.exact, x), b)) / (sizeOf(subject.exact) * sizeOf(x) + sizeOf(b)) / subject.unit);
  }

  /** ‖A⁻¹‖ times the condition; of powers ‖A‖ᵏ, and ‖A⁻¹‖ᵏ times the condition, times k. */
  #inverses(subject: Subject, of: (name: 'inv' | 'cond' | 'cube' | 'inverseSquare') => Matrix): void {
    const { exact, unit, exponent } = subject;
    const wanted = cached(subject, 'inverse', () => subject.pseudoinverse(subject.size));
    const [size, condition] = [sizeOf(wanted), subject.condition()];
    this.#see('inv', subject, distance(exactly(of('inv'), -exponent), wanted, size * condition, unit));
    this.#see('matrixPower', subject, distance(exactly(of('cube')), cached(subject, 'cube', () => preciseProduct(exact, exact, exact)), 3 * sizeOf(exact) ** 3, unit));
    this.#see('matrixPower, of inverses', subject, distance(exactly(of('inverseSquare')), cached(subject, 'inverse square', () => preciseProduct(wanted, wanted)), 2 * size ** 2 * condition, unit));
    this.#see("cond, 'fro'", subject, Math.abs(of('cond').re[0]! / (size * sizeOf(exact)) - 1) / unit / condition);
  }

  /** The condition and the logarithm itself. */
  #logarithms(subject: Subject, of: (name: 'sign' | 'logabsdet' | 'logdet') => Matrix): void {
    const { re, im, exponent } = subject.determinant();
    const size = Math.hypot(re, im);
    const wanted = Math.log(size) + Math.LN2 * exponent;
    const absolute = wanted - Math.LN2 * subject.exponent * subject.size;
    const phase = of('sign');
    const units = (value: number): number => subject.unit * (subject.condition() + Math.abs(value));
    this.#see('slogdet', subject, Math.max(Math.abs(of('logabsdet').re[0]! - absolute) / units(absolute), Math.hypot(phase.re[0]! - re / size, phase.im[0]! - im / size) / units(0)));
    const found = of('logdet');
    if (isRealDType(this.#dtype) && re < 0) return this.#see('logdet', subject, Number.isNaN(found.re[0]!) ? 0 : Infinity);
    const turn = found.im[0]! - Math.atan2(im, re);
    this.#see('logdet', subject, Math.hypot(found.re[0]! - wanted, turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI))) / units(wanted));
  }

  /** ‖R² − A‖ to ‖R‖². */
  #root(subject: Subject, root: Precise | undefined): void {
    if (root === undefined) return this.#see('matrixSqrt', subject, Infinity);
    this.#see('matrixSqrt', subject, sizeOf(minus(preciseProduct(root, root), subject.exact)) / sizeOf(root) ** 2 / subject.unit);
  }

  /** A X + X B = C, B another of the family with eigenvalues beyond those of −A: to (‖A‖ + ‖B‖)‖X‖ + ‖C‖. */
  #equations(subjects: readonly Subject[]): void {
    const sized = subjects.map(({ scaled, exact }) => timesReal(scaled, 2 ** -Math.ceil(Math.log2(sizeOf(exact)))));
    const moved = sized.map((_, at) => {
      const next = sized[(at + 1) % sized.length]!;
      return rounded(this.#dtype, { ...next, re: next.re.map((value, place) => value + (place % (next.rows + 1) === 0 ? 2.5 : 0)) });
    });
    const c = this.#random(sized[0]!.rows, sized[0]!.rows);
    const { x } = this.#run([sized, moved, [c]], (a, b, side) => ({ x: sylvester(a!, b!, side!) }));
    subjects.forEach((subject, at) => {
      const found = exactly(x[at]!);
      if (found === undefined) return this.#see('sylvester', subject, Infinity);
      const [a, b, side] = [precise(sized[at]!), precise(moved[at]!), precise(c)];
      const rest = minus(minus(side, preciseProduct(a, found)), preciseProduct(found, b));
      this.#see('sylvester', subject, sizeOf(rest) / ((sizeOf(a) + sizeOf(b)) * sizeOf(found) + sizeOf(side)) / subject.unit);
    });
  }

  /** ‖e^Y − A‖ to ‖A‖ + ‖L(Y)‖‖Y‖, L being the derivative of the exponential. */
  #matrixLogs(subjects: readonly Subject[]): void {
    const { log } = this.#run([subjects.map(({ scaled }) => scaled)], (x) => ({ log: matrixLog(x!) }));
    subjects.forEach((subject, at) => {
      const y = exactly(log[at]!);
      if (y === undefined) return this.#see('matrixLog', subject, Infinity);
      const size = sizeOf(subject.exact) + exponentialGain(nearest(y)) * sizeOf(y);
      this.#see('matrixLog', subject, distance(preciseExponential(y), subject.exact, size, subject.unit));
    });
  }
}

const kept = new WeakMap<Subject, Map<string, unknown>>();

/** What several engines are compared with, computed once. */
function cachedValue<T>(subject: Subject, key: string, make: () => T): T {
  const own = kept.get(subject) ?? new Map<string, unknown>();
  kept.set(subject, own);
  if (!own.has(key)) own.set(key, make());
  return own.get(key) as T;
}

const cached = (subject: Subject, key: string, make: () => Precise): Precise => cachedValue(subject, key, make);
const cachedNumber = (subject: Subject, key: string, make: () => number): number => cachedValue(subject, key, make);

const shapes: readonly (readonly [number, number])[] = [[1, 1], [2, 2], [3, 3], [4, 4], [6, 6], [9, 9], [14, 14], [24, 24], [5, 3], [12, 7], [24, 10], [3, 5], [7, 12], [10, 24]];

function tryFunctions(name: string, engine: Engine, dtype: KernelDType, subjects: readonly Subject[]): void {
  const trial = new Trial(name, engine, dtype);
  trial.rectangular(subjects);
  const { rows, columns } = subjects[0]!.given;
  if (rows !== columns) return;
  trial.square(subjects);
  trial.regular(subjects.filter(({ isRegular }) => isRegular));
}

describe.each(kernelDTypes)('functions of hard matrices, %s', (dtype) => {
  it.each(shapes)('%i×%i', async (rows, columns) => {
    const subjects = subjectsOf(dtype, rows, columns, 31 * rows + columns);
    for (const [name, create] of engines) {
      const engine = await create();
      try {
        tryFunctions(name, engine, dtype, subjects);
      } finally {
        engine.dispose();
      }
    }
  }, 600_000);
});

afterAll(() => report.finish('size·eps·condition'));
