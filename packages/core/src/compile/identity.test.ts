import { expect, it } from 'vitest';
import type { Program, Var } from '../contract.ts';
import { identityOperation, reshape, transpose } from '../primitives/movement.ts';
import { barrier } from '../primitives/stop-gradient.ts';
import { Builder } from '../program/builder.ts';
import { checkProgram } from '../program/check.ts';
import { evaluateProgram } from '../transform/evaluate.testing.ts';
import { tensorType } from '../types/tensor-type.ts';
import { forwardIdentities } from './identity.ts';

const v = (x: unknown): Var => x as Var;

/** Whether the value comes back as it was put in; its elements do in any case as the program says. */
function isForwarded(f: (x: Var, builder: Builder) => Var): boolean {
  const builder = new Builder();
  const x = builder.input(tensorType('float64', [2, 2, 2]));
  const program: Program = builder.build([f(x, builder)]);
  const forwarded = forwardIdentities(program);
  checkProgram(forwarded);
  const values = [{ dtype: 'float64', shape: [2, 2, 2], data: [1, 2, 3, 4, 5, 6, 7, 8] }] as const;
  expect(evaluateProgram(forwarded, values)).toEqual(evaluateProgram(program, values));
  return forwarded.outputs[0] === x;
}

it('uses what was rearranged and rearranged back, through identities too', () => {
  expect(isForwarded((x) => v(transpose(v(transpose(x, [1, 2, 0])), [2, 0, 1])))).toBe(true);
  expect(isForwarded((x) => v(reshape(v(reshape(x, [8])), [2, 2, 2])))).toBe(true);
  expect(isForwarded((x, builder) => v(transpose(builder.emit(identityOperation, [transpose(builder.emit(identityOperation, [x], {})[0] as Var, [1, 0, 2])], {})[0] as Var, [1, 0, 2])))).toBe(true);
  expect(isForwarded((x) => v(transpose(v(reshape(v(reshape(v(transpose(x, [1, 0, 2])), [4, 2])), [2, 2, 2])), [1, 0, 2])))).toBe(true);
});

it('leaves what is rearranged twice and lies otherwise then', () => {
  expect(isForwarded((x) => v(transpose(v(transpose(x, [1, 2, 0])), [1, 2, 0])))).toBe(false);
  expect(isForwarded((x) => v(reshape(v(transpose(x, [2, 1, 0])), [2, 2, 2])))).toBe(false);
  expect(isForwarded((x) => v(transpose(v(barrier(v(transpose(x, [1, 0, 2])))), [1, 0, 2])))).toBe(false);
});
