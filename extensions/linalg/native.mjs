// What the kernels of the machine's own code are compiled from: one object per dtype (scripts/native-kernels.mjs).

export const library = 'linalg';
export const folders = ['lapack/c', 'native'];

export const units = () => [
  { source: 'native/open.c', flags: [] },
  ...[8, 4].flatMap((precision) => [0, 1].map((complex) => ({ source: 'lapack/c/kernels.c', flags: [`-DPRECISION=${precision}`, `-DCOMPLEX=${complex}`, '-fno-strict-aliasing'] }))),
];
