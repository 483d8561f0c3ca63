// What pages and workers do: a gradient through an inverse, by kernels whose code the engine fetches.
import { AdContext, createCatalog, sum, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { inv, linalgExtension } from '@tf/linalg';
import { linalgWasm } from '@tf/linalg/cpu-wasm';
import { evaluate, grad } from '@tf/traced';

const work = async () => {
  const bare = await createEngine();
  const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
  const first = evaluate(grad((x) => sum(x.mul(x)))(tensor([1, 2, 3])), bare).toArray();
  const engine = await createEngine({ modules: [...linalgWasm('float64')] });
  const slope = evaluate(grad((x) => sum(inv(x)), { context })(tensor([[2, 0], [0, 4]])), engine).toArray();
  return { first, slope, isolated: globalThis.crossOriginIsolated === true, sharedMemory: engine.info.sharedMemory };
};

/** What happened, as JSON. */
export const outcome = () => work().catch(({ name, message, stack }) => ({ error: { name, message: message ?? stack } }));
