import { AdContext, compileProgram, createCatalog, type Operand, planMemory, sum, symbolicDim, tensor } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { contractionPath, einsum, einsumExtension, type EinsumOptions } from '@tf/einsum';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createRandom, programOf, vjpProgram } from '@tf/testkit';
import { compile, evaluate, grad, input, jit, type TracedTensor, vmap } from '@tf/traced';
import { describe, expect, test } from 'vitest';

type F64 = TracedTensor<'float64'>;
const context = new AdContext({ catalog: createCatalog([einsumExtension]) });
const engine = await createEngine();

function values(shape: readonly number[], seed: number): ReturnType<typeof tensor<Float64Array>> {
  const random = createRandom(seed);
  return tensor(Float64Array.from({ length: shape.reduce((product, size) => product * size, 1) }, () => 2 * random() - 1), { shape });
}

const equations: readonly (readonly [string, readonly (readonly number[])[]])[] = [
  ['ij,jk->ik', [[3, 4], [4, 5]]],
  ['nn,nd->d', [[4, 4], [4, 2]]],
  ['ij,jk,kl->li', [[3, 1], [5, 4], [1, 2]]],
  ['...i,i...->...', [[2, 1, 3], [3, 4]]],
  ['abc,cde,efg,gha->bdfh', [[4, 2, 4], [4, 2, 4], [4, 2, 4], [4, 2, 4]]],
];

describe('an einsum', () => {
  for (const [equation, shapes] of equations) {
    test(`${equation}: the same bits and gradients traced and eager, of the operands' shapes`, () => {
      const data = shapes.map((shape, at) => values(shape, at + 1));
      const loss = (xs: readonly Operand[]): Operand => {
        const y = einsum(equation, xs) as Operand;
        return sum(einsum('...,...->...', y, y) as Operand) as Operand;
      };
      const runtime = new EagerRuntime({ context });
      const xs = data.map((value) => runtime.variable(value));
      runtime.session(engine, () => runtime.backward(loss(xs) as never));
      const gradients = evaluate(grad((ys: readonly F64[]) => loss(ys) as F64, { context })(data as never) as readonly F64[], engine);
      gradients.forEach((gradient, at) => {
        expect(gradient.type.shape).toEqual(shapes[at]);
        expect(gradient.toArray()).toEqual(xs[at]?.grad?.toArray());
      });
    });
  }

  test('without its rules is one error in both modes, which names the package', () => {
    const f = (x: Operand): Operand => sum(einsum('ij,jk->ik', x, x) as Operand) as Operand;
    const x = values([2, 2], 1);
    const runtime = new EagerRuntime();
    const variable = runtime.variable(x);
    const failures = [() => grad(f as (y: F64) => Operand)(x as never), () => runtime.session(engine, () => runtime.backward(f(variable) as never))].map((run) => {
      try {
        run();
      } catch (error) {
        return error as { name: string; message: string };
      }
      return undefined;
    });
    for (const failure of failures) {
      expect(failure?.name).toBe('UnregisteredFamilyError');
      expect(failure?.message).toContain('@tf/einsum');
    }
    expect(runtime.session(engine, () => einsum('ij,jk->ik', runtime.constant(x), runtime.constant(x)).toArray())).toBeDefined();
  });

  test('of a chain of N matrices has gradients of O(N) contractions', () => {
    const count = (matrices: number): number => {
      const types = Array.from({ length: matrices }, () => values([3, 3], 1).type);
      const program = programOf((...xs) => einsum(...(xs.flatMap((x, at) => [x, [at, at + 1]]) as unknown as readonly []), []) as never, types);
      const gradient = vjpProgram(context, program, types.map((_, at) => at));
      return gradient.instructions.filter(({ operation }) => operation.id === 'tf.einsum.v1.contract').length;
    };
    // N − 1 pairs forward, two more for each in reverse: the environments of all tensors are shared.
    expect([count(25), count(50), count(100)]).toEqual([72, 147, 297]);
  });

  test('of symbolic sizes is compiled once for all of them', () => {
    const [n, m] = [symbolicDim('n'), symbolicDim('m')];
    const [a, b] = [input('a', { shape: [n, m] }), input('b', { shape: [m, n] })];
    const run = compile({ y: einsum('ij,jk,kl->il', a, b, a), t: einsum('ij,ji->', a, b), d: einsum('ii->i', einsum('ij,jk->ik', a, b)) }, { engine });
    const before = engine.stats().modulesCompiled;
    for (const [rows, columns] of [[2, 3], [4, 1], [7, 5]] as const) {
      const [x, y] = [values([rows, columns], 3), values([columns, rows], 4)];
      const found = run({ a: x, b: y });
      const expected = evaluate([einsum('ij,jk->ik', einsum('ij,jk->ik', x, y), x), einsum('ij,ji->', x, y)] as never, engine) as unknown as readonly [F64, F64];
      expect(found.y.type.shape).toEqual([rows, columns]);
      (found.y.toArray() as number[][]).flat().forEach((value, at) => expect(value).toBeCloseTo((expected[0].toArray() as number[][]).flat()[at] as number, 12));
      expect(found.t.item()).toBeCloseTo(expected[1].item() as number, 12);
      expect(found.d.type.shape).toEqual([rows]);
    }
    expect(engine.stats().modulesCompiled - before).toBeLessThanOrEqual(1);
    expect(() => run({ a: values([2, 3], 1), b: values([4, 2], 1) })).toThrow(/m/);
  });

  test('runs over a batch', () => {
    const f = vmap((a: F64, b: F64) => einsum('ij,jk->ki', a, b) as F64, { inAxes: [0, 1], context });
    const [a, b] = [values([3, 2, 4], 5), values([4, 3, 2], 6)];
    const [batched, whole] = evaluate([f(a as never, b as never), einsum('bij,jbk->bki', a, b)] as never, engine) as unknown as readonly [F64, F64];
    expect(batched.toArray()).toEqual(whole.toArray());
  });
});

