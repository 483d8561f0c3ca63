import { describe, expect, it } from 'vitest';
import type { Atom, Instruction, Operation, Program, Var } from '../contract.ts';
import { getAt } from '../compositions/at.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { greater } from '../primitives/compare.ts';
import { cond, switchCase } from '../primitives/control/cond.ts';
import { fori, scan } from '../primitives/control/scan.ts';
import { whileLoop } from '../primitives/control/while.ts';
import { convert } from '../primitives/convert.ts';
import { dynamicTruncate } from '../primitives/dynamic.ts';
import { createCatalog } from '../primitives/extension.ts';
import { exp } from '../primitives/functions.ts';
import { broadcastTo } from '../primitives/movement.ts';
import { sum } from '../primitives/reduce.ts';
import { slice } from '../primitives/slicing.ts';
import { sin } from '../primitives/special.ts';
import { Builder } from '../program/builder.ts';
import { checkProgram } from '../program/check.ts';
import { regionsOf } from '../program/params.ts';
import { zeros } from '../tensor/create.ts';
import { AdContext } from '../transform/context.ts';
import { countOf, evaluateProgram, type Value } from '../transform/evaluate.testing.ts';
import { derivativeProgram } from '../transform/laws.testing.ts';
import { tensorType } from '../types/tensor-type.ts';
import { compileProgram } from './compile.ts';
import { allSteps } from './inner-steps.ts';
import { join } from './join.ts';
import { passes } from './passes.ts';
import { planMemory } from './report.ts';

const context = new AdContext({ catalog: createCatalog() });
const v = (x: unknown): Var => x as Var;

type Shapes = readonly (readonly number[])[];
type Step = (carry: Var, x: Var) => readonly [Var, Var];

function build(shapes: Shapes, f: (...xs: readonly Var[]) => unknown): Program {
  const builder = new Builder();
  const result = f(...shapes.map((shape) => builder.input(tensorType('float64', shape))));
  return builder.build((Array.isArray(result) ? result : [result]) as readonly Atom[]);
}

const loop = (f: Step, start: Var, xs: Var, options: object = {}): readonly [Var, Var] => scan(f, start, xs, options) as readonly [Var, Var];
const wave: Step = (carry, x) => [v(sin(v(add(mul(carry, 0.5), x)))), v(mul(carry, x))];
const decay: Step = (carry, x) => [v(add(mul(carry, 0.25), x)), v(add(carry, x))];

/** The operations of a family of control flow in a program, not those inside them. */
function controls(program: Program): readonly Instruction[] {
  return program.instructions.filter(({ operation }) => operation.traits.control !== undefined);
}

function valuesFor(program: Program): readonly Value[] {
  return program.inputs.map(({ type: { dtype, shape } }, which) => ({ dtype, shape: shape as readonly number[], data: Array.from({ length: countOf(shape as readonly number[]) }, (_, at) => Math.sin(1 + at + 7 * which)) }));
}

/** How many operations of control flow the pass leaves; the program stays well formed and its values keep every bit. */
function left(program: Program): number {
  const joined = join(program);
  checkProgram(joined);
  const inputs = valuesFor(program);
  expect(evaluateProgram(joined, inputs)).toEqual(evaluateProgram(program, inputs));
  compileProgram(program, { check: true });
  return controls(joined).length;
}

// ---------------------------------------------------------------- what it is for

