import { expect, test } from 'vitest';
import { concat } from '../primitives/slicing.ts';
import { ones, tensor } from '../tensor/create.ts';
import { Builder } from './builder.ts';

test('a host tensor made of 300 000 others is lifted', { timeout: 60_000 }, () => {
  const builder = new Builder();
  const x = builder.input(tensor([1]).type);
  const many = concat(Array.from({ length: 300_000 }, () => ones([1])), 0);
  const program = builder.build([concat([x, many], 0) as never]);
  expect(program.instructions.at(-1)?.inputs.length).toBe(2);
  expect(program.outputs[0]?.type.shape).toEqual([300_001]);
});
