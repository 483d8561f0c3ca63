import { add, cond, convert, dynamicTruncate, exp, greater, less, mul, type Operand, padToMatch, reshape, scan, slice, sum, symbolicDim, TfError, whileLoop } from '@tf/core';
import { describe, expect, it, test } from 'vitest';
import { type CpuWasmEngine, createEngineSync } from '../engine.ts';
import { elementwisePlan, argumentOf } from '../testing/plans.ts';
import { hostModule, planFor, scaleBytes, scaled, scaleOnHost, symbol, tables, wasmModule } from './kernels.testing.ts';

type F = (...inputs: readonly Operand[]) => unknown;
type Shapes = readonly (readonly (number | ReturnType<typeof symbolicDim>)[])[];

const modes = [
  ['host', { modules: [hostModule()] }],
  ['host on plain memory', { modules: [hostModule()], memory: { shared: false } }],
  ['wasm', { modules: [wasmModule(scaleBytes())] }],
  ['wasm on plain memory', { modules: [wasmModule(scaleBytes())], memory: { shared: false } }],
  ['host in debug mode', { modules: [hostModule()], debug: 'memory' }],
  ['wasm in debug mode', { modules: [wasmModule(scaleBytes())], debug: 'memory' }],
] as const;

/** All outputs, one after the other. */
function run(engine: CpuWasmEngine, shapes: Shapes, f: F, inputs: readonly (readonly number[])[], sizes: Shapes = shapes): readonly (readonly number[])[] {
  const outputs = engine.compile(planFor(engine, shapes, f)).run(inputs.map((data, at) => ({ data: Float64Array.from(data), shape: sizes[at] as readonly number[] })));
  return outputs.map((output) => {
    const values = [...(engine.read(output) as Float64Array)];
    output.dispose();
    return values;
  });
}

/** As many elements as are greater than 0. */
const cut: F = (x) => [padToMatch(scaled(dynamicTruncate(x!, sum(convert(greater(x!, 0), 'int32') as Operand) as never, 0) as Operand, 3), x!)];

