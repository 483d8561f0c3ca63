import { add, mul } from '@tf/core';
import { EagerRuntime, type EagerTensor } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';

/** Seconds for a chain of `count` operations: forward, backward, disposal. */
interface Times {
  readonly forward: number;
  readonly backward: number;
  readonly disposal: number;
}

const runtime = new EagerRuntime();
const engine = await createEngine();

function chain(count: number): Times {
  return runtime.session(engine, () => {
    const x = runtime.variable(1);
    const tensors: EagerTensor[] = [];
    const started = performance.now();
    let y: EagerTensor<'float64'> = x;
    for (let step = 0; step < count / 2; step++) {
      const small = mul(y, 1e-6);
      y = add(y, small);
      tensors.push(small, y);
    }
    const recorded = performance.now();
    y.backward();
    const differentiated = performance.now();
    const expected = Math.pow(1 + 1e-6, count / 2);
    if (Math.abs((x.grad?.item() ?? 0) / expected - 1) > 1e-9) throw new Error(`the gradient is ${String(x.grad)} instead of ${expected}`);
    const checked = performance.now();
    for (const tensor of tensors) tensor.dispose();
    x.dispose();
    const disposed = performance.now();
    return { forward: recorded - started, backward: differentiated - recorded, disposal: disposed - checked };
  });
}

type Phase = keyof Times;
const phases = ['forward', 'backward', 'disposal'] as const;

/** The least that a phase ever took: what other programs take away comes on top. */
function least(runs: readonly Times[], phase: Phase): number {
  return runs.reduce((best, times) => Math.min(best, times[phase]), Infinity);
}

/** Settled: within the bar's middle, and no other than without the latest pair. */
function isSettled(short: readonly Times[], long: readonly Times[]): boolean {
  const ratio = (count: number, phase: Phase): number => least(long.slice(0, count), phase) / least(short.slice(0, count), phase);
  return phases.every((phase) => {
    const [now, before] = [ratio(short.length, phase), ratio(short.length - 1, phase)];
    return now > 1.7 && now < 2.4 && Math.abs(now - before) < 0.1;
  });
}

/**
 * Pairs of both lengths in turn, so that whatever slows the machine slows both, until the ratios of the minima have settled
 * or the time is over. Which length goes first alternates: what grows while the program runs burdens neither.
 */
const [, , budget] = process.argv;
const end = performance.now() + Number(budget);
const [short, long]: readonly [Times[], Times[]] = [[], []];
chain(10_000);
for (let pair = 0; pair < 3 || (performance.now() < end && !isSettled(short, long)); pair++) {
  for (const isLong of pair % 2 === 0 ? [false, true] : [true, false]) (isLong ? long : short).push(chain(isLong ? 100_000 : 50_000));
}
console.log(JSON.stringify({ pairs: short.length, ratios: Object.fromEntries(phases.map((phase) => [phase, least(long, phase) / least(short, phase)])) }));
