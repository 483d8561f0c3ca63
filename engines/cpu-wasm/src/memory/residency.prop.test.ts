import { type DeviceBuffer, type Engine, type Executable, loop, tensorType, type TypedArray } from '@tf/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTunedEngine } from '../engine.ts';
import { argumentOf, loopStep, planOf, viewOf } from '../testing/plans.ts';
import { firstDifference, randomValues } from '../testing/values.ts';

const MiB = 2 ** 20;

interface Held {
  readonly buffer: DeviceBuffer;
  readonly expected: TypedArray;
}

interface Machine {
  readonly engine: Engine;
  /** [a + b, −a], the sum by way of the arena. */
  readonly plans: ReadonlyMap<number, Executable>;
  readonly held: Held[];
}

const sizes = [1, 64, 1000, 1100, 9000, 40000];

function addPlan(n: number): Parameters<Engine['compile']>[0] {
  const type = tensorType('float32', [n]);
  const [a, b] = [argumentOf('float32', 0), argumentOf('float32', 1)];
  return planOf({
    inputs: [type, type],
    outputs: [type, type],
    more: [{ dtype: 'float32', elements: n, place: { kind: 'arena', slot: 0 } }],
    slots: [[4 * n]],
    steps: [
      loopStep(['float32', 'float32'], 'float32', [n], [viewOf(0, [1]), viewOf(1, [1])], viewOf(4, [1]), loop.add(a, b)),
      loopStep(['float32'], 'float32', [n], [viewOf(0, [1])], viewOf(3, [1]), loop.neg(a)),
      { kind: 'copy', dtype: 'float32', elements: n, from: { buffer: 4, offset: 0 }, to: { buffer: 2, offset: 0 } },
    ],
  });
}

const machineWith = (budgetBytes: number): Machine => {
  const engine = createTunedEngine({ memory: { initialBytes: 4 * 65536, maximumBytes: 8 * MiB } }, { budgetBytes });
  return { engine, plans: new Map(sizes.map((n) => [n, engine.compile(addPlan(n))])), held: [] };
};

const pick = fc.nat(1e6);
const commands = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('upload' as const), a: pick, b: pick, keep: fc.constant(3) }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('run' as const), a: pick, b: pick, keep: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('dispose' as const, 'forget' as const, 'read' as const), a: pick, b: pick, keep: fc.constant(0) }) },
  ),
  { minLength: 20, maxLength: 120 },
);
type Command = typeof commands extends fc.Arbitrary<(infer C)[]> ? C : never;

function sameValue({ engine }: Machine, { buffer, expected }: Held): void {
  expect(firstDifference(engine.read(buffer), expected)).toBe(-1);
}

/** Both operands may be one buffer, of which then only one is in the heap. */
function runAdd(machine: Machine, command: Command): void {
  const first = machine.held[command.a % machine.held.length]!;
  const partners = machine.held.filter(({ expected }) => expected.length === first.expected.length);
  const second = partners[command.b % partners.length]!;
  const outputs = machine.plans.get(first.expected.length)!.run([first.buffer, second.buffer]);
  const sum = (first.expected as Float32Array).map((x, i) => x + Number(second.expected[i]));
  const values = [sum, (first.expected as Float32Array).map((x) => -x)];
  outputs.forEach((buffer, i) => {
    if ((command.keep & (1 << i)) !== 0) machine.held.push({ buffer, expected: values[i]! });
  });
}

function carryOut(machine: Machine, command: Command): void {
  const { engine, held } = machine;
  if (command.kind === 'upload' || held.length === 0) {
    const n = sizes[command.a % sizes.length]!;
    const data = randomValues('float32', n, command.b);
    held.push({ buffer: engine.upload('float32', [n], data), expected: data });
  } else if (command.kind === 'run') {
    runAdd(machine, command);
  } else if (command.kind === 'read') {
    sameValue(machine, held[command.a % held.length]!);
  } else {
    const [gone] = held.splice(command.a % held.length, 1) as [Held];
    if (command.kind === 'forget') return;
    gone.buffer.dispose();
    gone.buffer.dispose();
    expect(gone.buffer.disposed).toBe(true);
    expect(() => engine.read(gone.buffer)).toThrow(expect.objectContaining({ name: 'DisposedError' }));
  }
}

test.each([0, 65536, MiB])('whoever holds a value finds it as it was, whatever was evicted: budget %s', { timeout: 120_000 }, (budget) => {
  fc.assert(
    fc.property(commands, (list) => {
      const machine = machineWith(budget);
      for (const command of list) carryOut(machine, command);
      for (const held of machine.held) sameValue(machine, held);
      for (const { buffer } of machine.held) expect(buffer.disposed).toBe(false);
      const { liveBuffers } = machine.engine.stats();
      for (const { buffer } of machine.held) buffer.dispose();
      expect(machine.engine.stats().liveBuffers).toBe(liveBuffers - machine.held.length);
      machine.engine.dispose();
    }),
    { numRuns: 40, seed: 1 },
  );
});