describe.each(modes)('kernels of an execution module: %s', (_name, options) => {
  const engine = createEngineSync(options);

  it('are what the engine says it has', () => {
    expect([...engine.kernels!]).toEqual([symbol]);
  });

  it('run between other steps, with tables and integers', () => {
    expect(run(engine, [[4]], (x) => [exp(scaled(mul(x!, 2) as Operand, 3)), scaled(x!, -1)], [[0, 1, -1, 0.5]])).toEqual([[0, 6, -6, 3].map(Math.exp), [-0, -1, 1, -0.5]]);
  });

  it('get what lies in rows where it begins, and a copy of what does not', () => {
    const matrix = [1, 2, 3, 4, 5, 6];
    expect(run(engine, [[2, 3]], (x) => scaled(slice(x!, [1, 0], [2, 3]) as Operand, 2), [matrix])).toEqual([[8, 10, 12]]);
    expect(run(engine, [[6]], (x) => scaled(slice(x!, [0], [6], [2]) as Operand, 10), [matrix])).toEqual([[10, 30, 50]]);
  });

  it('run in the bodies of loops and branches, at the slice of each iteration', () => {
    const steps: F = (c, xs) => scan((s: Operand, x: Operand) => {
      const y = cond(greater(sum(x), 3) as never, (a: Operand) => scaled(a, 10), (a: Operand) => scaled(a, -1), x) as Operand;
      return [add(s, scaled(y, 2)) as Operand, scaled(x, 7)] as const;
    }, c!, xs!);
    expect(run(engine, [[2], [3, 2]], steps, [[0, 0], [1, 1, 2, 2, 3, 3]])).toEqual([[98, 98], [7, 7, 14, 14, 21, 21]]);
    expect(run(engine, [[2]], (x) => whileLoop((y: Operand) => less(sum(y), 100) as never, (y: Operand) => scaled(y, 3), x!), [[1, 2]])).toEqual([[81, 162]]);
  });

  it('get sizes that the run decides, one after the other', () => {
    const n = symbolicDim('n');
    const values = [[1, 2, -3, -4], [1, 2, 3, 4], [1, -2, -3, -4, -5], [-1, -2], [1, 2, -3, -4]];
    for (const x of values) {
      const kept = x.filter((value) => value > 0).length;
      expect(run(engine, [[n]], cut, [x], [[x.length]])).toEqual([x.map((value, at) => (at < kept ? 3 * value : 0))]);
    }
  });

  it('are not called for results of no elements', () => {
    expect(run(engine, [[0]], (x) => scaled(x!, 2), [[]])).toEqual([[]]);
    expect(run(engine, [[2]], cut, [[-1, -1]])).toEqual([[0, 0]]);
  });

  it('find their memory after it has grown', () => {
    const small = createEngineSync({ ...options, memory: { ...('memory' in options ? options.memory : {}), initialBytes: 2 ** 21 } });
    const x = small.upload('float64', [3], Float64Array.of(1, 2, 3));
    const executable = small.compile(planFor(small, [[3]], (of) => scaled(of, 2)));
    // Twice at the same addresses, before and after.
    const once = (): unknown => {
      const [y] = executable.run([x]);
      const values = [...(small.read(y!) as Float64Array)];
      y!.dispose();
      return values;
    };
    expect([once(), once()]).toEqual([[2, 4, 6], [2, 4, 6]]);
    for (let bytes = 2 ** 22; bytes <= 2 ** 24; bytes *= 2) {
      const { growths } = small.memory();
      small.upload('bool', [bytes], new Uint8Array(bytes));
      expect(small.memory().growths).toBeGreaterThan(growths);
      expect([once(), once()]).toEqual([[2, 4, 6], [2, 4, 6]]);
    }
  });

  it('say which element has no result; the run ends after its last step, and nothing is lost', () => {
    const executable = engine.compile(planFor(engine, [[3]], (x) => [scaled(scaled(x!, 2), 3), exp(x!)]));
    const given = (...data: readonly number[]): { readonly data: Float64Array; readonly shape: readonly number[] } => ({ data: Float64Array.from(data), shape: [3] });
    executable.run([given(1, 2, 3)]).forEach((output) => output.dispose());
    const before = engine.stats();
    for (let time = 0; time < 3; time++) {
      expect(() => executable.run([given(1, NaN, NaN)])).toThrow(expect.objectContaining({ name: 'KernelError', fields: { op: symbol, batchIndex: 1 }, message: expect.stringContaining('the value is not a number') as unknown }));
    }
    expect(engine.stats()).toMatchObject({ liveBuffers: before.liveBuffers, bytesInUse: before.bytesInUse });
    expect([...(engine.read(executable.run([given(1, 2, 3)])[0]!) as Float64Array)]).toEqual([6, 12, 18]);
  });

  it('have their tables made once for the same integers', () => {
    const { tables: before } = engine.memory().kinds;
    run(engine, [[3]], (x) => scaled(x!, 123), [[1, 2, 3]]);
    const { tables: held, modules } = engine.memory().kinds;
    expect(held).toBe(before + 64);
    run(engine, [[3]], (x) => scaled(scaled(x!, 123), 123), [[1, 2, 3]]);
    expect(engine.memory().kinds).toMatchObject({ tables: held, modules });
  });
});

test('a kernel for the engine itself runs before a host kernel, which runs where there is none', () => {
  const calls: string[] = [];
  const host = hostModule({ run: (call) => void (calls.push('host'), scaleOnHost.run(call)) });
  for (const modules of [[host, wasmModule(scaleBytes())], [wasmModule(scaleBytes()), host]]) run(createEngineSync({ modules }), [[2]], (x) => scaled(x!, 2), [[1, 2]]);
  expect(calls).toEqual([]);
  run(createEngineSync({ modules: [host] }), [[2]], (x) => scaled(x!, 2), [[1, 2]]);
  expect(calls).toEqual(['host']);
});

