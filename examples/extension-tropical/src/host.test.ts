import { Builder, compileProgram, type DType, type Plan, tensorType } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { expect, test } from 'vitest';
import { tropicalHost } from './host.ts';
import { tropicalMatmul } from './index.ts';

const withKernel = await createEngine({ modules: [tropicalHost] });
const without = await createEngine();

function planOf(dtype: DType, kernels?: ReadonlySet<string>): Plan {
  const builder = new Builder();
  const [a, b] = [builder.input(tensorType(dtype, [2, 3, 4]), 'a'), builder.input(tensorType(dtype, [2, 4, 5]), 'b')];
  const c = tropicalMatmul(a, b);
  const [instruction] = builder.build([c]).instructions;
  return compileProgram(builder.build([...instruction!.outputs]), kernels === undefined ? {} : { kernels });
}

/** Numbers of few digits, so that sums meet, and some NaN and infinities. */
const values = (length: number, step: number): number[] => Array.from({ length }, (_, i) => (i % 11 === 7 ? [NaN, Infinity, -Infinity][(i * step) % 3]! : ((i * step) % 7) / 10));

test.each(['float64', 'float32'] as const)('the kernel gives the bits of the lowered product: %s', (dtype) => {
  const [own, lowered] = [planOf(dtype, withKernel.kernels), planOf(dtype)];
  expect(own.steps.map(({ kind }) => kind)).toEqual(['call']);
  expect(lowered.steps.some(({ kind }) => kind === 'call')).toBe(false);
  const array = dtype === 'float64' ? Float64Array : Float32Array;
  const inputs = [{ data: array.from(values(24, 5)), shape: [2, 3, 4] }, { data: array.from(values(40, 3)), shape: [2, 4, 5] }];
  const results = [withKernel, without].map((engine, i) => engine.compile(i === 0 ? own : lowered).run(inputs).map((output) => [...engine.read(output)]));
  expect(results[0]).toEqual(results[1]);
});
