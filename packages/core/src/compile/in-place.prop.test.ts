import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BufferView, LoopStep, Plan, Step } from '../contract.ts';
import { randomProgram, stepNames } from '../program/random-program.testing.ts';
import { dimText } from '../types/dim.ts';
import { compileProgram } from './compile.ts';

const programs = randomProgram({ maximumSteps: 40, steps: stepNames.filter((name) => name !== 'call'), symbolic: true });

/** Which buffer's values lie in each memory, as the steps go. */
class Memories {
  readonly #holders = new Map<string, number>();
  readonly #plan: Plan;
  /** How often a loop wrote where it read. */
  inPlace = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  read(buffer: number): void {
    const { place } = this.#plan.buffers[buffer]!;
    if (place.kind !== 'input' && place.kind !== 'constant') expect([buffer, this.#holders.get(this.#memory(buffer))]).toEqual([buffer, buffer]);
  }

  write(buffer: number): void {
    this.#holders.set(this.#memory(buffer), buffer);
  }

  /** What is written over another buffer that the loop reads is walked as that one, and nothing is folded. */
  loop({ kernel, reads, writes }: LoopStep): void {
    for (const view of reads) this.read(view.buffer);
    for (const write of writes) {
      const same = reads.filter(({ buffer }) => this.#memory(buffer) === this.#memory(write.buffer));
      if (same.some(({ buffer }) => buffer !== write.buffer)) {
        this.inPlace++;
        expect(kernel.reduce).toBe(undefined);
        expect(same.map(walked)).toEqual(same.map(() => walked(write)));
      }
    }
    for (const write of writes) this.write(write.buffer);
  }

  #memory(buffer: number): string {
    const { place } = this.#plan.buffers[buffer]!;
    return place.kind === 'constant' ? `constant ${buffer}` : `${place.kind} ${place.kind === 'input' || place.kind === 'output' ? place.index : place.slot}`;
  }
}

function walked({ offset, strides }: BufferView): string {
  return [offset, ...strides].map(dimText).join();
}

function follow(memories: Memories, step: Step): void {
  switch (step.kind) {
    case 'loop':
      memories.loop(step);
      return;
    case 'tile':
      for (const inner of step.steps) memories.loop(inner);
      return;
    case 'contract':
      for (const { buffer } of [step.lhs, step.rhs]) memories.read(buffer);
      memories.write(step.out.buffer);
      return;
    case 'gather':
      for (const { buffer } of [step.source, step.indices]) memories.read(buffer);
      memories.write(step.out.buffer);
      return;
    case 'scatter':
      for (const { buffer } of [step.updates, step.indices, step.target]) memories.read(buffer);
      return;
    case 'copy':
      memories.read(step.from.buffer);
      memories.write(step.to.buffer);
      return;
    case 'scan':
      for (const { buffer } of step.reads) memories.read(buffer);
      memories.write(step.write.buffer);
      return;
    case 'sort':
      memories.read(step.from.buffer);
      for (const { buffer } of [step.values, step.indices, step.workspace]) memories.write(buffer);
      return;
    case 'iota':
      memories.write(step.out.buffer);
      return;
    case 'call':
      for (const { buffer } of step.inputs) memories.read(buffer);
      for (const { buffer } of [...step.outputs, ...(step.workspace === undefined ? [] : [step.workspace])]) memories.write(buffer);
      return;
    case 'size':
      memories.write(step.to.buffer);
      return;
    case 'extent':
      memories.read(step.from.buffer);
      memories.write(step.to.buffer);
      return;
    case 'repeat':
      for (const inner of step.steps) follow(memories, inner);
      return;
    case 'while':
      for (const inner of step.condition) follow(memories, inner);
      memories.read(step.holds.buffer);
      for (const inner of step.steps) follow(memories, inner);
      return;
    case 'branch':
      memories.read(step.index.buffer);
      for (const branch of step.branches) for (const inner of branch) follow(memories, inner);
      return;
    default:
      step satisfies never;
  }
}

it('whatever shares memory, each step finds what it reads where it was written', () => {
  let inPlace = 0;
  fc.assert(fc.property(programs, fc.boolean(), fc.boolean(), (program, fuse, tile) => {
    const plan = compileProgram(program, { fuse, tile });
    const memories = new Memories(plan);
    for (const step of plan.steps) follow(memories, step);
    inPlace += memories.inPlace;
  }), { numRuns: 300, seed: 1 });
  expect(inPlace).toBeGreaterThan(50);
});
