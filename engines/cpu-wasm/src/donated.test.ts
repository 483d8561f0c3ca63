import { add, type Atom, Builder, compileProgram, type DeviceBuffer, exp, matmul, mul, type Plan, sum, take, tensorType, transpose, type Var } from '@tf/core';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from './index.ts';
import { WasmBuffer } from './memory/buffer.ts';
import { createTunedEngine } from './engine.ts';

const n = 4096;
const side = 64;
const engine = createEngineSync();

function planOf(inputs: number, f: (...inputs: readonly Var[]) => readonly unknown[], shape: readonly number[] = [n], donate: readonly number[] = [0]): Plan {
  const builder = new Builder();
  return compileProgram(builder.build(f(...Array.from({ length: inputs }, () => builder.input(tensorType('float64', shape)))) as readonly Atom[]), { donate });
}

const filled = (value: number, on = engine): DeviceBuffer => on.upload('float64', [n], new Float64Array(n).fill(value));
const addressOf = (buffer: DeviceBuffer): number => (buffer as WasmBuffer).slot.address;

describe('a donated input', () => {
  test('gives its memory to an output: a training step takes none, and is right', () => {
    const step = engine.compile(planOf(3, (w, m, g) => {
      const moment = add(mul(m!, 0.5), g!) as Var;
      return [add(w!, mul(moment, -0.25)), moment];
    }, [n], [0, 1]));
    let [w, m] = [filled(1), filled(2)] as [DeviceBuffer, DeviceBuffer];
    const gradient = filled(3);
    const places = [addressOf(w), addressOf(m)].sort();
    let { bytesInUse, liveBuffers } = engine.stats();
    let [expectedW, expectedM] = [1, 2];
    for (let at = 0; at < 6; at++) {
      // What the engine keeps for further runs it has since the first: threads have places of their own.
      if (at === 1) ({ bytesInUse, liveBuffers } = engine.stats());
      const before = [w, m];
      [w, m] = step.run([w, m, gradient], { donate: [0, 1] }) as [DeviceBuffer, DeviceBuffer];
      [expectedM] = [expectedM * 0.5 + 3];
      expectedW -= 0.25 * expectedM;
      expect(before.map(({ disposed, donated }) => [disposed, donated])).toEqual([[true, true], [true, true]]);
      expect([addressOf(w), addressOf(m)].sort()).toEqual(places);
    }
    expect([engine.read(w)[n - 1], engine.read(m)[0], engine.read(gradient)[7]]).toEqual([expectedW, expectedM, 3]);
    expect(engine.stats()).toMatchObject({ bytesInUse, liveBuffers });
    for (const buffer of [w, m, gradient]) buffer.dispose();
    expect(engine.stats().liveBuffers).toBe(liveBuffers - 3);
  });

  test('is only freed where an output may not take it: it is read later, in another order, folded, or given twice', () => {
    const cases: readonly (readonly [plan: Plan, inputs: number])[] = [
      [planOf(2, (x, y) => { const p = matmul(x!, y!); return [exp(p), sum(matmul(x!, p))]; }, [side, side]), 1],
      [planOf(1, (x) => [exp(add(transpose(x!), x!))], [side, side]), 1],
      [planOf(1, (x) => [matmul(x!, x!)], [side, side]), 1],
      [planOf(1, (x) => [sum(x!)]), 1],
      [planOf(2, (x, y) => [add(x!, y!)]), 1],
    ];
    cases.forEach(([plan], at) => {
      const shape = plan.inputs[0]!.shape as readonly number[];
      const data = Float64Array.from({ length: n }, (_, i) => Math.sin(i));
      const [kept, given] = [engine.upload('float64', shape, data), engine.upload('float64', shape, data)];
      // The last one is given for both inputs.
      const inputs = (x: DeviceBuffer): readonly DeviceBuffer[] => plan.inputs.map((_, input) => (input === 0 || at === cases.length - 1 ? x : kept));
      const address = addressOf(given);
      const [expected, found] = [engine.compile(plan).run(inputs(kept)), engine.compile(plan).run(inputs(given), { donate: [0] })];
      expect(found.map((output) => engine.read(output))).toEqual(expected.map((output) => engine.read(output)));
      expect(found.map(addressOf)).not.toContain(address);
      expect([given.donated, given.disposed, engine.read(kept)]).toEqual([true, true, data]);
    });
  });

  test('is an error to use afterwards, and stays where the run was refused', () => {
    const plan = planOf(2, (x, y) => [add(x!, y!)]);
    const [x, y] = [filled(1), filled(2)];
    const short = engine.upload('float64', [3], Float64Array.of(1, 2, 3));
    expect(() => engine.compile(plan).run([x, short], { donate: [0] })).toThrow(expect.objectContaining({ name: 'ShapeError' }));
    expect(() => engine.compile(plan).run([x, y], { donate: [2] })).toThrow(/donate lists input 2 of 2/);
    expect([x.disposed, engine.read(x)[0]]).toEqual([false, 1]);
    engine.compile(plan).run([x, y], { donate: [0] });
    expect(() => engine.read(x)).toThrow(expect.objectContaining({ name: 'DisposedError', message: expect.stringContaining('donated') as string }));
    expect(() => engine.compile(plan).run([x, y])).toThrow(expect.objectContaining({ name: 'DisposedError', message: expect.stringContaining('donated') as string }));
    x.dispose();
  });

  test('is gone where the run failed halfway', () => {
    const builder = new Builder();
    const [x, at] = [builder.input(tensorType('float64', [n])), builder.input(tensorType('int32', [n]))];
    const picking = compileProgram(builder.build([mul(take(x, at as never), 2)] as unknown as readonly Atom[]), { donate: [0] });
    const { liveBuffers } = engine.stats();
    const [given, indices] = [filled(1), engine.upload('int32', [n], new Int32Array(n).fill(n))];
    expect(() => engine.compile(picking).run([given, indices], { donate: [0] })).toThrow(expect.objectContaining({ name: 'IndexError' }));
    expect([given.disposed, given.donated, engine.stats().liveBuffers]).toEqual([true, true, liveBuffers + 1]);
  });

  test('comes back into memory if it was evicted, and serves', () => {
    const small = createTunedEngine({}, { budgetBytes: 8 * n });
    const plan = planOf(1, (x) => [exp(mul(x!, 0))]);
    const x = filled(3, small);
    filled(1, small);
    filled(2, small);
    expect((x as WasmBuffer).slot.copy).toBeDefined();
    const [y] = small.compile(plan).run([x], { donate: [0] });
    expect([small.read(y!)[5], x.donated]).toEqual([1, true]);
  });
});
