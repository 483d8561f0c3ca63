import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Atom, Instruction, LoopStep, Program, Var } from '../contract.ts';
import { nodesInOrder } from '../loop/order.ts';
import { randomProgram, stepNames } from '../program/random-program.testing.ts';
import { compileProgram } from './compile.ts';
import { fusionUnits } from './fuse.ts';
import { indexProgram } from './program-index.ts';

interface NamedUnit {
  readonly members: readonly Instruction[];
  readonly root: Instruction | undefined;
  readonly stored: readonly Var[];
}

/** The units of a program by what their numbers stand for. */
function unitsOf(program: Program): readonly NamedUnit[] {
  const index = indexProgram(program);
  const at = (number: number): Instruction => index.instructions[number] as Instruction;
  return fusionUnits(index).map(({ members, root, stored }) => ({ members: members.map(at), root: root === undefined ? undefined : at(root), stored: stored.map((value) => index.numbers.values[value] as Var) }));
}

function instructionsOf({ members, root }: NamedUnit): readonly Instruction[] {
  return root === undefined ? members : [...members, root];
}

const programs = randomProgram({ maximumSteps: 40 });

it('every instruction is in one unit, after what it reads', () => {
  fc.assert(fc.property(programs, (program) => {
    const known = new Set<Atom>([...program.inputs, ...program.bound.map(({ variable }) => variable)]);
    let count = 0;
    for (const unit of unitsOf(program)) {
      for (const { inputs, outputs } of instructionsOf(unit)) {
        count++;
        for (const input of inputs) expect('literal' in input || known.has(input)).toBe(true);
        for (const output of outputs) known.add(output);
      }
    }
    expect(count).toBe(program.instructions.length);
  }), { numRuns: 200, seed: 1 });
});

it('what a unit reads was stored: by itself, an earlier unit, or an instruction of another kind', () => {
  fc.assert(fc.property(programs, (program) => {
    const inMemory = new Set<Atom>([...program.inputs, ...program.bound.map(({ variable }) => variable)]);
    for (const unit of unitsOf(program)) {
      const own = new Set<Atom>(unit.members.flatMap(({ outputs }) => outputs));
      for (const { inputs } of instructionsOf(unit)) for (const input of inputs) expect('literal' in input || own.has(input) || inMemory.has(input)).toBe(true);
      for (const value of unit.stored) inMemory.add(value);
      for (const output of unit.root?.outputs ?? []) inMemory.add(output);
    }
    for (const output of program.outputs) expect('literal' in output || inMemory.has(output)).toBe(true);
  }), { numRuns: 200, seed: 1 });
});

it('kernels keep their limits', () => {
  fc.assert(fc.property(randomProgram({ maximumSteps: 40, steps: stepNames.filter((name) => name !== 'call') }), (program) => {
    for (const step of compileProgram(program, { check: true, tile: false }).steps) {
      if (step.kind !== 'loop') continue;
      const { reads, body } = (step as LoopStep).kernel;
      expect(reads.length).toBeLessThanOrEqual(16);
      expect(nodesInOrder(body).length).toBeLessThanOrEqual(1000);
    }
  }), { numRuns: 100, seed: 1 });
});
