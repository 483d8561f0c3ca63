import { add, checkpoint, cond, fori, greater, maximum, mul, type Operand, reshape, scan, slice, sub, sum, switchCase, tensor } from '@tf/core';
import { fitting, float, numeric, ranked, rankOf, sameDType, sameShape, shapeOf, type Steer, step, type StepKind, type Take } from './step.ts';

type Rows = readonly [Operand, Operand];

const filled: Take = (type, chosen) => ranked(numeric)(type, chosen) && type.shape[0] !== 0;

function firstRow(x: Operand): Operand {
  const shape = shapeOf(x);
  return reshape(slice(x, shape.map(() => 0), [1, ...shape.slice(1)]), shape.slice(1)) as Operand;
}

/** Bounded, so that a carry stays of ordinary size: for floats by tanh, else by what came in. */
function mixed(carry: Operand, row: Operand, { n, constant }: Steer): Operand {
  const next = n % 3 === 0 ? sub(row, carry) : n % 3 === 1 ? maximum(carry, row) : add(mul(carry, constant > 0 ? 0.5 : -1), row);
  return (next.type.dtype === carry.type.dtype ? next : add(carry, row)) as Operand;
}

function scanned(x: Operand, steer: Steer): Rows {
  const options = { reverse: steer.m % 2 === 1, ...(steer.m % 4 === 2 ? { checkpointEvery: 2 } : {}) };
  return scan((carry: Operand, row: Operand) => [mixed(carry, row, steer), mul(carry, row) as Operand] as const, firstRow(x), x, options) as unknown as Rows;
}

/** Kinds of steps that run programs, by the operation that they use; names with spaces say what they do. */
export const controlSteps: { readonly [name: string]: StepKind } = {
  scan: step([filled], ([x], steer) => scanned(x as Operand, steer)[steer.n % 2] as Operand, 5),
  'scan inside a scan': step([filled], ([x], steer) => scan((carry: Operand, row: Operand) => [rankOf(row) > 0 && shapeOf(row)[0] !== 0 ? carry : mixed(carry, row, steer), fori(2, (_i, y: Operand) => mixed(y, carry, steer), row)] as const, firstRow(x as Operand), x as Operand)[1], 3),
  branch: step([numeric], ([x], { n }) => chosen(x as Operand, n), 5),
  'cond by value': step([numeric], ([x], { n }) => cond(greater(sum(x as Operand), n - 8), (a: Operand) => sub(a, 1) as Operand, (a: Operand) => add(a, a) as Operand, x as Operand), 4),
  checkpoint: step([float, fitting(sameDType(float))], ([x, y]) => checkpoint((a: Operand) => sub(mul(a, y as Operand) as Operand, 1) as Operand)(x as Operand), 4),
  'a loop over two values': step([numeric, sameShape(sameDType(numeric))], ([x, y], steer) => fori(1 + (steer.n % 3), (_i, [a, b]: Rows): Rows => [b, mixed(a, b, steer)], [x, y] as unknown as Rows)[steer.m % 2] as Operand, 3),
};

function chosen(y: Operand, n: number): Operand {
  return switchCase(tensor(Int32Array.of((n % 4) - 1)).reshape([]), [(a: Operand) => a, (a: Operand) => add(a, a) as Operand, (a: Operand) => sub(a, 1) as Operand], y);
}
