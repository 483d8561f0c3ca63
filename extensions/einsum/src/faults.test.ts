import { Builder, type DimConstraint, isTfError, type Operand, symbolicDim, type Shape, tensorType, type TfError } from '@tf/core';
import { expect, it } from 'vitest';
import { einsum } from './index.ts';

function thrown(run: () => unknown): TfError {
  try {
    run();
  } catch (error) {
    if (isTfError(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const operand = (shape: Shape, builder: Builder = new Builder()): Operand => builder.input(tensorType('float64', shape));

it.each<readonly [string, readonly (readonly number[])[], string]>([
  ['ij,jk->ik', [[2, 3], [3, 4]], 'operand 1 with the labels jk: A f64[3, 4] value of another builder'],
  ['ij,jk->i', [[2, 3], [3, 4]], 'operand 1 with the labels jk: A f64[3] value of another builder'],
  ['ij,jj->i', [[2, 3], [3, 3]], 'operand 1 with the labels jj: '],
  ['i,->i', [[2], []], 'operand 1: A f64[] value of another builder'],
  ['ij,kl,jk->il', [[2, 3], [4, 5], [3, 4]], 'operand 2 with the labels jk: A f64[3, 4] value of another builder'],
])('a value of another program in %s is named by equation, operand and labels', (equation, shapes, text) => {
  const builder = new Builder();
  const operands = shapes.map((shape, at) => (at === shapes.length - 1 ? operand(shape) : operand(shape, builder)));
  const error = thrown(() => einsum(equation, operands));
  expect(error.message).toContain(`einsum: in "${equation}", ${text}`);
  expect(error).toMatchObject({ name: 'ForeignValueError', fields: { op: 'einsum', equation, operand: shapes.length - 1, argument: `operand ${shapes.length - 1}`, labels: [...(equation.split('->')[0] as string).split(',').at(-1) as string] } });
});

it('and so is one in the list form, whose labels are numbers', () => {
  const [a, b] = [operand([2, 3]), operand([3, 4])];
  expect(thrown(() => einsum(a, [0, 11], b, [11, 2])).message).toContain('einsum: in "[0 11],[11 2]", operand 1 with the labels 11 2: ');
});

it('what is no tensor is named with its equation', () => {
  expect(thrown(() => einsum('i,i->', operand([3]), 3 as never)).message).toBe('einsum: operand 1 of "i,i->" is number 3, not a tensor. Wrap numbers and arrays: tensor(3).');
});

it('a size that is known when it is bound is named by equation, label, operands and axes', () => {
  const [n, m] = [symbolicDim('n'), symbolicDim('m')];
  const reasons = (equation: string, ...shapes: readonly Shape[]): readonly string[] => {
    const builder = new Builder();
    const { constraints } = builder.build([einsum(equation as string, shapes.map((shape) => builder.input(tensorType('float64', shape))))]);
    return [...new Set(constraints.map(({ reason }: DimConstraint) => reason))];
  };
  expect(reasons('ij,jk->ik', [2, n], [m, 4])).toEqual(['einsum: in "ij,jk->ik", label j, axis 1 of operand 0 (f64[2, n]) and axis 0 of operand 1 (f64[m, 4])']);
  expect(reasons('ij,jk,kl->il', [2, n], [m, 3], [3, 4])).toEqual(['einsum: in "ij,jk,kl->il", label j, axis 1 of operand 0 (f64[2, n]) and axis 0 of operand 1 (f64[m, 3])']);
  expect(reasons('ii->i', [n, m])).toEqual(['einsum: in "ii->i", label i, axis 0 of operand 0 (f64[n, m]) and axis 1 of operand 0 (f64[n, m])']);
  expect(reasons('i,i->i', [n], [3])).toEqual(['einsum: in "i,i->i", label i, axis 0 of operand 0 (f64[n]) and axis 0 of operand 1 (f64[3])']);
  expect(reasons('ij,jk->ik', [2, n], [n, 4])).toEqual([]);
});

it('what is known has no texts in the program: equal structures of two equations are one', () => {
  const n = symbolicDim('n');
  const paramsOf = (equation: string): unknown => {
    const builder = new Builder();
    return builder.build([einsum(equation, [builder.input(tensorType('float64', [2, n])), builder.input(tensorType('float64', [n, 4]))])]).instructions[0]?.params;
  };
  expect(paramsOf('ij,jk->ik')).toEqual(paramsOf('xy,yz->xz'));
});
