// What the kernels of the machine's own code are compiled from: one object for each width of vectors (scripts/native-kernels.mjs).

export const library = 'fft';
export const folders = ['kernels', 'native'];

/** Loops that are not written in vectors stay scalar: gcc 12 makes fused multiply-add-subtracts of complex products for AVX-512 whatever -ffp-contract says, and the bits would depend on the machine. */
const scalar = '-fno-tree-vectorize';

const widths = { x64: [[16, []], [32, ['-mavx2']], [64, ['-mavx512f', '-mavx512dq', '-mavx512vl']]] };

export const units = (arch) => {
  const own = widths[arch] ?? [[16, []]];
  return [
    { source: 'native/open.c', flags: [`-DWIDEST=${own.at(-1)[0]}`] },
    ...own.map(([bytes, flags]) => ({ source: 'kernels/fft.c', flags: [`-DVECTOR_BYTES=${bytes}`, scalar, ...flags] })),
  ];
};