test('tables are computed once per integers, and a table that a run needs is there for it', () => {
  const asked: number[] = [];
  const engine = createEngineSync({ modules: [hostModule({ tables: (integers) => (asked.push(integers[1]!), tables(integers)) })] });
  const twice = engine.compile(planFor(engine, [[3]], (x) => scaled(scaled(x!, 2), 4)));
  for (let time = 0; time < 3; time++) twice.run([{ data: Float64Array.of(1, 2, 3), shape: [3] }]);
  run(engine, [[3]], (x) => scaled(x!, 4), [[1, 2, 3]]);
  expect(asked).toEqual([2, 4]);
});

test('of several that find no result, the first in the order of the plan is named', () => {
  const engine = createEngineSync({ modules: [hostModule()] });
  const executable = engine.compile(planFor(engine, [[3], [3]], (x, y) => [scaled(x, 2), scaled(y, 3)]));
  const [late, early] = [[1, 2, NaN], [NaN, 2, 3]].map((data) => ({ data: Float64Array.from(data), shape: [3] }));
  for (const [inputs, batchIndex] of [[[late!, early!], 2], [[early!, late!], 0]] as const) expect(() => executable.run(inputs)).toThrow(expect.objectContaining({ fields: { op: symbol, batchIndex } }));
});

test('a plan that calls what the engine does not have is refused when it is compiled', () => {
  const engine = createEngineSync();
  const plan = planFor({ kernels: new Set([symbol]) }, [[3]], (x) => scaled(x!, 2));
  expect(() => engine.compile(plan)).toThrow(expect.objectContaining({ name: 'UnsupportedOnEngineError', fields: { engine: 'cpu-wasm', op: symbol } }));
});

test('plans that differ in a call alone are different plans', () => {
  const engine = createEngineSync({ modules: [hostModule()] });
  const compiled = [2, 3].map((by) => engine.compile(planFor(engine, [[3]], (x) => scaled(x!, by))));
  expect(compiled[0]).not.toBe(compiled[1]);
  expect(engine.compile(planFor(engine, [[3]], (x) => scaled(x!, 2)))).toBe(compiled[0]);
  expect(engine.stats().modulesCompiled).toBe(1);
});

describe('planted: calls that no plan has', () => {
  const engine = createEngineSync({ modules: [hostModule()] });
  const good = planFor(engine, [[3]], (x) => scaled(x!, 2));
  const [step] = good.steps;
  if (step?.kind !== 'call') throw new Error('expected a call');
  it.each([
    ['an output in the buffer of an input', { outputs: step.inputs }],
    ['an output twice', { outputs: [step.outputs[0]!, step.outputs[0]!] }],
    ['an operand of another dtype', { inputs: [{ ...step.inputs[0]!, dtype: 'float32' as const }] }],
    ['a workspace of numbers', { workspace: step.inputs[0]! }],
  ])('%s', (_what, change) => {
    expect(() => engine.compile({ ...good, steps: [{ ...step, ...change }] })).toThrow(expect.objectContaining({ name: 'InvariantError' }));
  });
});

