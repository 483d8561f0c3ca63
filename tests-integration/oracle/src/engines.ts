import type { Engine } from '@tf/core';
import { fftWasm } from '@tf/fft/cpu-wasm';
import { fftHost } from '@tf/fft/host';
import { linalgWasm } from '@tf/linalg/cpu-wasm';
import { linalgHost } from '@tf/linalg/host';
import { existsSync } from 'node:fs';

/** The family's own kernels where they were built, else those in JavaScript. */
function fourierModule(): ReturnType<typeof fftWasm> | ReturnType<typeof fftHost> {
  const own = fftWasm();
  return existsSync(own.code as URL) ? own : fftHost();
}

function linearModules(): readonly (ReturnType<typeof linalgHost> | ReturnType<typeof linalgWasm>[number])[] {
  const own = linalgWasm();
  return own.every(({ code }) => existsSync(code as URL)) ? own : [linalgHost()];
}

/** How an engine of this name is made: one line for each that the runner may be asked for. */
const engines: Readonly<Record<string, () => Promise<Engine>>> = Object.freeze({
  'cpu-wasm': async () => (await import('@tf/engine-cpu-wasm')).createEngine({ modules: [fourierModule(), ...linearModules()] }),
  'cpu-wasm-host': async () => (await import('@tf/engine-cpu-wasm')).createEngine({ modules: [fftHost(), linalgHost()] }),
});

/** Throws when there is no such engine, or it cannot be made here. */
export async function openEngine(name: string): Promise<Engine> {
  const open = Object.hasOwn(engines, name) ? engines[name] : undefined;
  if (open === undefined) throw new Error(`the runner knows ${Object.keys(engines).join(', ')}`);
  return open();
}

export interface RunCounter {
  runs: number;
}

/** Counts the runs of whatever the engine compiles from now on. The engine stays the same object: buffers refer to it. */
export function countRuns(engine: Engine): RunCounter {
  const counter: RunCounter = { runs: 0 };
  const compile = engine.compile.bind(engine);
  const counted: Engine['compile'] = (plan) => {
    const executable = compile(plan);
    return {
      plan: executable.plan,
      run(inputs) {
        counter.runs++;
        return executable.run(inputs);
      },
    };
  };
  Object.defineProperty(engine, 'compile', { value: counted });
  return counter;
}
