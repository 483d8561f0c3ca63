import { add, applyOperation, Builder, checkpoint, cond, coreExtension, cos, customJvp, customVjp, fori, greater, type Kind, less, matmul, mul, type Operand, type Operation, type Program, scan, sin, sub, sum, switchCase, type Var, whileLoop } from '@tf/core';
import { hostValue } from '../values.ts';
import { complex, scalar, spread, vector } from './case-forms.ts';
import type { ExtensionCase } from './extension-suite.ts';

const v = (x: unknown): Var => x as Var;
type Truth = Operand<Kind, 'bool'>;

/** c ← sin(w·c + x), y = c·x. */
const recurrent = (w: Var, c: Var, xs: Var, options: object = {}): readonly Var[] => scan((carry: Var, x: Var) => [v(sin(v(add(mul(w, carry), x)))), v(mul(carry, x))] as const, c, xs, options) as readonly Var[];
const product = (c: Var, xs: Var): readonly Var[] => scan((carry: Var, x: Var) => [v(mul(carry, x)), v(add(carry, x))] as const, c, xs) as readonly Var[];

/** x·y and sin x, sin(x)·y: each with the derivative that it has anyway, written by hand. */
const ownReverse = customVjp((x: Var, y: Var) => [v(mul(x, y)), v(sin(x))] as const, {
  vjp: ({ inputs: [x, y] }, [product, sine]) => [v(add(mul(product, y), mul(sine, cos(x)))), v(mul(product, x))],
});
const ownForward = customJvp((x: Var, y: Var) => v(mul(sin(x), y)), {
  jvp: ({ inputs: [x, y] }, [dx, dy]) => v(add(mul(v(mul(dx, cos(x))), y), mul(dy, sin(x)))),
});

const tangentOf = coreExtension.operations.find(({ name }) => name === 'customVjpTangent') as Operation;

/** dx·cos x with its adjoint beside it, as the derivative of a function that has a rule. */
function ownTangent(x: Var, dx: Var): Var {
  const builder = new Builder();
  const at = builder.input(x.type);
  const program: Program = builder.build([v(mul(builder.input(dx.type), cos(at)))]);
  return v(applyOperation(tangentOf, [x, dx], { rule: program, body: program, primals: 1 })[0]);
}

const scans: readonly ExtensionCase[] = [
  { name: 'scan', f: (w, c, xs) => recurrent(w as Var, c as Var, xs as Var), inputs: [spread([2], 300), spread([2], 301), spread([3, 2], 302)] },
  { name: 'scan of known values', f: (c, xs) => product(c as Var, xs as Var), inputs: [scalar(2), vector(3, 5, 7)], expected: [scalar(210), vector(5, 11, 37)] },
  { name: 'scan in reverse', f: (c, xs) => scan((s: Var, x: Var) => [v(add(mul(s, 2), x)), s] as const, c as Var, xs as Var, { reverse: true }) as readonly Var[], inputs: [scalar(1), vector(1, 2, 3)], expected: [scalar(25), vector(12, 5, 1)] },
  { name: 'scan over nothing', f: (w, c, xs) => recurrent(w as Var, c as Var, xs as Var), inputs: [spread([2], 303), spread([2], 304), hostValue('float64', [0, 2], [])] },
  { name: 'scan in checkpoints', f: (w, c, xs) => recurrent(w as Var, c as Var, xs as Var, { checkpointEvery: 2 }), inputs: [spread([2], 305), spread([2], 306), spread([5, 2], 307)] },
  { name: 'scan of matrix products', f: (w, c) => scan((carry: Var) => [v(sin(v(matmul(w as Var, carry)))), carry] as const, c as Var, undefined, { length: 3 }) as readonly Var[], inputs: [spread([2, 2], 308), spread([2], 309)] },
  { name: 'scan of complex values', f: (c, xs) => product(c as Var, xs as Var), inputs: [complex([2], 310), complex([3, 2], 311)] },
  { name: 'scan whose carries change places', f: (a, b, xs) => scan(([x, y]: readonly [Var, Var], s: Var) => [[v(mul(y, s)), v(add(x, s))], []] as const, [a, b] as const, xs as Var)[0] as readonly Var[], inputs: [scalar(0.5), scalar(-1.5), spread([4], 312)] },
  { name: 'fori', f: (x) => fori(4, (i, y: Var) => v(sin(v(add(mul(y, 1.5), i)))), x as Var), inputs: [spread([3], 313)] },
];

const branches: readonly ExtensionCase[] = [
  { name: 'cond by value', f: (x, y) => v(cond(greater(sum(x as Var), 0) as Truth, (a: Var) => v(mul(a, y as Var)), (a: Var) => v(sub(a, y as Var)), x as Var)), inputs: [vector(1, 2), vector(3, 4)], expected: [vector(3, 8)] },
  { name: 'cond that does not hold', f: (x, y) => v(cond(greater(sum(x as Var), 0) as Truth, (a: Var) => v(mul(a, y as Var)), (a: Var) => v(sub(a, y as Var)), x as Var)), inputs: [vector(1, -2), vector(3, 4)], expected: [vector(-2, -6)] },
  { name: 'switchCase', f: (i, x) => switchCase(i as Operand, [(a: Var) => a, (a: Var) => v(mul(a, a)), (a: Var) => v(cos(a))], x as Var), inputs: [hostValue('int32', [], [1]), spread([3], 314)] },
  { name: 'switchCase beyond its end', f: (i, x) => switchCase(i as Operand, [(a: Var) => a, (a: Var) => v(cos(a))], x as Var), inputs: [hostValue('int32', [], [7]), spread([3], 315)] },
];

const others: readonly ExtensionCase[] = [
  { name: 'checkpoint', f: (x, y) => checkpoint((a: Var) => v(sin(v(mul(v(mul(a, a)), y as Var)))))(x as Var), inputs: [spread([3], 316), spread([3], 317)] },
  { name: 'customVjp', f: (x, y) => ownReverse(x as Var, y as Var), inputs: [spread([3], 318), spread([3], 319)] },
  { name: 'customVjp in a scan', f: (c, xs) => scan((s: Var, x: Var) => ownReverse(s, x), c as Var, xs as Var) as readonly Var[], inputs: [spread([2], 320), spread([3, 2], 321)] },
  { name: 'customJvp', f: (x, y) => ownForward(x as Var, y as Var), inputs: [spread([3], 322), spread([3], 323)] },
  { name: 'tangents of a customVjp', f: (x, dx) => ownTangent(x as Var, dx as Var), inputs: [spread([3], 324), spread([3], 325)] },
  { name: 'whileLoop', f: (x) => v(whileLoop((s: Var) => less(sum(v(mul(s, s))), 30) as Operand, (s: Var) => v(mul(s, 1.5)), x as Var, { maxSteps: 12 })), inputs: [vector(1, 2)] },
  // Of integers, because a loop without a last step has no reverse.
  { name: 'whileLoop without a last step', f: (x) => v(whileLoop((s: Var) => less(sum(s), 100) as Operand, (s: Var) => v(mul(s, 3)), x as Var)), inputs: [hostValue('int32', [2], [1, 2])], expected: [hostValue('int32', [2], [81, 162])] },
];

/** Loops and branches. */
export function coreControlCases(): readonly ExtensionCase[] {
  return [...scans, ...branches, ...others];
}
