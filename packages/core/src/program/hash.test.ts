import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Program } from '../contract.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { matmul } from '../primitives/contraction.ts';
import { sum } from '../primitives/reduce.ts';
import { symbolicDim } from '../types/dim.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';
import { Builder } from './builder.ts';
import { BoundedCache } from './cache.ts';
import { programHash, sameProgram } from './hash.ts';
import { parseProgram } from './parse.ts';
import { printProgram } from './print.ts';
import { callOperation, randomProgram, testCatalog } from './random-program.testing.ts';

/** The program with every value made anew, without names. */
const renamed = (program: Program): Program => parseProgram(printProgram(program).replace(/(%\d+) "(?:[^"\\]|\\.)*"/g, '$1'), testCatalog);
const equal = (a: Program, b: Program): boolean => sameProgram(a, b) && sameProgram(b, a);

describe('equality and hash of programs', () => {
  it('do not see names, identities and creation numbers', () => {
    fc.assert(fc.property(randomProgram({ symbolic: true, bound: true }), (program) => {
      const other = renamed(program);
      expect(equal(program, other)).toBe(true);
      expect(programHash(other)).toBe(programHash(program));
    }), { numRuns: 300, seed: 1 });
  });

  it('agree: the text without names decides', () => {
    const text = (program: Program): string => printProgram(renamed(program));
    fc.assert(fc.property(fc.array(randomProgram({ maximumSteps: 3, maximumInputs: 2, dtypes: ['float64'], steps: ['add', 'neg', 'mulConstant', 'sum', 'flatten', 'call'] }), { minLength: 2, maxLength: 8 }), (programs) => {
      for (const a of programs) {
        for (const b of programs) {
          expect(sameProgram(a, b)).toBe(text(a) === text(b));
          if (sameProgram(a, b)) expect(programHash(a)).toBe(programHash(b));
        }
      }
    }), { numRuns: 100, seed: 1 });
  });

  it('do not see the values of bound inputs', () => {
    const make = (value: unknown): Program => {
      const builder = new Builder();
      return builder.build([add(builder.input(tensorType('float64', [2])), builder.bind(tensorType('float64', [2]), value))]);
    };
    expect(equal(make(1), make('other'))).toBe(true);
    expect(programHash(make(1))).toBe(programHash(make('other')));
  });

  it('see operations, wiring, parameters, types, literals, constraints and regions', () => {
    const make = (write: (builder: Builder) => Program): Program => write(new Builder());
    const type = tensorType('float64', [2, 2]);
    const binary = (f: (x: never, y: never) => unknown, swap = false, shape: TensorType = type): Program => make((builder) => {
      const [x, y] = [builder.input(shape), builder.input(shape)];
      return builder.build([f((swap ? y : x) as never, (swap ? x : y) as never) as never]);
    });
    const unary = (f: (x: never) => unknown): Program => make((builder) => builder.build([f(builder.input(type) as never) as never]));
    const call = (constant: number): Program => make((builder) => {
      const inner = new Builder();
      const body = inner.build([mul(inner.input(type), constant)]);
      return builder.build([builder.emit(callOperation, [builder.input(type)], { body })[0] as never]);
    });
    const constrained = (name: string): Program => make((builder) => {
      const [a, b] = [builder.input(tensorType('float64', [2, symbolicDim('n')])), builder.input(tensorType('float64', [symbolicDim(name), 2]))];
      return builder.build([matmul(a, b)]);
    });
    const all = [
      binary(add), binary(mul), binary(add, true), binary(add, false, tensorType('float64', [3])), binary(add, false, tensorType('float32', [2, 2])),
      unary((x) => sum(x, { axes: 0 })), unary((x) => sum(x, { axes: 1 })), unary((x) => sum(x, { axes: 0, keepdims: true })),
      unary((x) => add(x, 1)), unary((x) => add(x, 2)), unary((x) => add(x, 0)), unary((x) => add(x, -0)), unary((x) => x), call(2), call(3), constrained('n'), constrained('m'),
    ];
    all.forEach((a, at) => all.forEach((b, other) => expect(sameProgram(a, b), `${at} ${other}`).toBe(at === other)));
    expect(new Set(all.map(programHash)).size).toBe(all.length);
  });

  it('of a cache with a constant hash still find the right entry', () => {
    const cache = new BoundedCache<Program, string>({ hash: () => 7, same: sameProgram });
    fc.assert(fc.property(randomProgram({ maximumSteps: 4 }), (program) => {
      const key = printProgram(renamed(program));
      expect(cache.getOrCreate(program, () => key)).toBe(key);
      expect(cache.getOrCreate(renamed(program), () => 'made again')).toBe(key);
    }), { numRuns: 200, seed: 1 });
  });

  it('take no stack for 100 000 instructions', () => {
    const chain = (): Program => {
      const builder = new Builder();
      let y = builder.input(tensorType('float64', []));
      for (let step = 0; step < 100_000; step++) y = add(y, y);
      return builder.build([y]);
    };
    const [a, b] = [chain(), chain()];
    expect(sameProgram(a, b)).toBe(true);
    expect(programHash(a)).toBe(programHash(b));
  });
});
