// node scripts/native.mjs: OpenBLAS with LAPACK for the native engine, from Debian's packages where that is wanted and possible; else it says what to run.
import { spawnSync } from 'node:child_process';

const packages = ['libopenblas0-pthread'];
const command = `apt-get install -y ${packages.join(' ')}`;
const run = (program, args) => spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });

/** Whether the system's loader finds what the engine looks for (engines/cpu-blas-native/native/blas.c). */
const isThere = () => {
  const known = run('/sbin/ldconfig', ['-p']).stdout ?? '';
  const has = (name) => known.includes(`\t${name} `);
  return has('libopenblas.so.0') || (has('libblas.so.3') && has('liblapack.so.3'));
};

/** A package list that is old or not there is the usual reason why the first attempt fails. */
const install = () => {
  const attempt = () => run('apt-get', ['install', '-y', '--no-install-recommends', ...packages]);
  let { status, stderr } = attempt();
  if (status !== 0 && run('apt-get', ['update']).status === 0) ({ status, stderr } = attempt());
  return status === 0 && isThere() ? undefined : (stderr ?? '').trim() || 'apt-get is not there';
};

const main = () => {
  if (process.env.TF_BLAS_LIBRARY) return `BLAS and LAPACK: TF_BLAS_LIBRARY names ${process.env.TF_BLAS_LIBRARY}`;
  if (process.platform !== 'linux') return 'BLAS and LAPACK: macOS brings Accelerate; elsewhere OpenBLAS is installed by hand. The native engine says on creation what it found.';
  if (isThere()) return 'BLAS and LAPACK: there';
  const isWanted = process.env.CI === 'true' || process.env.TF_INSTALL_NATIVE === '1';
  if (!isWanted) return `BLAS and LAPACK: absent, so engine cpu-blas-native is. As root: ${command} (TF_INSTALL_NATIVE=1 lets this script do it)`;
  if (process.getuid() !== 0) return `BLAS and LAPACK: absent, and only root may install them: sudo ${command}`;
  const failure = install();
  return failure === undefined ? `BLAS and LAPACK: installed (${packages.join(', ')})` : `BLAS and LAPACK: absent, ${command} failed:\n${failure}`;
};

console.log(main());
