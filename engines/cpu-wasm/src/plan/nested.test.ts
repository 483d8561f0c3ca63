import { addDims, counterDim, type Dim, type EngineInput, execution, isTfError, loop, mulDims, type Plan, type Step, subDims, symbolicDim, tensorType, type TfError } from '@tf/core';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from '../engine.ts';
import { argumentOf, loopStep, planOf, viewOf } from '../testing/plans.ts';
import { stepAt, stepWords, tableWords } from './table-words.ts';

const [n, m] = [symbolicDim('n'), symbolicDim('m')];
const [i, j] = [counterDim('#i'), counterDim('#j')];
const x = argumentOf('float64', 0);

const repeat = (counter: string, steps: readonly Step[], count: Dim = 3): Step => ({ kind: 'repeat', counter, count, steps });
const copy = (from: Dim, to: Dim = 0): Step => ({ kind: 'copy', dtype: 'float64', elements: 1, from: { buffer: 0, offset: from }, to: { buffer: 1, offset: to } });
const plan = (steps: readonly Step[]): Plan => planOf({ inputs: [tensorType('float64', [n])], outputs: [tensorType('float64', [n])], steps });

function thrownBy(work: () => unknown): TfError {
  try {
    work();
  } catch (thrown) {
    if (isTfError(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}

describe('offsets', () => {
  test('begin where their counters are 0, and move by what a counter is multiplied with', () => {
    const offset = addDims(addDims(mulDims(mulDims(3, n), i), mulDims(subDims(subDims(m, 1), j), n)), 7);
    const counters = ['#i', '#j'];
    expect([execution.startOf(offset, counters), execution.incrementOf(offset, '#i'), execution.incrementOf(offset, '#j'), execution.incrementOf(offset, '#k')].map((dim) => (typeof dim === 'number' ? dim : dim.text))).toEqual(['m*n-n+7', '3*n', '-n', 0]);
    expect([execution.startOf(i, counters), execution.startOf(5, counters), execution.startOf(n, counters), execution.incrementOf(5, '#i'), execution.incrementOf(mulDims(-2, i), '#i')]).toEqual([0, 5, n, 0, -2]);
  });
});

describe('the records of nested steps', () => {
  const steps: readonly Step[] = [
    copy(0),
    repeat('#i', [copy(i), { kind: 'branch', index: viewOf(0, []), branches: [[copy(0)], [], [copy(i), repeat('#j', [copy(0, j)])]] }]),
    { kind: 'while', condition: [copy(1)], holds: viewOf(0, []), steps: [copy(2)] },
  ];

  test('are found by any of their words', () => {
    const [first, second] = steps.map(stepWords) as [number, number, number];
    const pathsFrom = (begin: number, words: number): readonly string[] => [...new Set(Array.from({ length: words }, (_, at) => stepAt(steps, begin + at)!.path.join('.')))];
    expect(pathsFrom(0, tableWords(plan(steps)) - 1)).toEqual(['0', '1', '1.0', '1.1', '1.1.0', '1.1.1', '1.1.2', '1.1.2.0', '2', '2.0', '2.1']);
    expect(stepAt(steps, first + second)!.step).toBe(steps[2]);
    expect(stepAt(steps, tableWords(plan(steps)) - 1)).toBeUndefined();
  });
});

describe('refused', () => {
  const step = loopStep(['float64'], 'float64', [n], [viewOf(0, [1])], viewOf(1, [1]), x);
  const refused: readonly (readonly [string, readonly Step[], RegExp])[] = [
    ['a counter outside its step', [repeat('#i', []), copy(i)], /step 1 has the offset #i; .* are \[\]/],
    ['a product of counters', [repeat('#i', [repeat('#j', [copy(mulDims(i, j))])])], /step 0\.0\.0 has the offset #i\*#j; .*\[#i, #j\], of which a term may have one/],
    ['a square of a counter', [repeat('#i', [copy(mulDims(i, i))])], /step 0\.0 has the offset/],
    ['a counter in an extent', [repeat('#i', [{ ...step, extents: [i] } as Step])], /step 0\.0 has #i where no counter may be/],
    ['a counter in a stride', [repeat('#i', [{ ...step, reads: [viewOf(0, [addDims(i, 1)])] } as Step])], /step 0\.0 has #i\+1 where no counter may be/],
    ['a counter in a length', [repeat('#i', [{ ...copy(0), elements: addDims(n, i) } as Step])], /where no counter may be/],
    ['a counter in the count inside', [repeat('#i', [repeat('#j', [], i)])], /step 0\.0 has #i where no counter may be/],
    ['one counter twice', [repeat('#i', [repeat('#i', [])])], /step 0\.0 counts with #i, which has a meaning already/],
    ['a dimension as counter', [repeat('n', [])], /step 0 counts with n, which/],
    ['a branch step without branches', [{ kind: 'branch', index: viewOf(2, []), branches: [] }], /step 0 has no branch/],
    ['an index that is no int32', [{ kind: 'branch', index: viewOf(0, []), branches: [[]] }], /step 0 takes buffer 0 as int32/],
    ['a condition that is no bool', [repeat('#i', [{ kind: 'while', condition: [], holds: viewOf(2, []), steps: [] }])], /step 0\.0 takes buffer 2 as bool/],
    ['a wrong step in a branch', [{ kind: 'branch', index: viewOf(2, []), branches: [[], [{ ...copy(0), dtype: 'float32' } as Step]] }], /step 0\.0 takes buffer 0 as float32/],
    ['a tile\'s buffer outside of it', [repeat('#i', [{ ...copy(0), from: { buffer: 3, offset: 0 } } as Step])], /step 0\.0 takes buffer 3, which holds no more than a tile/],
  ];

  test.each(refused)('%s', (_, steps, message) => {
    const parts = planOf({ inputs: [tensorType('float64', [n])], outputs: [tensorType('float64', [n])], more: [{ dtype: 'int32', elements: 1, place: { kind: 'arena', slot: 0 } }, { dtype: 'float64', elements: n, place: { kind: 'tile', slot: 0 } }], slots: [[4]], steps });
    expect(thrownBy(() => createEngineSync().compile(parts))).toEqual(expect.objectContaining({ name: 'InvariantError', message: expect.stringMatching(message) as string }));
  });

  test('a symbol that nothing binds, when the plan runs', () => {
    const executable = createEngineSync().compile(plan([repeat('#i', [copy(mulDims(i, m))])]));
    expect(thrownBy(() => executable.run([{ data: new Float64Array(3), shape: [3] }])).name).toBe('ConstraintError');
  });

  test('equal siblings may count alike', () => {
    const engine = createEngineSync();
    const [out] = engine.compile(plan([repeat('#i', [copy(i, i)], n), repeat('#i', [copy(subDims(subDims(n, 1), i), i)], 1)])).run([{ data: Float64Array.of(1, 2, 3), shape: [3] }]);
    expect(engine.read(out!)).toEqual(Float64Array.of(3, 2, 3));
  });
});

describe.each([undefined, 'memory'] as const)('an error inside, debug: %s', (debug) => {
  const engine = createEngineSync(debug === undefined ? {} : { debug });

  /** out[2i + j] = x[i, indices[2i + j]] through all kinds of steps. */
  function gathers(): Plan {
    const at = addDims(mulDims(2, i), j);
    const gather: Step = { kind: 'gather', dtype: 'float64', extents: [1], indices: viewOf(1, [0], at), rows: 3, rowStride: 1, source: viewOf(0, [0], mulDims(3, i)), out: viewOf(4, [1], at) };
    const result: Step = { kind: 'copy', dtype: 'float64', elements: mulDims(2, n), from: { buffer: 4, offset: 0 }, to: { buffer: 2, offset: 0 } };
    const begin = loopStep([], 'bool', [], [], viewOf(3, []), loop.constant('bool', 1));
    const end = loopStep([], 'bool', [], [], viewOf(3, []), loop.constant('bool', 0));
    const choose: Step = { kind: 'branch', index: viewOf(1, []), branches: [[gather], [gather], [gather]] };
    const once: Step = { kind: 'while', condition: [], holds: viewOf(3, []), steps: [choose, end] };
    return planOf({ inputs: [tensorType('float64', [n, 3]), tensorType('int32', [n, 2])], outputs: [tensorType('float64', [n, 2])], more: [{ dtype: 'bool', elements: 1, place: { kind: 'arena', slot: 0 } }, { dtype: 'float64', elements: mulDims(2, n), place: { kind: 'arena', slot: 1 } }], slots: [[1], [mulDims(16, n)]], steps: [repeat('#i', [repeat('#j', [begin, once], 2)], n), result] });
  }

  test('leaves no trace: the next run is right', () => {
    const executable = engine.compile(gathers());
    const source: EngineInput = { data: Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), shape: [3, 3] };
    const run = (...indices: readonly number[]): readonly number[] => [...(engine.read(executable.run([source, { data: Int32Array.from(indices), shape: [3, 2] }])[0]!) as Float64Array)];
    for (const bad of [0, 1, 3, 5]) {
      const indices = [0, 1, 2, -1, -2, -3];
      expect(thrownBy(() => run(...indices.map((index, at) => (at === bad ? 3 : index)))).fields).toEqual({ op: 'gather', index: 3, rows: 3 });
      expect(run(...indices)).toEqual([1, 2, 6, 6, 8, 7]);
    }
  });

  test('a trap names the step inside and its text', () => {
    // 2^29 elements further than the memory reaches.
    const far = (at: Dim): Step => loopStep([], 'float64', [], [], viewOf(1, [], addDims(mulDims(2 ** 28, at), 2 ** 28)), loop.constant('f64', 1));
    const error = thrownBy(() => engine.compile(plan([copy(0), repeat('#i', [copy(0), repeat('#j', [copy(0), far(i)])])])).run([{ data: Float64Array.of(1, 2, 3), shape: [3] }]));
    expect(error).toEqual(expect.objectContaining({ name: 'EngineFaultError', fields: expect.objectContaining({ step: 1 }) as unknown }));
    expect(error.message).toMatch(/^cpu-wasm: step 1\.1\.1 of the plan trapped: .*\nloop \[\] {2}-> 1\+268435456\*#i\+268435456\[\]/s);
  });
});

describe('debug memory', () => {
  const engine = createEngineSync({ debug: 'memory' });
  const fill = (offset: Dim): Step => loopStep([], 'float64', [2], [], viewOf(1, [1], offset), loop.constant('f64', 1));
  const filling = (offset: Dim): Plan => planOf({ inputs: [tensorType('float64', [n])], outputs: [tensorType('float64', [n])], steps: [copy(0), repeat('#i', [fill(offset)], n)] });
  const input: EngineInput = { data: Float64Array.of(1, 2, 3), shape: [3] };

  test('runs good plans, step by step on the outside', () => {
    expect(() => engine.compile(filling(i)).run([input])).toThrow(expect.objectContaining({ name: 'EngineFaultError', fields: expect.objectContaining({ step: 1, side: 'after', bytes: 24 }) as unknown }));
    const [out] = engine.compile(planOf({ inputs: [tensorType('float64', [n])], outputs: [tensorType('float64', [n])], steps: [repeat('#i', [copy(i, i)], n)] })).run([input]);
    expect(engine.read(out!)).toEqual(input.data);
  });

  test('says in full which step it was', () => {
    expect(thrownBy(() => engine.compile(filling(subDims(0, i))).run([input])).message).toMatch(/^cpu-wasm: step 1 of the plan \(repeat #i < n\n {2}loop \[2\] {2}-> 1\+-#i\[1\]/s);
  });
});
