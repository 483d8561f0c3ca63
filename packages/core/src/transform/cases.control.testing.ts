/** The derivatives of loops and branches. */
import type { Program, Var } from '../contract.ts';
import { add, mul, sub } from '../primitives/arithmetic.ts';
import { greater, less } from '../primitives/compare.ts';
import { matmul } from '../primitives/contraction.ts';
import { checkpoint } from '../primitives/control/checkpoint.ts';
import { customJvp, customVjp } from '../primitives/control/custom.ts';
import { customVjpTangentPrimitive } from '../primitives/control/custom-primitive.ts';
import { cond, switchCase } from '../primitives/control/cond.ts';
import { scan } from '../primitives/control/scan.ts';
import { whileLoop } from '../primitives/control/while.ts';
import { tanh } from '../primitives/functions.ts';
import { sum } from '../primitives/reduce.ts';
import { cos, sin } from '../primitives/special.ts';
import { traceRegion } from '../program/builder.ts';
import { applyOperation } from '../program/dispatch.ts';
import { tensor } from '../tensor/create.ts';
import type { Operand } from '../types/operand.ts';
import { type DerivativeCase, one } from './derivative-case.testing.ts';

const v = (x: unknown): Var => x as Var;
const first = tensor(Int32Array.of(1)).reshape([]);

/** c ← sin(w·c + x), y = c·x. */
const recurrent = (w: Var, c: Var, xs: Var, options: object = {}): readonly unknown[] => scan((carry: Var, x: Var) => [v(sin(v(add(mul(w, carry), x)))), mul(carry, x)] as const, c, xs, options) as readonly unknown[];

/** x·y and sin x, each with the derivative that it has anyway, written by hand. */
const ownReverse = customVjp((x: Var, y: Var) => [v(mul(x, y)), v(sin(x))] as const, {
  vjp: ({ inputs: [x, y] }, [product, sine]) => [v(add(mul(product, y), mul(sine, cos(x)))), v(mul(product, x))],
});
const ownForward = customJvp((x: Var, y: Var) => v(mul(sin(x), y)), {
  jvp: ({ inputs: [x, y] }, [dx, dy]) => v(add(mul(v(mul(dx, cos(x))), y), mul(dy, sin(x)))),
});

const scans: readonly DerivativeCase[] = [
  one('scan', [[2], [2], [3, 2]], (w, c, xs) => recurrent(w!, c!, xs!)),
  one('scan in reverse', [[2], [2], [3, 2]], (w, c, xs) => recurrent(w!, c!, xs!, { reverse: true })),
  one('scan over one slice', [[2], [2], [1, 2]], (w, c, xs) => recurrent(w!, c!, xs!)),
  one('scan over nothing', [[2], [2], [0, 2]], (w, c, xs) => recurrent(w!, c!, xs!)),
  one('scan in checkpoints', [[2], [2], [5, 2]], (w, c, xs) => recurrent(w!, c!, xs!, { checkpointEvery: 2 })),
  one('scan in reverse in checkpoints', [[], [], [4]], (w, c, xs) => recurrent(w!, c!, xs!, { checkpointEvery: 3, reverse: true })),
  one('scan with a matrix that is captured', [[2, 2], [2]], (w, c) => scan((carry: Var) => [v(tanh(v(matmul(w!, carry)))), carry] as const, c!, undefined, { length: 3 })),
  one('scan whose carries change places', [[], [], [4]], (a, b, xs) => scan(([x, y]: readonly [Var, Var], s: Var) => [[v(mul(y, s)), v(add(x, s))], []] as const, [a!, b!] as const, xs!)[0]),
  one('scan with a carry that begins constant', [[3]], (xs) => scan((s: Var, x: Var) => [v(add(mul(s, 0.5), mul(x, x))), undefined] as const, 0, xs!)[0]),
  one('scan inside a scan', [[2], [3]], (c, xs) => scan((carry: Var, x: Var) => [v(scan((inner: Var) => [v(sin(v(mul(inner, x)))), inner] as const, carry, undefined, { length: 2 })[0]), carry] as const, c!, xs!)),
  one('scan of trees', [[2], [3, 2]], (c, xs) => {
    const [last, ys] = scan(({ p, q }: { p: Var; q: Var }, x: Var) => [{ p: v(mul(q, x)), q: v(add(p, x)) }, { half: v(mul(p, 0.5)) }] as const, { p: c!, q: v(mul(c!, 2)) }, xs!) as unknown as [{ p: Var; q: Var }, { half: Var }];
    return [last.p, last.q, ys.half];
  }),
];

const branches: readonly DerivativeCase[] = [
  one('cond that is true', [[3], [3]], (x, y) => cond(tensor(true), (a: Var, b: Var) => v(mul(a, b)), (a: Var, b: Var) => v(sub(a, b)), x!, y!)),
  one('cond by value', [[3], [3]], (x, y) => cond(greater(sum(x!), -100) as never, (a: Var) => v(mul(a, y!)), (a: Var) => v(sin(a)), x!)),
  one('cond of what is captured', [[3]], (x) => cond(less(sum(x!), -100) as never, () => v(sin(x!)), () => [v(mul(x!, x!))][0] as Var)),
  one('switchCase', [[2], [2]], (x, y) => switchCase(first as Operand, [(a: Var) => [a, v(mul(a, 0))] as const, (a: Var, b: Var) => [v(mul(a, b)), v(cos(b))] as const, (_a: Var, b: Var) => [b, b] as const], x!, y!)),
  one('cond in a scan', [[], [4]], (c, xs) => scan((s: Var, x: Var) => [v(cond(greater(x, 0) as never, (a: Var) => v(mul(a, x)), (a: Var) => v(sub(a, x)), s)), s] as const, c!, xs!, {}), { region: 'away from 0' }),
];

const others: readonly DerivativeCase[] = [
  one('checkpoint', [[3], [3]], (x, y) => checkpoint((a: Var) => v(sin(v(mul(v(mul(a, a)), y!)))))(x!)),
  one('checkpoint in a checkpoint', [[3]], (x) => checkpoint((a: Var) => checkpoint((b: Var) => v(sin(b)))(v(mul(a, a))))(x!)),
  one('customVjp', [[3], [3]], (x, y) => ownReverse(x!, y!) as readonly Var[]),
  one('customVjp in a scan', [[2], [3, 2]], (c, xs) => scan((s: Var, x: Var) => ownReverse(s, x), c!, xs!)),
  one('customJvp', [[3], [3]], (x, y) => ownForward(x!, y!)),
  one('customJvp in a checkpoint', [[3], [3]], (x, y) => checkpoint((a: Var, b: Var) => v(sin(ownForward(a, b))))(x!, y!)),
  one('tangents of a customVjp', [[3], [3]], (x, dx) => {
    const { program } = traceRegion(([at, moving]) => [v(mul(v(moving), v(cos(v(at)))))], [x!.type, dx!.type]);
    return applyOperation(customVjpTangentPrimitive.operation, [x!, dx!], { rule: program as Program, body: program as Program, primals: 1 });
  }),
  one('whileLoop with maxSteps', [[2]], (x) => whileLoop((s: Var) => less(sum(v(mul(s, s))), 30) as Operand, (s: Var) => v(mul(s, 1.5)), x!, { maxSteps: 12 })),
];

export const controlCases: readonly DerivativeCase[] = [...scans, ...branches, ...others];