type Body = (n: number) => readonly [shapes: Shapes, f: (...xs: readonly Var[]) => unknown];
const loops: { readonly [name: string]: Body } = {
  'scan': (n) => [[[3], [n, 3]], (c, xs) => loop(wave, c!, xs!)[0]],
  'scan in reverse': (n) => [[[3], [n, 3]], (c, xs) => loop(wave, c!, xs!, { reverse: true })[0]],
  'scan with a captured matrix': (n) => [[[3], [3]], (w, c) => scan((carry: Var) => [v(sin(v(mul(w!, carry)))), undefined] as const, c!, undefined, { length: n })[0]],
  'fori by index': (n) => [[[n], [2]], (x, c) => fori(n, (i, carry: Var) => v(sin(v(mul(carry, v(getAt(x!, [i]))))), ), v(mul(c!, 1)))],
  'scan inside a scan': (n) => [[[2], [n, 2]], (c, xs) => scan((carry: Var, x: Var) => [v(scan((inner: Var) => [v(sin(v(mul(inner, x)))), undefined] as const, carry, undefined, { length: n })[0]), undefined] as const, c!, xs!)[0]],
  'branch with a loop': (n) => [[[2], [2]], (c, w) => cond(greater(sum(c!), 0) as never, (a: Var) => fori(n, (_i, b: Var) => v(sin(v(mul(b, w!)))), a), (a: Var) => v(mul(a, w!)), c!)],
  'loop with a branch with a loop': (n) => [[[], [n]], (c, xs) => scan((s: Var, x: Var) => [v(cond(greater(x, 0) as never, (a: Var) => fori(n, (_i, b: Var) => v(sin(v(mul(b, x)))), a), (a: Var) => v(mul(a, x)), s)), undefined] as const, c!, xs!)[0]],
  'loop after a loop': (n) => [[[], [n]], (c, xs) => loop(wave, loop(wave, c!, xs!)[0], xs!)[0]],
  'loop over the results of a loop': (n) => [[[], [n]], (c, xs) => loop(wave, c!, loop(wave, c!, xs!)[1])[0]],
  'whileLoop': (n) => [[[2]], (c) => whileLoop(([i]: readonly [Var, Var]) => greater(n, i) as never, ([i, s]: readonly [Var, Var]) => [v(add(i, 1)), v(sin(v(mul(s, c!))))] as const, [zeros([], { dtype: 'int32' }), v(mul(c!, 1))] as unknown as readonly [Var, Var])[1]],
  'whileLoop with maxSteps': (n) => [[[2]], (c) => whileLoop(([i]: readonly [Var, Var]) => greater(n, i) as never, ([i, s]: readonly [Var, Var]) => [v(add(i, 1)), v(sin(v(mul(s, c!))))] as const, [zeros([], { dtype: 'int32' }), v(mul(c!, 1))] as unknown as readonly [Var, Var], { maxSteps: n })[1]],
};

const all = (program: Program): readonly number[] => program.inputs.map((_, at) => at);
const tangents = (program: Program): Program => derivativeProgram(context, program, all(program), 'pushforward');
const batched = (program: Program, which: (at: number) => boolean): Program => context.batch({ program, batched: program.inputs.map((_, at) => which(at)), size: 4 }).program;

const derivatives: { readonly [name: string]: (program: Program) => Program } = {
  'the tangent': tangents,
  'several tangents': (program) => batched(tangents(program), (at) => at >= program.inputs.length),
  'the tangent of the tangent': (program) => tangents(tangents(program)),
  'the tangents of a batch': (program) => tangents(batched(program, () => true)),
};

/** By how much memory grows from 10 to 1000 iterations (100 where loops nest), without the pass and with it. */
function growth(body: Body, derivative: (program: Program) => Program, sizes: readonly [number, number]): readonly [number, number] {
  const programs = sizes.map((n) => derivative(build(...body(n)))) as [Program, Program];
  const grown = (list: typeof passes): number => {
    const [small, large] = programs.map((program) => compileProgram(program, { check: true, passes: list })) as [ReturnType<typeof compileProgram>, ReturnType<typeof compileProgram>];
    expect(allSteps(large.steps).length).toBe(allSteps(small.steps).length);
    return planMemory(large).arenaBytes - planMemory(small).arenaBytes;
  };
  return [grown(passes.filter(({ name }) => name !== 'join')), grown(passes)];
}

describe.each(Object.keys(derivatives))('%s of a loop takes as much memory whatever the number of iterations', (derivative) => {
  it.each(Object.keys(loops))('%s', (name) => {
    const [without, with_] = growth(loops[name] as Body, derivatives[derivative] as (program: Program) => Program, name.includes('a loop') || name.includes('inside') ? [10, 100] : [10, 1000]);
    expect(with_).toBe(0);
    // The test looks at what the pass does; loops that do not say how often they run carry their tangents anyway.
    if (name !== 'whileLoop') expect(without).toBeGreaterThan(0);
  });
});

