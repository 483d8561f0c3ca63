import { add, Builder, mul, type Operand, pow, type Program, stopGradient, sub, tanh, tensorType } from '@tf/core';
import { hostValue } from '@tf/testkit';
import { expect, test } from 'vitest';
import { mutants } from '../mutants.testing.ts';
import { createSubject } from '../subject.ts';
import { checkAdjoint, checkDifferences, checkSecondOrder, pointOf } from './derivatives.ts';

/** (1 + 0.45 tanh x)^(y − stop(y) + k): an exponent that is k here, and varies. */
function powerBeside(k: number): Program {
  const builder = new Builder();
  const [x, y] = [builder.input(tensorType('float64', [2])), builder.input(tensorType('float64', [2]))];
  const base = add(mul(tanh(x), 0.45), 1) as Operand;
  return builder.build([pow(base, add(sub(y, stopGradient(y)), k)) as never]);
}

const inputs = [hostValue('float64', [2], [0.5, -0.75]), hostValue('float64', [2], [1.5, 0.25])];

test.each([-1, 0, 1, 2])('powers beside %d have the second derivatives that differences give', (k) => {
  expect(checkSecondOrder(createSubject(), pointOf(powerBeside(k), inputs, 11))).toEqual({ kind: 'agrees' });
});

test('a slope that forgets an exponent of 0 is right to first order and found in the second', () => {
  const mutant = mutants.find(({ check }) => check === 'second order') as (typeof mutants)[number];
  const subject = createSubject(mutant.subject());
  const point = pointOf(powerBeside(0), inputs, 11);
  expect([checkDifferences(subject, point).kind, checkAdjoint(subject, point).kind]).toEqual(['agrees', 'agrees']);
  expect(checkSecondOrder(subject, point)).toMatchObject({ kind: 'disagrees', what: expect.stringMatching(/^the tangent of the gradient of output/) });
});
