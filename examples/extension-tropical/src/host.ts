/** The product without its m × k × n sums in memory: a kernel that runs on every engine whose memory JavaScript sees. */
import { contractVersion, type HostCall, type HostKernel, type HostModule } from '@tf/core';

function multiply({ inputs, outputs, integers }: HostCall, round: (sum: number) => number): void {
  const [a, b] = inputs as readonly [Float64Array, Float64Array];
  const [c, arg] = outputs as readonly [Float64Array, Int32Array];
  const [batch, m, k, n] = integers as [number, number, number, number];
  c.fill(-Infinity);
  arg.fill(0);
  for (let row = 0; row < batch * m; row++) {
    const matrix = Math.floor(row / m) * k * n;
    for (let s = 0; s < k; s++) {
      const left = a[row * k + s]!;
      for (let j = 0; j < n; j++) {
        const sum = round(left + b[matrix + s * n + j]!);
        const at = row * n + j;
        if (s === 0 || isLarger(sum, c[at]!)) {
          c[at] = sum;
          arg[at] = s;
        }
      }
    }
  }
}

/** NaN is larger than every number, as it is for `reduceMax` and `argmax`. */
function isLarger(x: number, than: number): boolean {
  return x > than || (Number.isNaN(x) && !Number.isNaN(than));
}

/** Sums are rounded to the dtype before they are compared: which of two is larger may depend on it. */
const kernel = (round: (sum: number) => number): HostKernel => ({
  run: (call) => {
    multiply(call, round);
  },
});

/** For `createEngine({ modules: [tropicalHost] })`. */
export const tropicalHost: HostModule = {
  contract: contractVersion,
  family: 'tf.example.tropical.v1',
  package: '@tf/example-tropical',
  version: '1.0.0',
  engine: 'host',
  kernels: { 'tf.example.tropical.v1.matmul.float64': kernel((sum) => sum), 'tf.example.tropical.v1.matmul.float32': kernel(Math.fround) },
};
