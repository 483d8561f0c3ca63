import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Program } from '../contract.ts';
import { randomProgram } from '../program/random-program.testing.ts';
import { dedupe } from './dedupe.ts';
import { indexProgram, ProgramIndices } from './program-index.ts';
import { createTarget } from './target.ts';

/** Few operations on few values: much is equal. */
const programs = randomProgram({ maximumSteps: 40, maximumInputs: 1, steps: ['add', 'mul', 'exp', 'neg', 'sum', 'scan', 'addTensor', 'square', 'barrier', 'dynamicTruncate', 'size'] });

function shortened(program: Program, rest: Program): boolean {
  return rest.instructions.length < program.instructions.length;
}

it('of what dedupe leaves, the index made of the old one is that of the program', () => {
  let found = 0;
  fc.assert(fc.property(programs, (program) => {
    const target = createTarget();
    const rest = dedupe(program, target);
    if (shortened(program, rest)) found++;
    expect(target.indices.of(rest)).toEqual(indexProgram(rest, target.indices.codes));
  }), { numRuns: 300, seed: 1 });
  expect(found).toBeGreaterThan(100);
});

it('programs of one compile have one number for equal operations, literals and types, and one index each', () => {
  fc.assert(fc.property(programs, programs, (one, other) => {
    const indices = new ProgramIndices();
    expect(indices.of(one)).toBe(indices.of(one));
    const index = indices.of(other);
    expect(indexProgram(other, indices.codes)).toEqual(index);
    const codes = new Map(index.instructions.map((instruction, at) => [index.operations[at], instruction.operation.id]));
    one.instructions.forEach(({ operation: { id } }, at) => {
      const same = codes.get(indices.of(one).operations[at]);
      if (same !== undefined) expect(same).toBe(id);
    });
  }), { numRuns: 100, seed: 1 });
});
