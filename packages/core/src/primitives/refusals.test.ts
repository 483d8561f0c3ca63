import { expect, it } from 'vitest';
import { getAt } from '../compositions/at.ts';
import { stack } from '../compositions/arrangement.ts';
import { isTfError } from '../errors.ts';
import { tensor } from '../tensor/create.ts';
import { requireText } from '../types/argument.ts';
import { constrain } from './constrain.ts';
import { iotaBeside } from './iota.ts';

function said(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isTfError(error)) return `${error.name} ${error.message}`;
    throw error;
  }
  return 'nothing';
}

const x = tensor([1, 2]);
const wrong = (value: unknown): never => value as never;

it.each<readonly [string, () => unknown, string]>([
  ['stack([])', () => stack([]), 'ArgumentError stack: tensors is an empty list; it takes a list of at least one tensor'],
  ['stack(x)', () => stack(wrong(x)), 'ArgumentError stack: tensors is a tensor f64[2]; it takes a list of at least one tensor'],
  ['indices []', () => getAt(x, []), 'ArgumentError getAt: indices is an empty list; it takes a list of 1 to 1 index tensors'],
  ['an empty text', () => requireText('compile', 'name', ''), 'ArgumentError compile: name is an empty string; it takes a text that is not empty'],
  ['constrain(x, {})', () => constrain(x, wrong({})), 'ArgumentError constrain: constraints is an Object; it takes a list of constraints'],
  ['constrain(x)', () => constrain(x, wrong(undefined)), 'ArgumentError constrain: constraints is undefined; it takes a list of constraints'],
  ['constrain(x, [null])', () => constrain(x, [wrong(null)]), 'ArgumentError constrain: constraints[0] is null; it takes a constraint: { left, right, reason }'],
  ['constrain(x, [{}])', () => constrain(x, [wrong({})]), 'ArgumentError constrain: constraints[0] is an Object; it takes a constraint'],
  ['constrain(x, [another relation])', () => constrain(x, [wrong({ left: 1, right: 1, relation: 'less', reason: 'r' })]), 'ArgumentError constrain: constraints[0] is an Object'],
  ['constrain([1])', () => constrain(wrong([1]), []), 'ArgumentError constrain: x is an array, not a tensor'],
  ['iotaBeside(x)', () => iotaBeside(wrong(x), wrong(undefined), 2), 'ArgumentError iotaBeside: op is a tensor f64[2]; it takes a text'],
  ['iotaBeside(op)', () => iotaBeside('f', wrong(undefined), 2), 'ArgumentError f: beside is undefined, not a tensor'],
  ['iotaBeside without a size', () => iotaBeside('f', x, wrong(undefined)), 'ArgumentError f: size is undefined; it takes an extent'],
  ['constrain(x, []): nothing to refuse', () => constrain(x, []), 'nothing'],
])('%s says what is wrong in the words of the caller', (_, run, says) => {
  expect(said(run).slice(0, says.length)).toBe(says);
});
