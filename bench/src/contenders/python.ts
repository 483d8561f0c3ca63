import { join } from 'node:path';
import type { ContenderSource } from '../contender.ts';
import { peersFolder } from '../places.ts';
import { openProcess } from './process.ts';

/** numpy, jax or torch, one thread each. */
export function pythonSource(library: 'numpy' | 'jax' | 'torch'): ContenderSource {
  return { name: library, kind: 'python', open: () => openProcess({ name: library, kind: 'python', command: 'python3', args: [join(peersFolder, 'contender.py'), library], env: environment() }) };
}

/** One thread (contender.py sees to JAX, which does not listen), and OpenBLAS with the kernels of the processor that is there rather than those of an older one. */
function environment(): NodeJS.ProcessEnv {
  const { OPENBLAS_CORETYPE: _core, OPENBLAS_L2_SIZE: _cache, ...rest } = process.env;
  return { ...rest, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1', MKL_NUM_THREADS: '1', XLA_FLAGS: '--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1' };
}
