/**
 * Speed of the product of matrices beside a loop of the same arithmetic that touches no memory: `scripts/kernels-bench.mjs`.
 * Prints a line per case: microseconds and GFLOP/s, and the share of that loop's speed; a complex product and sum are four real ones.
 */
import { type DType, rowMajorStrides, tensorType, type Plan } from '@tf/core';
import { type Code, doWhile, get, i32, instr, load, type Local, set, store, sub } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import { ModuleBuilder } from '../../encoder/module.ts';
import { createEngineSync } from '../../index.ts';
import { contractPlan, planOf, viewOf } from '../../testing/plans.ts';
import { randomValues } from '../../testing/values.ts';
import { accumulate, addVectors, shapeOf } from './arithmetic.ts';
import { blockingOf } from './blocking.ts';

interface Case {
  readonly name: string;
  readonly flops: number;
  readonly plan: (dtype: DType) => Plan;
}

type FloatDType = 'float32' | 'float64';

const engine = createEngineSync();
const milliseconds = Number(process.argv[2] ?? 60);

/** Processor time, which other processes take nothing of, unlike the clock's. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The best of several windows: a shared machine only ever adds time. */
function secondsPer(run: () => void): number {
  const timed = (count: number): number => {
    const start = processorSeconds();
    for (let i = 0; i < count; i++) run();
    return processorSeconds() - start;
  };
  let count = 1;
  for (let warm = 0; warm < 2; ) {
    if (timed(count) > milliseconds / 4e3) warm++;
    else count *= 2;
  }
  return Math.min(...Array.from({ length: 8 }, () => timed(count) / count));
}

/**
 * GFLOP/s of products and sums on values that stay in registers: thirteen chains, x ← x·a + b where product and sum
 * are rounded apart (no product occurs twice, so V8 can share none), x ← x + a·b where together.
 */
function peak(dtype: FloatDType, fused: boolean): number {
  const blocking = blockingOf(dtype, fused);
  const module = new ModuleBuilder({ maximumPages: 1, shared: false });
  const scope = new FunctionScope(['i32']);
  const chains = scope.locals('v128', 13);
  const [factor, term] = scope.locals('v128', 2) as readonly Local[] as readonly [Local, Local];
  const count = scope.parameter(0);
  const start = [...chains, factor, term].map((local, i) => set(local, load('v128.load', i32(16 * i))));
  const fusedStep = (chain: Local): Code => accumulate(blocking, chain, get(factor), get(term));
  const apart = (chain: Local): Code => set(chain, addVectors(blocking, instr(`${shapeOf(blocking)}.mul`, get(chain), get(factor)), get(term)));
  const keep = chains.map((chain, i) => store('v128.store', i32(16 * i), get(chain)));
  const round = chains.map(fused ? fusedStep : apart);
  module.exportFunction('run', module.addFunction(scope, [start, doWhile([round, set(count, sub(get(count), i32(1)))], get(count)), keep]));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
  const run = new WebAssembly.Instance(new WebAssembly.Module(module.encode() as Uint8Array<ArrayBuffer>), { env: { memory } }).exports.run as (count: number) => void;
  const rounds = 20000;
  return (2 * blocking.lanes * chains.length * rounds) / secondsPer(() => run(rounds)) / 1e9;
}

/** A batch of products with one right side for all of them. */
function sharedRight(dtype: DType, batch: number, n: number): Plan {
  return planOf({
    inputs: [tensorType(dtype, [batch, n, n]), tensorType(dtype, [n, n])],
    outputs: [tensorType(dtype, [batch, n, n])],
    steps: [{ kind: 'contract', dtype, batch: [batch], m: n, n, k: n, lhs: viewOf(0, rowMajorStrides([batch, n, n])), rhs: viewOf(1, [0, n, 1]), out: viewOf(2, rowMajorStrides([batch, n, n])) }],
  });
}

const square = (n: number): Case => ({ name: `${n}³`, flops: 2 * n ** 3, plan: (dtype) => contractPlan({ dtype, m: n, n, k: n }) });
const product = (m: number, k: number, n: number, orders: Pick<Parameters<typeof contractPlan>[0], 'lhs' | 'rhs' | 'out'> = {}): Case => ({
  name: `(${m}×${k})·(${k}×${n})${Object.entries(orders).map(([operand]) => ` ${operand}ᵀ`).join('')}`,
  flops: 2 * m * k * n,
  plan: (dtype) => contractPlan({ dtype, m, k, n, ...orders }),
});

const cases: readonly Case[] = [
  ...[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map(square),
  { ...product(512, 512, 512, { lhs: 'columns', rhs: 'columns' }) },
  product(1000, 1000, 1), product(1000, 1000, 1, { lhs: 'columns' }),
  product(1, 1000, 1000), product(1, 1000, 1000, { rhs: 'columns' }),
  product(1, 100000, 1), product(1000, 1, 1000),
  product(128, 784, 512), product(784, 128, 512, { lhs: 'columns' }), product(128, 512, 784, { rhs: 'columns' }),
  product(16, 512, 512), product(16, 512, 512, { rhs: 'columns' }), product(32, 512, 512), product(512, 512, 16), product(512, 512, 32), product(512, 512, 32, { lhs: 'columns' }), product(333, 222, 10), product(10, 333, 222), product(333, 4, 3),
  { name: 'batch 64 of 64³', flops: 64 * 2 * 64 ** 3, plan: (dtype) => contractPlan({ dtype, batch: [64], m: 64, n: 64, k: 64 }) },
  { name: 'batch 64 of 64³, rhs shared', flops: 64 * 2 * 64 ** 3, plan: (dtype) => sharedRight(dtype, 64, 64) },
  { name: 'batch 1000 of 4³', flops: 1000 * 2 * 4 ** 3, plan: (dtype) => contractPlan({ dtype, batch: [1000], m: 4, n: 4, k: 4 }) },
];

const dtypes = ['float32', 'float64', 'complex64', 'complex128'] as const;
const fused = engine.info.numerics.includes('fused');
const [single, double] = [peak('float32', fused), peak('float64', fused)];
const peaks = { float32: single, float64: double, complex64: single, complex128: double };
console.log(`node ${process.version}, ${engine.info.numerics}; peak of the loop in registers: float32 ${peaks.float32.toFixed(1)}, float64 ${peaks.float64.toFixed(1)} GFLOP/s`);
console.log(`| case | ${dtypes.map((dtype) => `${dtype} µs | GFLOP/s | of peak`).join(' | ')} |\n| --- | ${dtypes.map(() => '--- | --- | ---').join(' | ')} |`);
const wanted = cases.filter(({ name }) => name.includes(process.argv[3] ?? ''));
for (const { name, flops, plan } of wanted) {
  const columns = dtypes.flatMap((dtype) => {
    const executable = engine.compile(plan(dtype));
    const inputs = executable.plan.inputs.map(({ shape }) => {
      const extents = shape as readonly number[];
      return engine.upload(dtype, extents, randomValues(dtype, extents.reduce((a, b) => a * b, 1)));
    });
    const seconds = secondsPer(() => executable.run(inputs)[0]!.dispose());
    for (const input of inputs) input.dispose();
    const speed = ((dtype.startsWith('complex') ? 4 : 1) * flops) / seconds / 1e9;
    return [(seconds * 1e6).toFixed(1), speed.toFixed(2), `${((100 * speed) / peaks[dtype]).toFixed(0)} %`];
  });
  console.log(`| ${name} | ${columns.join(' | ')} |`);
}
