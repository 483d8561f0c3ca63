import { Builder, compileProgram, exp, matmul, mul, sum, add, tensorType } from '@tf/core';
import { expect, test } from 'vitest';
import { createEngineSync } from './index.ts';

test('runs a program of loops, folds and products', () => {
  const engine = createEngineSync({ threads: 1 });
  const builder = new Builder();
  const x = builder.input(tensorType('float64', [3, 4]), 'x');
  const y = builder.input(tensorType('float64', [4, 2]), 'y');
  const product = matmul(x, y);
  const total = sum(mul(exp(product), 2));
  const executable = engine.compile(compileProgram(builder.build([product, add(total, 1), total])));
  const a = Float64Array.from({ length: 12 }, (_, i) => i / 10);
  const b = Float64Array.from({ length: 8 }, (_, i) => 1 - i / 5);
  const [p, q] = executable.run([{ data: a, shape: [3, 4] }, { data: b, shape: [4, 2] }]);
  const expected = Float64Array.from({ length: 6 }, (_, at) => [0, 1, 2, 3].reduce((s, k) => s + a[4 * Math.floor(at / 2) + k]! * b[2 * k + (at % 2)]!, 0));
  engine.read(p!).forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 12));
  expect(engine.read(q!)[0]).toBeCloseTo(1 + expected.reduce((s, v) => s + 2 * Math.exp(v), 0), 10);
});
