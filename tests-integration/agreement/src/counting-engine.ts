/** An engine with linalg's kernels in JavaScript, which counts how often each of them ran. */
import type { HostKernel } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { linalgHost } from '@tf/linalg/host';

export interface CountingEngine {
  readonly engine: Awaited<ReturnType<typeof createEngine>>;
  /** By the kernel's name without family and dtype. */
  readonly runs: Map<string, number>;
}

export async function countingEngine(): Promise<CountingEngine> {
  const runs = new Map<string, number>();
  const counted = (symbol: string, kernel: HostKernel): HostKernel => {
    const name = symbol.split('.').at(-2) as string;
    return { ...kernel, run: (call) => {
      runs.set(name, (runs.get(name) ?? 0) + 1);
      return kernel.run(call);
    } };
  };
  const host = linalgHost();
  const kernels = Object.fromEntries(Object.entries(host.kernels).map(([symbol, kernel]) => [symbol, counted(symbol, kernel)]));
  return { engine: await createEngine({ modules: [{ ...host, kernels }] }), runs };
}
