import { add, AdContext, type Atom, Builder, compileProgram, cond, createCatalog, type Engine, fori, getAt, greater, mul, passes, type Plan, planMemory, type Program, scan, setAt, sin, sum, tensorType, type Var, whileLoop } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { jvpProgram, vjpProgram } from '@tf/testkit';
import { describe, expect, it } from 'vitest';

const v = (x: unknown): Var => x as Var;
const context = new AdContext({ catalog: createCatalog() });
const [vectors, scalars] = [[[3], [9, 3]], [[], [9]]] as const;
type Case = readonly [shapes: readonly (readonly number[])[], f: (...xs: readonly Var[]) => unknown];

const sines = (s: Var, x: Var): readonly [Var, Var] => [v(sin(v(add(mul(s, x), x)))), v(mul(s, x))];
const cases: { readonly [name: string]: Case } = {
  'a scan': [vectors, (c, xs) => [...(scan(sines, c!, xs!) as readonly Var[])]],
  'a scan in reverse': [vectors, (c, xs) => [...(scan(sines, c!, xs!, { reverse: true }) as readonly Var[])]],
  'a scan over the results of a scan': [vectors, (c, xs) => [...(scan(sines, c!, (scan(sines, c!, xs!) as readonly [Var, Var])[1]) as readonly Var[])]],
  'a scan in checkpoints': [vectors, (c, xs) => [...(scan(sines, c!, xs!, { checkpointEvery: 4 }) as readonly Var[])]],
  'a scan inside a scan': [vectors, (c, xs) => [...(scan((s: Var, x: Var) => scan((t: Var) => sines(t, x), s, undefined, { length: 3 }) as readonly [Var, Var], c!, xs!) as readonly Var[])]],
  'a loop that reads and writes by index': [[[9]], (x) => [fori(8, (i, c: Var) => v(setAt(c, [add(i, 1)], sin(v(mul(getAt(c, [i]), getAt(x!, [i])))))), v(mul(x!, 1)))]],
  'a loop in a branch in a loop': [scalars, (c, xs) => [...(scan((s: Var, x: Var) => [v(cond(greater(x, 0) as never, (a: Var) => fori(4, (_i, b: Var) => v(sin(v(mul(b, x)))), a), (a: Var) => v(mul(a, x)), s)), s] as const, c!, xs!) as readonly Var[])]],
  'a bounded while': [scalars, (c, xs) => [whileLoop(([s]: readonly [Var]) => greater(s, -0.5) as never, ([s]: readonly [Var]) => [v(add(s, mul(sin(s), sum(xs!))))] as const, [v(mul(c!, 1))] as const, { maxSteps: 12 })[0]]],
  'a while': [scalars, (c, xs) => [whileLoop(([s]: readonly [Var]) => greater(1, s) as never, ([s]: readonly [Var]) => [v(add(s, add(0.25, mul(0.001, mul(sin(s), sum(xs!))))))] as const, [v(mul(c!, 1))] as const)[0]]],
};

function programOf([shapes, f]: Case): Program {
  const builder = new Builder();
  return builder.build(f(...shapes.map((shape) => builder.input(tensorType('float64', shape)))) as readonly Atom[]);
}

const all = (program: Program): readonly number[] => program.inputs.map((_, at) => at);
const tangents = (program: Program): Program => jvpProgram(context, program, all(program));
const batch = (program: Program, from = 0): Program => context.batch({ program, batched: program.inputs.map((_, at) => at >= from), size: 3 }).program;
const derivatives: { readonly [name: string]: (program: Program) => Program } = {
  'tangents': tangents,
  'several tangents': (program) => batch(tangents(program), program.inputs.length),
  'tangents of a batch': (program) => tangents(batch(program)),
  'a batch of tangents': (program) => batch(tangents(program)),
  'tangents of tangents': (program) => tangents(tangents(program)),
  'a gradient': (program) => vjpProgram(context, program, all(program)),
  'tangents of a gradient': (program) => tangents(vjpProgram(context, program, all(program))),
};

/** A loop of which nobody knows how often it runs has no gradient. */
const pairs = Object.keys(cases).flatMap((name) => Object.keys(derivatives).map((derivative) => [derivative, name] as const)).filter(([derivative, name]) => name !== 'a while' || !derivative.includes('gradient'));

/** The bits of the results, as text. */
async function run(engine: Engine, plan: Plan): Promise<readonly string[]> {
  const executable = engine.compile(plan);
  const inputs = plan.inputs.map(({ shape }, which) => ({ shape: shape as readonly number[], data: Float64Array.from({ length: (shape as readonly number[]).reduce((a, b) => a * b, 1) }, (_, at) => 0.9 * Math.sin(1 + at + 5 * which)) }));
  const results = executable.run(inputs);
  const bits = await Promise.all(results.map(async (result) => Buffer.from(((await engine.read(result)) as Float64Array).slice().buffer).toString('hex')));
  for (const result of results) result.dispose();
  return bits;
}

describe('a loop that goes round with its tangents', () => {
  const engine = createEngine();
  const without = passes.filter(({ name }) => name !== 'join');

  it.each(pairs)('computes the bits of two that follow each other: %s of %s', async (derivative, name) => {
    const program = (derivatives[derivative] as (program: Program) => Program)(programOf(cases[name] as Case));
    const [apart, joined] = [without, passes].map((list) => compileProgram(program, { passes: list, check: true })) as [Plan, Plan];
    expect(await run(await engine, joined)).toEqual(await run(await engine, apart));
    if (derivative !== 'a gradient' && name !== 'a while') expect(planMemory(joined).arenaBytes).toBeLessThan(planMemory(apart).arenaBytes);
  });
});
