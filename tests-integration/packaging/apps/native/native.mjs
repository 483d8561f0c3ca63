// Installed packages on the native engine: what it is, what it computes, and from where its libraries come.
import { convert, isTfError, matmul, sum, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-blas-native';
import { fft } from '@tf/fft';
import { fftNative } from '@tf/fft/cpu-blas-native';
import { solve } from '@tf/linalg';
import { linalgNative } from '@tf/linalg/cpu-blas-native';
import { evaluate } from '@tf/traced';

try {
  const engine = await createEngine({ modules: [linalgNative(), fftNative()], threads: 1 });
  const a = tensor([[4, 1], [1, 3]]);
  const run = (value) => evaluate(value, engine).toArray();
  const values = { product: run(matmul(a, a)), solved: run(solve(a, matmul(a, tensor([[1], [2]])))), spectrum: run(sum(fft(convert(tensor([1, 2, 3, 4]), 'complex128')))) };
  const { sharedObjects } = process.report.getReport();
  console.log(JSON.stringify({ name: engine.info.name, values, libraries: sharedObjects.filter((path) => path.includes('node_modules')) }));
} catch (error) {
  if (!isTfError(error, 'EngineUnavailableError')) throw error;
  console.log(JSON.stringify({ absent: error.message }));
}
