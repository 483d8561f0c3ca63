/** A kernel as a compiler links it: position-independent, with data, a table of functions and a frame on the engine's stack. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { applyOperation, Builder, compileProgram, type Operand, type Operation, tensorType, type Var } from '@tf/core';
import { createEngine, type CpuWasmEngine, type WasmModule } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';

const family = 'test.linked.v1';
const symbol = `${family}.weigh`;

/** y[i] = 2·x[i] + weight or 2·x[i]·weight, by turns from call to call. */
const source = `
typedef double (*step)(double, double);
static double add(double a, double b) { return a + b; }
static double scale(double a, double b) { return a * b; }
static const double weights[4] = {0.5, 0.25, 2.0, 4.0};
static step steps[2] = {add, scale};
static int calls;
__attribute__((export_name("weigh"))) int weigh(int *args) {
  const double *x = (const double *)args[0];
  double *y = (double *)args[1];
  volatile double frame[1024];
  for (int i = 0; i < args[4]; i++) {
    frame[i & 1023] = 2 * x[i];
    y[i] = steps[calls & 1](frame[i & 1023], weights[i & 3]);
  }
  calls++;
  return args[4] > 4 ? 5 : 0;
}
`;

const flags = ['--target=wasm32-wasip1', '-O2', '-msimd128', '-ffp-contract=off', '-fPIC', '-fvisibility=hidden', '-nostdlib', '-shared', '-Wl,--experimental-pic,--no-entry,--import-memory'];

/** In a process of its own: the compiler is an optional dependency of the repository. */
const script = `
const { runClang } = await import('@yowasp/clang');
const quiet = { fetchProgress: () => undefined };
await runClang(null, {}, quiet);
const built = await runClang(['clang', ...${JSON.stringify(flags)}, '-o', 'k.wasm', 'k.c'], { 'k.c': ${JSON.stringify(source)} }, quiet);
process.stdout.write(Buffer.from(built['k.wasm']).toString('base64'));
`;

function compile(): Uint8Array | undefined {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: root, encoding: 'utf8' });
  return status === 0 ? Uint8Array.from(Buffer.from(stdout, 'base64')) : undefined;
}

const code = compile();
if (code === undefined) console.log('the compiler @yowasp/clang is absent: `pnpm install` brings it');

const weigh: Operation = { id: symbol, family, name: 'weigh', infer: ([x]) => [x!], traits: { call: (_params, [x]) => ({ symbol, integers: [x!.shape[0]!] }) } };

function weighOn(engine: CpuWasmEngine, ...x: readonly number[]): readonly number[] {
  const builder = new Builder();
  const y = applyOperation(weigh, [builder.input(tensorType('float64', [x.length])) as Var as Operand], {});
  const plan = compileProgram(builder.build(y as unknown as readonly Var[]), { kernels: engine.kernels });
  return engine.compile(plan).run([{ data: Float64Array.from(x), shape: [x.length] }]).flatMap((buffer) => [...(engine.read(buffer) as Float64Array)]);
}

describe.skipIf(code === undefined).each([{}, { memory: { shared: false } }, { debug: 'memory' }] as const)('a linked kernel, with %o', (options) => {
  it('finds its data, its functions and a stack; two engines have nothing in common', async () => {
    const module: WasmModule = { contract: 1, family, package: '@test/linked', version: '1.0.0', engine: 'cpu-wasm', code: code!, kernels: { [symbol]: { export: 'weigh' } } };
    const [engine, other] = [await createEngine({ ...options, modules: [module] }), await createEngine({ ...options, modules: [module] })];
    expect(weighOn(engine, 1, 2, 3, 4)).toEqual([2.5, 4.25, 8, 12]);
    expect(weighOn(engine, 1, 2, 3, 4)).toEqual([1, 1, 12, 32]);
    expect(weighOn(other, 1, 2, 3, 4)).toEqual([2.5, 4.25, 8, 12]);
    expect(() => weighOn(other, 1, 2, 3, 4, 5)).toThrow(expect.objectContaining({ name: 'KernelError', fields: { op: symbol, batchIndex: 4 } }));
  });
});
