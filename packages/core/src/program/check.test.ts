import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instruction, Program, Var } from '../contract.ts';
import { mul } from '../primitives/arithmetic.ts';
import { exp } from '../primitives/functions.ts';
import { tensorType } from '../types/tensor-type.ts';
import { Builder } from './builder.ts';
import { checkProgram } from './check.ts';
import { callOperation, randomProgram } from './random-program.testing.ts';

const type = tensorType('float64', [2]);
const builder = new Builder();
const x = builder.input(type, 'x');
const y = exp(x);
const z = mul(y, x);
const sound = builder.build([z]);
const [first, second] = sound.instructions as readonly [Instruction, Instruction];
const foreign = new Builder().input(type);
const withInstructions = (...instructions: readonly Instruction[]): Program => ({ ...sound, instructions });
const region = (body: Program): Program => withInstructions({ operation: callOperation, inputs: [x], params: { body }, outputs: [z], number: 1e9 });

describe('checkProgram', () => {
  it('accepts every program that a builder makes', () => {
    fc.assert(fc.property(randomProgram({ symbolic: true, bound: true }), (program) => checkProgram(program)), { seed: 1 });
  });

  const cases: readonly (readonly [string, Program, RegExp])[] = [
    ['a use before the definition', withInstructions(second, { ...first, number: 1e9 }), /tf\.core\.mul uses %1 before it is defined/],
    ['a use of a foreign value', withInstructions({ ...first, inputs: [foreign] }, second), /tf\.core\.exp uses %0 before it is defined/],
    ['an output that is not defined', { ...sound, outputs: [foreign] }, /return uses %0/],
    ['a value defined by two instructions', withInstructions(first, { ...first, number: 1e9 }, { ...second, number: 2e9 }), /%1 is defined twice/],
    ['an input given twice', { ...sound, inputs: [x, x] }, /%0 is defined twice/],
    ['an input that is bound as well', { ...sound, bound: [{ variable: x, value: 1 }] }, /%0 is defined twice/],
    ['instructions out of order', withInstructions(first, { ...second, number: first.number }), /out of the order of their creation/],
    ['a type that is not the inferred one', withInstructions(first, { ...second, outputs: [{ ...(z as Var), type: tensorType('float64', [3]) } as Var] }), /tf\.core\.mul: output 0 is f64\[3\], inferred f64\[2\]/],
    ['a wrong number of outputs', withInstructions(first, { ...second, outputs: [z, foreign] }), /infers 1 outputs and has 2/],
    ['a region with bound inputs', region({ ...sound, bound: [{ variable: foreign, value: 1 }] }), /a region has bound inputs/],
    ['a region that uses a value from outside', region({ ...sound, inputs: [foreign], instructions: [] }), /return uses %2/],
    ['a fault inside a region', region(withInstructions(second)), /uses %1 before/],
    ['a fault in a region of a list', withInstructions({ operation: callOperation, inputs: [x], params: { body: sound, more: [1, withInstructions(second)] }, outputs: [z], number: 1e9 }), /uses %1 before/],
  ];

  it.each(cases)('refuses %s', (_, program, says) => {
    expect(() => checkProgram(program)).toThrow(expect.objectContaining({ name: 'InvariantError', message: expect.stringMatching(says) as string }));
  });

  it('accepts the sound one they were made from', () => {
    expect(() => checkProgram(sound)).not.toThrow();
    expect(() => checkProgram(region(sound))).not.toThrow();
  });
});
