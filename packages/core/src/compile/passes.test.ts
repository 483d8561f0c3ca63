import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LoopStep, Operation, Program, Var } from '../contract.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { checkpoint } from '../primitives/control/checkpoint.ts';
import { scan } from '../primitives/control/scan.ts';
import { exp, tanh } from '../primitives/functions.ts';
import { identityOperation } from '../primitives/movement.ts';
import { barrier } from '../primitives/stop-gradient.ts';
import { Builder } from '../program/builder.ts';
import { checkProgram } from '../program/check.ts';
import { printProgram } from '../program/print.ts';
import { tensorType, type TensorType } from '../types/tensor-type.ts';
import { compileProgram } from './compile.ts';
import { passes } from './passes.ts';

const f64 = tensorType('float64', [3]);

/** An operation of a family that gives it no traits: x·y + y, by core's operations. */
const blend: Operation = {
  id: 'acme.lens.v1.blend',
  family: 'acme.lens.v1',
  name: 'blend',
  package: 'acme-lens',
  infer: ([x]) => [x as TensorType],
  traits: { call: () => ({ symbol: 'acme.lens.v1.blend.float64', integers: [] }) },
  lower: ([x, y]) => [add(mul(x as Var, y as Var), y as Var) as Var],
};

/** The same and x·y beside it, which gives way to the other where nobody reads the product. */
const blendAndProduct: Operation = {
  ...blend,
  id: 'acme.lens.v1.blendAndProduct',
  name: 'blendAndProduct',
  infer: ([x]) => [x as TensorType, x as TensorType],
  traits: { prune: (params, [, product]) => (product === true ? undefined : { operation: blend, params, inputs: [0, 1], outputs: [0, undefined] }) },
  lower: ([x, y]) => [add(mul(x as Var, y as Var), y as Var) as Var, mul(x as Var, y as Var) as Var],
};

/** The example of every page in docs/passes: a call, an operation to lower, identities, equal instructions and one that nobody needs. */
function example(): Program {
  const builder = new Builder();
  const x = builder.input(f64, 'x');
  const [held] = builder.emit(identityOperation, [x], {}) as readonly [Var];
  const once = checkpoint((y: Var) => exp(y) as Var)(held);
  const again = exp(x);
  tanh(x);
  return builder.build([add(builder.emit(blendAndProduct, [once, again], {})[0] as Var, 0)]);
}

function page(name: string): string {
  return readFileSync(new URL(`../../../../docs/passes/${name}.md`, import.meta.url), 'utf8');
}

describe('passes', () => {
  it('turn the example into what their pages show', () => {
    let program = example();
    for (const pass of passes) {
      const before = printProgram(program);
      program = pass.run(program);
      checkProgram(program);
      // There is one loop at most in it: the page of that pass has its own example.
      if (pass.name === 'join') continue;
      expect(page(pass.name)).toContain(before);
      expect(page(pass.name)).toContain(printProgram(program));
    }
  });

  it('join the loops of their page', () => {
    const builder = new Builder();
    const [start, slices] = [builder.input(tensorType('float64', []), 'start'), builder.input(f64, 'slices')];
    const [, products] = scan((product: Var, x: Var) => {
      const next = mul(product, x) as Var;
      return [next, next] as const;
    }, start, slices);
    const [total] = scan((sum: Var, x: Var) => [add(sum, exp(x)) as Var, undefined] as const, start, products);
    const program = builder.build([total]);
    const joined = passes.reduce((current, pass) => pass.run(current), program);
    checkProgram(joined);
    expect(page('join')).toContain(printProgram(program));
    expect(page('join')).toContain(printProgram(joined));
  });

  it('leave a program alone that has nothing to rewrite', () => {
    const builder = new Builder();
    const x = builder.input(f64, 'x');
    const program = builder.build([exp(x)]);
    for (const pass of passes) expect(printProgram(pass.run(program))).toBe(printProgram(program));
  });

  it('keep x + 0, which is not x for −0', () => {
    const text = printProgram(passes.reduce((program, pass) => pass.run(program), example()));
    expect(text).toContain('0:f64[]');
  });

  it('do not join what is computed from behind a barrier', () => {
    const builder = new Builder();
    const x = builder.input(f64, 'x');
    const program = builder.build([add(exp(x), add(exp(barrier(x)), exp(barrier(x))))]);
    expect(compileProgram(program, { check: true, fuse: false, tile: false }).steps).toHaveLength(5);
    expect(compileProgram(program, { check: true, tile: false }).steps).toHaveLength(3);
  });

  it('do not join equal operations with different parameters', () => {
    const builder = new Builder();
    const x = builder.input(tensorType('float64', [2, 2]), 'x');
    const program = builder.build([add(exp(x), mul(exp(x), 2))]);
    expect(compileProgram(program, { check: true, fuse: false, tile: false }).steps).toHaveLength(3);
  });

  it('handle 100 000 instructions in a chain without recursion', () => {
    const builder = new Builder();
    let y = builder.input(f64, 'x') as Var;
    for (let step = 0; step < 100_000; step++) y = mul(y, 2) as Var;
    const program = builder.build([y]);
    for (const [fuse, steps, kernels] of [[false, 100_000, 1], [true, Math.ceil(100_000 / 256), 2]] as const) {
      const plan = compileProgram(program, { fuse, tile: false });
      expect(plan.steps).toHaveLength(steps);
      expect(new Set(plan.steps.map((step) => (step as LoopStep).kernel)).size).toBe(kernels);
      expect(plan.slots.length).toBeLessThanOrEqual(2);
    }
  });
});
