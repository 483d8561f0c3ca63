// A user of a third party's operation, in both modes. Its types are checked, and it is run.
import { logcosh, logcoshExtension } from '@acme/tf-logcosh';
import { AdContext, createCatalog, sum, tensor } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { grad, jit, type TracedTensor } from '@tf/traced';

const context = new AdContext({ catalog: createCatalog([logcoshExtension]) });
const engine = await createEngine();

const slope = jit((x: TracedTensor<'float64'>) => grad((v: TracedTensor<'float64'>) => sum(logcosh(v)), { context })(x), { engine, context });
const traced: unknown = slope(tensor([0, 1, -2])).toArray();

const runtime = new EagerRuntime({ context });
const x = runtime.variable([0, 1, -2]);
runtime.session(engine, () => sum(logcosh(x)).backward());
const eager: unknown = x.grad?.toArray();

const bare = new EagerRuntime();
const y = bare.variable([1]);
let refusal = '';
try {
  bare.session(engine, () => sum(logcosh(y)).backward());
} catch (error) {
  refusal = (error as Error).message;
}
console.log(JSON.stringify({ traced, eager, refusal }));