describe('forward derivatives of loops', () => {
  it('of 10 000 iterations take the memory and the steps of 100', () => {
    const plans = [100, 10_000].map((n) => compileProgram(tangents(build(...(loops['scan'] as Body)(n)))));
    const [small, large] = plans.map((plan) => [planMemory(plan).arenaBytes, allSteps(plan.steps).length]);
    expect(large).toEqual(small);
    expect(plans[1]!.steps.filter(({ kind }) => kind === 'repeat')).toHaveLength(1);
  });

  it('of a whole batch too, where places are the same for all its elements', () => {
    const [without, with_] = growth(loops['fori by index'] as Body, (program) => batched(tangents(program), () => true), [10, 1000]);
    expect([with_, without > 0]).toEqual([0, true]);
  });

  it('in checkpoints take the same for each number of pieces', () => {
    const body: Body = (n) => [[[2]], (c) => fori(n, (_i, s: Var) => v(sin(v(mul(s, c!)))), v(mul(c!, 1)), { checkpointEvery: 10 })];
    expect(growth(body, tangents, [20, 1000])[1]).toBe(0);
  });

  it('of gradients go round with what they are the tangents of', () => {
    const program = build(...(loops['scan'] as Body)(20));
    const twice = tangents(derivativeProgram(context, program, all(program), 'pullback'));
    const plan = (list: typeof passes): ReturnType<typeof compileProgram> => compileProgram(twice, { check: true, passes: list });
    expect(plan(passes.filter(({ name }) => name !== 'join')).steps.filter(({ kind }) => kind === 'repeat')).toHaveLength(4);
    expect(plan(passes).steps.filter(({ kind }) => kind === 'repeat')).toHaveLength(2);
  });
});

describe('a gradient', () => {
  const gradient = (options: object): Program => {
    const program = build([[2], [64, 2]], (c, xs) => scan((s: Var, x: Var) => [v(sin(v(mul(sin(v(mul(s, x))), x)))), undefined] as const, c!, xs!, options)[0]);
    return derivativeProgram(context, program, [0, 1], 'pullback');
  };
  const bytes = (program: Program, list: typeof passes = passes): number => planMemory(compileProgram(program, { check: true, passes: list })).arenaBytes;

  it('leaves its two directions apart', () => {
    expect(compileProgram(gradient({})).steps.filter(({ kind }) => kind === 'repeat')).toHaveLength(2);
  });

  it('in checkpoints takes the memory that it takes without the pass, less than all residuals', () => {
    const program = gradient({ checkpointEvery: 8 });
    expect(bytes(program)).toBe(bytes(program, passes.filter(({ name }) => name !== 'join')));
    expect(bytes(program)).toBeLessThan(bytes(gradient({})));
  });
});

// ---------------------------------------------------------------- what may be joined

describe('two loops', () => {
  it('are one where the second goes through what the first stacks', () => {
    const program = build([[2], [3, 2]], (c, xs) => loop(decay, c!, loop(wave, c!, xs!)[1]));
    expect(left(program)).toBe(1);
    const [instruction] = controls(join(program)) as [Instruction];
    // Both carries and what the second stacks; nobody reads the slices of the first any more.
    expect(instruction.outputs.map(({ type }) => type.key)).toEqual(['f64[2]', 'f64[2]', 'f64[3, 2]']);
  });

  it('are one with all that somebody reads, from the last slice to the first too', () => {
    const program = build([[2], [3, 2]], (c, xs) => {
      const [last, ys] = loop(wave, c!, xs!, { reverse: true });
      return [...loop(decay, c!, ys, { reverse: true }), last, ys, sum(ys)];
    });
    expect(left(program)).toBe(1);
  });

  it('are one with a third', () => {
    const program = build([[2], [3, 2]], (c, xs) => {
      const [, ys] = loop(wave, c!, xs!);
      const [, zs] = loop(decay, c!, ys);
      return scan((s: Var, [y, z]: readonly [Var, Var]) => [v(add(s, mul(y, z))), undefined] as const, c!, [ys, zs] as const)[0];
    });
    expect(left(program)).toBe(1);
  });

  it('and are one where the third reads two that know nothing of each other', () => {
    const program = build([[2], [3, 2]], (c, xs) => {
      const [ys, zs] = [loop(wave, c!, xs!)[1], loop(decay, c!, xs!)[1]];
      return scan((s: Var, [y, z]: readonly [Var, Var]) => [v(add(s, mul(y, z))), undefined] as const, c!, [ys, zs] as const)[0];
    });
    expect(left(program)).toBe(1);
  });

  it('share constants and slices, and no carries', () => {
    const program = build([[2], [2], [3, 2]], (c, w, xs) => {
      const [last, ys] = loop((carry, x) => [v(mul(carry, w!)), v(add(carry, x))], c!, xs!);
      return [last, scan((s: Var, [y, x]: readonly [Var, Var]) => [v(add(mul(s, w!), mul(y, x))), undefined] as const, c!, [ys, xs!] as const)[0]];
    });
    expect(left(program)).toBe(1);
    expect((controls(join(program))[0] as Instruction).inputs).toEqual([program.inputs[1], program.inputs[0], program.inputs[0], program.inputs[2]]);
  });

  it('stand where the first stood, after what only the second reads, before what reads the first', () => {
    const program = build([[2], [3, 2]], (c, xs) => {
      const [last, ys] = loop(wave, c!, xs!);
      const [after, before] = [v(exp(last)), v(mul(c!, 3))];
      const further = v(sin(before));
      return [loop(decay, further, ys)[0], after];
    });
    expect(left(program)).toBe(1);
    expect(join(program).instructions.map(({ operation }) => operation.name)).toEqual(['mul', 'sin', 'scan', 'exp']);
  });
});

