// node scripts/native-sanitized.mjs [VITEST ARGUMENT …]: what runs on the native engine, compiled with AddressSanitizer and UndefinedBehaviorSanitizer (gcc). Minutes to build, once.
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const engine = join(root, 'engines', 'cpu-blas-native', 'native', 'build.mjs');

const run = (args, env = {}) => {
  const { status, signal } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, TF_SANITIZE: '1', ...env } });
  if (status !== 0) {
    console.log(`node ${args.join(' ')}: ${signal ?? `status ${status}`}`);
    process.exit(1);
  }
};

/** The runtime has to be in the process before node is: its allocations are watched too. */
const runtime = () => {
  const { stdout, status } = spawnSync('gcc', ['-print-file-name=libasan.so'], { encoding: 'utf8' });
  const path = (stdout ?? '').trim();
  if (status === 0 && path.includes('/')) return realpathSync(path);
  console.log('the sanitizers of gcc are not here: apt-get install gcc libc6-dev');
  process.exit(1);
};

const preload = runtime();
for (const program of [[], ['guard'], ['harness'], ['data_test'], ['contract_test']]) run([engine, ...program], { CC: 'gcc' });
run([join(root, 'scripts', 'native-kernels.mjs')], { CC: 'gcc' });
run([join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--config', 'vitest.native-sanitized.config.ts', ...process.argv.slice(2)], {
  CC: 'gcc',
  LD_PRELOAD: preload,
  TF_REQUIRE: 'cpu-blas-native,linalg-native,fft-native',
  // V8 keeps what it has until the process ends, and handles faults of WebAssembly itself. Programs in C are checked for leaks (native.test.ts).
  ASAN_OPTIONS: 'detect_leaks=0:quarantine_size_mb=8:handle_segv=0:allow_user_segv_handler=1:detect_stack_use_after_return=0',
  UBSAN_OPTIONS: 'print_stacktrace=1',
});
