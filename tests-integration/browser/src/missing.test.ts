import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Trains two numbers with the built packages in a process that lacks something from the start. */
function runWithout(global: string, wanted: string): string {
  const text = `
    delete globalThis.${global};
    const { tensor, convert } = await import('@tf/core');
    const { createEngine } = await import('@tf/engine-cpu-wasm');
    const { grad, jit } = await import('@tf/traced');
    const { EagerRuntime } = await import('@tf/eager');
    try {
      const engine = await createEngine();
      const f = (x) => x.mul(x).add(1).sum();
      const runtime = new EagerRuntime();
      const w = runtime.variable([1, 2]);
      runtime.session(engine, () => f(w).backward());
      const counted = jit((i) => i.add(1), { engine })(tensor(Int32Array.of(1, 2)));
      console.log(JSON.stringify([jit(grad(f), { engine })(tensor([1, 2])).toArray(), w.grad.toArray(), counted.toArray(), ${wanted}]));
    } catch (error) { console.log(error.name + ': ' + error.message); }`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8', cwd: new URL('.', import.meta.url) });
  return stdout.trim() || stderr;
}

test('without BigInt64Array from the start everything but int64 works', () => {
  expect(runWithout('BigInt64Array', 'typeof BigInt64Array')).toBe('[[2,4],[2,4],[2,3],"undefined"]');
});

test('without SharedArrayBuffer the memory is plain', () => {
  expect(runWithout('SharedArrayBuffer', 'engine.info.sharedMemory')).toBe('[[2,4],[2,4],[2,3],false]');
});

test('without WebAssembly there is one typed error', () => {
  expect(runWithout('WebAssembly', '0')).toMatch(/^EngineUnavailableError: cpu-wasm: this JavaScript engine has no WebAssembly\. Use a current browser/);
});
