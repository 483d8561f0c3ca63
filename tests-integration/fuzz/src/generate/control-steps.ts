import { add, Builder, checkpoint, cond, conj, createCatalog, customJvp, customVjp, fori, greater, less, listenerKey, maximum, mul, type Operand, type Operation, type Program, reshape, scan, slice, sub, sum, switchCase, tensor, whileLoop } from '@tf/core';
import { fitting, float, numeric, ranked, rankOf, sameDType, sameShape, shapeOf, type Steer, step, type StepKind, type Take } from './step.ts';

type Rows = readonly [Operand, Operand];

const integer: Take = ({ dtype }) => dtype === 'int32';
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
  while: step([integer], counted, 4),
  customVjp: step([float, sameShape(sameDType(float))], withVjp, 4),
  customJvp: step([float, sameShape(sameDType(float))], withJvp, 4),
  customVjpTangent: step([float, sameShape(sameDType(float))], vjpTangent, 3),
  'a loop over two values': step([numeric, sameShape(sameDType(numeric))], ([x, y], steer) => fori(1 + (steer.n % 3), (_i, [a, b]: Rows): Rows => [b, mixed(a, b, steer)], [x, y] as unknown as Rows)[steer.m % 2] as Operand, 3),
};

const o = (x: unknown): Operand => x as Operand;

/** As long as a count is below a number: of integers, whose loops reverse mode need not know. */
function counted([x]: readonly Operand[], { n, m }: Steer): Operand {
  const below = n % 5;
  const start = tensor(Int32Array.of(0)).reshape([]) as Operand;
  return (whileLoop(([i]: Rows) => less(i, below), ([i, y]: Rows): Rows => [o(add(i, 1)), o(m % 2 === 0 ? sub(i, y) : maximum(y, i))], [start, x] as unknown as Rows) as Rows)[1];
}

/** x·y − x, with rules of its own. */
function product(a: Operand, b: Operand): Operand {
  return o(sub(mul(a, b), a));
}

function withVjp([x, y]: readonly Operand[]): Operand {
  const f = customVjp(product, { vjp: ({ inputs: [a, b] }, ct) => [o(mul(ct, conj(sub(b, 1)))), o(mul(ct, conj(a)))] });
  return f(x as Operand, y as Operand);
}

function withJvp([x, y]: readonly Operand[]): Operand {
  const f = customJvp(product, { jvp: ({ inputs: [a, b] }, [da, db]) => o(add(mul(da, sub(b, 1)), mul(db, a))) });
  return f(x as Operand, y as Operand);
}

/** What the tangents of x² are made with, applied by itself: 2·x·dx. */
function vjpTangent(operands: readonly Operand[]): Operand {
  const program = (f: (a: Operand, b: Operand) => Operand): Program => {
    const builder = new Builder();
    return builder.build([f(...(operands.map(({ type }) => builder.input(type)) as unknown as [Operand, Operand])) as never]);
  };
  const body = program((a, da) => o(mul(da, mul(a, 2))));
  const rule = program((a, ct) => o(mul(ct, conj(mul(a, 2)))));
  const [, y] = operands as readonly [Operand, Operand];
  return (y[listenerKey].apply(tangentOperation, operands, { body, rule, primals: 1 }) as readonly Operand[])[0] as Operand;
}

const tangentOperation = createCatalog().operation('tf.core.customVjpTangent') as Operation;

function chosen(y: Operand, n: number): Operand {
  return switchCase(tensor(Int32Array.of((n % 4) - 1)).reshape([]), [(a: Operand) => a, (a: Operand) => add(a, a) as Operand, (a: Operand) => sub(a, 1) as Operand], y);
}
