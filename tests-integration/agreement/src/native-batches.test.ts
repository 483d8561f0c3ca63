import { add, Builder, compileProgram, convert, type DType, eye, matmul, type Operand, swapaxes, tensorType, type Var } from '@tf/core';
import { createEngineSync } from '@tf/engine-cpu-blas-native';
import { cholesky, det, eig, eigh, fullPivLu, inv, lu, matrixSqrt, qr, rankRevealingQr, schur, solve, svd, svdvals, sylvester, triangularSolve } from '@tf/linalg';
import { linalgNative } from '@tf/linalg/cpu-blas-native';
import { reportPresence } from '@tf/testkit';
import { describe, expect, it, test } from 'vitest';
import { nativePresence } from './native-presence.testing.ts';

type OfMatrices = (x: Operand) => unknown;

/** Work for several threads. */
const [batch, n] = [24, 48];

/** Positive definite, with room for rounding in float32. */
const square = (x: Operand): Operand => add(matmul(x, swapaxes(x, -1, -2)) as Operand, eye(n, n, { dtype: x.type.dtype }) as Operand) as Operand;
const families: readonly (readonly [string, OfMatrices])[] = [
  ['svd', (x) => svd(x as never)], ['svdvals', (x) => svdvals(x as never)], ['qr', (x) => qr(x as never)], ['pivoted qr', (x) => rankRevealingQr(x as never)],
  ['eigh', (x) => eigh(square(x) as never)], ['eig', (x) => eig(x as never)], ['schur', (x) => schur(x as never)], ['cholesky', (x) => cholesky(square(x) as never)],
  ['lu', (x) => lu(x as never)], ['full pivoting', (x) => fullPivLu(x as never)], ['solve', (x) => solve(x as never, square(x) as never)], ['inverse', (x) => inv(x as never)],
  ['triangular', (x) => triangularSolve(square(x) as never, x as never, { upper: true })], ['sylvester', (x) => sylvester(square(x) as never, square(x) as never, x as never)],
  ['square root', (x) => matrixSqrt(square(x) as never)], ['determinant', (x) => det(x as never)],
];

/** All tensors of a result. */
function tensorsOf(result: unknown): readonly Operand[] {
  if (typeof result !== 'object' || result === null) return [];
  return 'type' in result ? [result as Operand] : Object.values(result).flatMap(tensorsOf);
}

/** The bytes of each result. */
function bytesOn(threads: number, f: OfMatrices, dtype: DType, data: Float64Array): readonly Buffer[] {
  const engine = createEngineSync({ threads, modules: [linalgNative()] });
  try {
    const builder = new Builder();
    const x = convert(builder.input(tensorType('float64', [batch, n, n])), dtype) as Operand;
    const plan = compileProgram(builder.build(tensorsOf(f(x)) as readonly Var[]), { kernels: engine.kernels! });
    return engine.compile(plan).run([{ data, shape: [batch, n, n] }]).map((result) => {
      const { buffer, byteOffset, byteLength } = engine.read(result);
      return Buffer.from(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    });
  } finally {
    engine.dispose();
  }
}

if (reportPresence({ it }, nativePresence())) {
  describe.each(families)('batches of %s', (_name, f) => {
    test.each(['float64', 'float32', 'complex128'] as const)('of %s have the same bits on any number of threads', (dtype) => {
      const data = Float64Array.from({ length: batch * n * n }, (_, i) => Math.sin(i * i + 0.3 * i) + (i % (n + 1) === 0 ? 2 : 0));
      const one = bytesOn(1, f, dtype, data);
      expect(one.length).toBeGreaterThan(0);
      for (const threads of [2, 3, 4]) expect({ threads, same: bytesOn(threads, f, dtype, data).map((bytes, i) => bytes.equals(one[i]!)) }).toEqual({ threads, same: one.map(() => true) });
    }, 120_000);
  });
}