/** The operation of a scan with parameters as they are given: the public function makes no stack of another length. */
function shorterScan(start: Var, ys: Var, builder: Builder, operation: Operation, length: number): Var {
  const inside = new Builder();
  const [c, y] = [inside.input(start.type), inside.input(tensorType('float64', ys.type.shape.slice(1)))];
  return builder.emit(operation, [start, ys], { body: inside.build([v(add(mul(c, 2), y))]), constants: 0, carries: 1, length, reverse: false, linear: [] })[0] as Var;
}

describe('two loops stay two', () => {
  const apart: { readonly [why: string]: (c: Var, xs: Var) => unknown } = {
    'where the second starts with what the first ends with': (c, xs) => {
      const [last, ys] = loop(wave, c, xs);
      return loop(decay, last, ys);
    },
    'where the second has as a constant what the first ends with': (c, xs) => {
      const [last, ys] = loop(wave, c, xs);
      return loop((carry, y) => [v(mul(carry, last)), v(add(carry, y))], c, ys);
    },
    'where the second goes through what the first ends with': (c, xs) => loop(decay, c, v(scan((whole: Var, x: Var) => [v(mul(whole, x)), undefined] as const, xs, xs)[0])),
    'where they go in different directions': (c, xs) => loop(decay, c, loop(wave, c, xs)[1], { reverse: true }),
    'where the second has the stack as a constant': (c, xs) => {
      const [, ys] = loop(wave, c, xs);
      return loop((carry, y) => [v(add(carry, sum(ys, { axes: 0 }))), v(mul(carry, y))], c, ys);
    },
    'where the second has as a constant what is computed of the stack': (c, xs) => {
      const [, ys] = loop(wave, c, xs);
      const total = v(sum(ys, { axes: 0 }));
      return loop((carry, y) => [v(add(carry, total)), v(mul(carry, y))], c, ys);
    },
    'where the second starts with what is computed of the stack by way of another value': (c, xs) => {
      const [, ys] = loop(wave, c, xs);
      return loop(decay, v(exp(v(sum(ys, { axes: 0 })))), ys);
    },
    'where the second starts with the stack': (c, xs) => {
      const [, ys] = loop(wave, c, xs);
      return scan((carry: Var, y: Var) => [v(mul(carry, y)), undefined] as const, ys, ys)[0];
    },
    'where another instruction changes the stack first': (c, xs) => loop(decay, c, v(mul(loop(wave, c, xs)[1], 2))),
    'where another loop that cannot be joined lies between them': (c, xs) => {
      const [, ys] = loop(wave, c, xs);
      const total = v(loop(decay, c, ys, { reverse: true })[0]);
      return loop(decay, total, ys);
    },
  };

  it.each(Object.keys(apart))('%s', (why) => {
    const program = build([[2], [3, 2]], (c, xs) => (apart[why] as (c: Var, xs: Var) => unknown)(c!, xs!));
    const before = controls(program).length;
    expect(before).toBeGreaterThan(1);
    expect(left(program)).toBe(before);
  });

  it('where one is longer', () => {
    const builder = new Builder();
    const [c, xs] = [builder.input(tensorType('float64', [2])), builder.input(tensorType('float64', [3, 2]))];
    const [, ys] = loop(wave, c, xs);
    const operation = (builder.build([ys]).instructions.find(({ operation: { traits } }) => traits.control !== undefined) as Instruction).operation;
    for (const [length, count] of [[2, 2], [3, 1]] as const) expect(left(builder.build([shorterScan(c, ys, builder, operation, length)]))).toBe(count);
  });

  it('where nothing of the first goes through the second', () => {
    expect(left(build([[2], [3, 2]], (c, xs) => [...loop(wave, c!, xs!), ...loop(decay, c!, xs!)]))).toBe(2);
  });

  it.each([[1, 'is known before', (k: Var) => k], [2, 'the first decides', (_k: Var, ys: Var) => v(convert(sum(ys), 'int32'))]] as const)('%i, where the second reads an extent that %s', (count, _which, sizeOf) => {
    const builder = new Builder();
    const [c, xs, long, k] = [builder.input(tensorType('float64', [2])), builder.input(tensorType('float64', [3, 2])), builder.input(tensorType('float64', [5])), builder.input(tensorType('int32', []))];
    const [, ys] = loop(wave, c, xs);
    // Nothing of this reads what decides the extent; only its type mentions it.
    const ones = v(broadcastTo(sum(c), v(dynamicTruncate(long, sizeOf(k, ys) as never, 0)).type.shape));
    const program = builder.build([loop((carry, y) => [v(add(carry, sum(ones))), v(mul(carry, y))], c, ys)[0]]);
    const joined = join(program);
    checkProgram(joined);
    expect(controls(joined)).toHaveLength(count);
  });
});