describe('memory', () => {
  const arena = (equation: string, shapes: readonly (readonly number[])[], options: EinsumOptions): number => {
    const program = programOf((...xs) => einsum(equation, xs as unknown as readonly Operand[], options) as never, shapes.map((shape) => values(shape, 1).type));
    return planMemory(compileProgram(program)).arenaBytes;
  };

  test('a run takes no more for intermediates than the path says, with a limit and without', () => {
    for (let seed = 1; seed <= 25; seed++) {
      const random = createRandom(seed);
      const letters = 'abcdefgh';
      const sizes = new Map([...letters].map((letter) => [letter, 2 + Math.floor(4 * random())]));
      const terms = Array.from({ length: 4 }, () => [...letters].filter(() => random() < 0.4).join(''));
      const equation = `${terms.join(',')}->${[...new Set(terms.join(''))].slice(0, 2).join('')}`;
      const shapes = terms.map((term) => [...term].map((letter) => sizes.get(letter) as number));
      const free = contractionPath(equation, shapes);
      expect(arena(equation, shapes, {}), equation).toBeLessThanOrEqual(free.peakBytes);
      const memoryLimit = Math.floor(free.peakBytes / 2);
      try {
        expect(contractionPath(equation, shapes, { memoryLimit }).peakBytes).toBeLessThanOrEqual(memoryLimit);
      } catch (error) {
        expect((error as Error).name).toBe('TooLargeError');
        continue;
      }
      expect(arena(equation, shapes, { memoryLimit }), equation).toBeLessThanOrEqual(memoryLimit);
    }
  });

  test('loops over labels have the value and the gradients of the whole', () => {
    const shapes = [[6, 5], [5, 6], [6, 4]];
    const data = shapes.map((shape, at) => values(shape, at + 11));
    const loss = (options: EinsumOptions) => (a: F64, b: F64, c: F64): F64 => sum(einsum('ij,jk,kl->il', [a, b, c], options)) as F64;
    const run = (options: EinsumOptions): readonly number[] => {
      const f = jit(grad(loss(options), { context, argnums: [0, 1, 2] } as never) as never, { engine }) as unknown as (...xs: readonly unknown[]) => readonly F64[];
      return [f(...data)].flat().flatMap((gradient) => (gradient.toArray() as number[][]).flat());
    };
    expect(contractionPath('ij,jk,kl->il', shapes, { memoryLimit: 20 }).sliced).not.toEqual([]);
    const [limited, whole] = [run({ memoryLimit: 20 }), run({})];
    limited.forEach((value, at) => expect(value).toBeCloseTo(whole[at] as number, 12));
  });
});
