// A kernel whose code the engine fetches: as a module of a package names it, by a URL.
import { applyOperation, Builder, compileProgram, tensorType } from '@tf/core';
import { createEngine, createEngineSync } from '@tf/engine-cpu-wasm';

const family = 'test.signal.v1';
const symbol = `${family}.decay.float64`;
const decay = { id: `${family}.decay`, family, name: 'decay', infer: ([x]) => [x], traits: { call: () => ({ symbol, integers: [1, 3] }) } };
const moduleFrom = (url) => ({ contract: 1, family, package: '@test/signal', version: '1.0.0', engine: 'cpu-wasm', code: new URL(url, import.meta.url), kernels: { [symbol]: { export: 'decay_f64', tables: () => Float64Array.of(0.5) } } });

const valuesOn = (engine) => {
  const builder = new Builder();
  const y = applyOperation(decay, [builder.input(tensorType('float64', [1, 3]), 'x')], {});
  const [result] = engine.compile(compileProgram(builder.build(y), { kernels: engine.kernels })).run([{ data: Float64Array.of(1, 0, 4), shape: [1, 3] }]);
  return [...engine.read(result)];
};

const errorOf = async (work) => Promise.resolve().then(work).then(() => undefined, ({ name, message }) => ({ name, message }));

const outcome = async () => {
  const engines = [];
  for (const url of ['/kernels/decay.wasm', '/kernels/as-text.wasm']) engines.push(await createEngine({ modules: [moduleFrom(url)] }));
  return {
    values: engines.map(valuesOn),
    sharedMemory: engines[0].info.sharedMemory,
    sync: await errorOf(() => createEngineSync({ modules: [moduleFrom('/kernels/decay.wasm')] })),
    page: await errorOf(() => createEngine({ modules: [moduleFrom('/kernels.html')] })),
  };
};

await fetch('/outcome', { method: 'POST', body: JSON.stringify(await outcome().catch(({ name, message }) => ({ error: { name, message } }))) });