describe('two branches', () => {
  const chosen = (index: Var, a: Var, b: Var): Var => v(switchCase(index as never, [(x: Var, y: Var) => v(mul(x, y)), (x: Var, y: Var) => v(add(x, sin(y))), (x: Var) => x], a, b));
  const [first, second] = [(x: Var): Var => v(convert(greater(sum(x), 0), 'int32')), (x: Var): Var => v(convert(greater(sum(x), 9), 'int32'))];

  it('are one where one index chooses both', () => {
    const program = build([[2], [2]], (a, b) => {
      const index = first(a!);
      return chosen(index, chosen(index, a!, b!), v(mul(b!, 2)));
    });
    expect(left(program)).toBe(1);
    expect(regionsOf((controls(join(program))[0] as Instruction).params)).toHaveLength(3);
  });

  it('stay two where each has its own index, or the second has its index of the first', () => {
    expect(left(build([[2], [2]], (a, b) => chosen(second(b!), chosen(first(a!), a!, b!), b!)))).toBe(2);
    expect(left(build([[2], [2]], (a, b) => {
      const inner = chosen(first(a!), a!, b!);
      return chosen(second(inner), inner, b!);
    }))).toBe(2);
  });

  it('stay two where what the first gives is changed before the second reads it, or they have another number of branches', () => {
    expect(left(build([[2], [2]], (a, b) => {
      const index = first(a!);
      return chosen(index, v(exp(chosen(index, a!, b!))), b!);
    }))).toBe(2);
    expect(left(build([[2], [2]], (a, b) => {
      const index = first(a!);
      return switchCase(index as never, [(x: Var) => v(sin(x)), (x: Var) => x], chosen(index, a!, b!));
    }))).toBe(2);
  });

  it('read the index where it is an operand too', () => {
    expect(left(build([[2], [2]], (a, b) => {
      const index = first(a!);
      const one = chosen(index, a!, b!);
      return switchCase(index as never, [(x: Var) => v(mul(x, convert(index, 'float64'))), (x: Var) => x, (x: Var) => v(slice(v(broadcastTo(x, [2, 2])), [0, 0], [1, 2]))].slice(0, 2).concat((x: Var) => v(exp(x))), one);
    }))).toBe(2);
  });
});