describe('a kernel that is wrong', () => {
  const broken = (work: (call: Parameters<typeof scaleOnHost.run>[0]) => void, debug?: 'memory'): CpuWasmEngine => createEngineSync({ modules: [hostModule({ run: (call) => { scaleOnHost.run(call); work(call); } })], ...(debug === undefined ? {} : { debug }) });
  const use = (engine: CpuWasmEngine): unknown => run(engine, [[3]], (x) => scaled(add(x!, 0.5) as Operand, 2), [[1, 2, 3]]);

  it('and throws is named with its package; what tf throws is let through', () => {
    const cause = new TypeError('no such thing');
    expect(() => use(broken(() => { throw cause; }))).toThrow(expect.objectContaining({ name: 'EngineFaultError', cause, message: expect.stringMatching(/the kernel test\.kernels\.v1\.scale of @test\/kernels@1\.2\.3 failed: TypeError: no such thing/) as unknown }));
    expect(() => use(broken(() => { throw new TfError('ArgumentError', 'scale: too much'); }))).toThrow(expect.objectContaining({ name: 'ArgumentError' }));
  });

  const fault = (what: RegExp): unknown => expect.objectContaining({ name: 'EngineFaultError', message: expect.stringMatching(what) as unknown, fields: expect.objectContaining({ op: symbol, package: '@test/kernels' }) as unknown });

  it.each([['NaN', NaN], ['−1', -1], ['a string', 'done'], ['a promise', Promise.resolve(0)]])('and gives %s is named with its package', (_what, given) => {
    const module = hostModule({ run: (call) => (scaleOnHost.run(call), given as never) });
    expect(() => run(createEngineSync({ modules: [module] }), [[3]], (x) => scaled(x!, 2), [[1, 2, 3]])).toThrow(fault(/the kernel test\.kernels\.v1\.scale of @test\/kernels@1\.2\.3 failed: its run gave/));
  });

  it.each([['throw', () => { throw new TypeError('no tables'); }, /failed: TypeError: no tables/], ['are a string', () => 'tables' as never, /failed: its tables gave string tables/]] as const)('and whose tables %s is named with its package', (_what, tables, message) => {
    const module = hostModule({ ...scaleOnHost, tables });
    expect(() => run(createEngineSync({ modules: [module] }), [[3]], (x) => scaled(x!, 2), [[1, 2, 3]])).toThrow(fault(message));
  });

  it('and uses the engine while it runs is refused; the engine survives', () => {
    let isWrong = true;
    const other = elementwisePlan(['float64'], 'float64', [3], argumentOf('float64', 0));
    const engine: CpuWasmEngine = broken(() => {
      if (isWrong) engine.compile(other).run([{ data: new Float64Array(3), shape: [3] }]);
    });
    expect(() => use(engine)).toThrow(expect.objectContaining({ name: 'EngineFaultError', message: expect.stringContaining('used the engine while it ran') as unknown }));
    isWrong = false;
    expect(use(engine)).toEqual([[3, 5, 7]]);
  });

  it('and writes an input is found in debug mode', () => {
    expect(() => use(broken(({ inputs }) => (inputs[0]![1] = -inputs[0]![1]! as never), 'memory'))).toThrow(expect.objectContaining({ name: 'EngineFaultError', fields: expect.objectContaining({ op: symbol, what: 'input 0', at: 15, side: 'input' }) as unknown }));
  });

  it('and writes its tables is found in debug mode', () => {
    expect(() => use(broken(({ tables: given }) => (given![0] = 0 as never), 'memory'))).toThrow(expect.objectContaining({ fields: expect.objectContaining({ what: 'its tables' }) as unknown }));
  });

  it('and writes beyond an output or its workspace is found in debug mode', () => {
    for (const of of ['outputs', 'workspace'] as const) {
      const engine = broken((call) => {
        const array = of === 'outputs' ? call.outputs[0]! : call.workspace!;
        new Uint8Array(array.buffer, array.byteOffset + array.byteLength, 1).fill(0x55);
      }, 'memory');
      expect(() => use(engine)).toThrow(expect.objectContaining({ name: 'EngineFaultError', fields: expect.objectContaining({ step: 1 }) as unknown, message: expect.stringContaining(`call ${symbol}`) as unknown }));
    }
  });
});

test('kernels are told apart by what an engine has: the same program is a call here and an error there', () => {
  expect(() => planFor(createEngineSync(), [[3]], (x) => reshape(scaled(x!, 2), [3]))).toThrow(expect.objectContaining({ name: 'UnregisteredFamilyError' }));
});
