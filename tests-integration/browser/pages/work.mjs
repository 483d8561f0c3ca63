// What pages and workers do: the core of examples/penguins, from its own source.
import { AdContext, createCatalog } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createEagerTrainer } from '@tf/example-penguins/eager.ts';
import { initialise } from '@tf/example-penguins/model.ts';
import { splitPenguins } from '@tf/example-penguins/split.ts';
import { createTracedFunctions } from '@tf/example-penguins/traced.ts';

const steps = 60;

const bits = ({ buffer, byteOffset, byteLength }) => [...new Uint8Array(buffer, byteOffset, byteLength)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const bitsOf = (parameters) => Object.fromEntries(Object.entries(parameters).map(([name, values]) => [name, bits(values)]));

const trainAs = async (trainer) => {
  const first = await trainer.losses();
  trainer.step();
  const gradient = bitsOf(await trainer.gradient());
  for (let done = 1; done < steps; done++) trainer.step();
  return { first, last: await trainer.losses(), gradient, parameters: bitsOf(await trainer.parameters()) };
};

const train = async () => {
  const engine = await createEngine();
  const context = new AdContext({ catalog: createCatalog() });
  const penguins = await (await fetch('/penguins.json')).json();
  const split = splitPenguins(penguins, 1);
  const start = initialise(1);
  const functions = createTracedFunctions(engine, context);
  const traced = await trainAs(functions.trainer(split, start));
  const eager = await trainAs(createEagerTrainer(engine, context, split, start));
  const { name, sharedMemory, threads } = engine.info;
  return { info: { name, sharedMemory, threads }, isolated: globalThis.crossOriginIsolated === true, traced, eager, memory: String(engine.memory()) };
};

/** What happened, as JSON. */
export const outcome = () => train().catch(({ name, code, message }) => ({ error: { name, code, message } }));
