import { add, allSteps, applyOperation, compileProgram, cond, convert, type Dim, dynamicTruncate, type Engine, greater, type HostModule, type Operand, type Operation, padToMatch, type Plan, scan, slice, sum, symbolicDim, tensorType, transpose, type TypedArray, type Var } from '@tf/core';
import { programOf } from '../../programs.ts';
import { type HostValue, hostValue } from '../../values.ts';
import { LawError } from '../law.ts';
import { asInput, type EngineLaw, type EngineSubject, onEngine, readValue, requireError } from './subject.ts';

const family = 'testkit.kernels.v1';
const symbol = `${family}.turn`;

/** The elements from the last to the first, and each times `by` + 1. Its last axis is the only one of more than 1. */
const turn: Operation = {
  id: symbol, family, name: 'turn', package: '@tf/testkit',
  infer: ([x]) => [x as NonNullable<typeof x>, x as NonNullable<typeof x>],
  traits: { call: ({ by, workspace }, [x]) => ({ symbol, integers: [x?.shape.at(-1) ?? (1 as Dim), by as number, workspace as number], workspace: workspace as number }) },
};

/** What the law's kernel counts: its calls, and the integers for which it was asked for tables. */
interface Counts {
  calls: number;
  readonly tables: string[];
}

/** Everything that it may write it writes first, so that it sees what lies where something else should. −1 has no result. */
function countingModule(counts: Counts): HostModule {
  return {
    contract: 1, family, package: '@tf/testkit', version: '1.0.0', engine: 'host',
    kernels: {
      [symbol]: {
        failure: 'a minus one',
        tables: (integers) => {
          counts.tables.push(integers.join());
          return Float64Array.of((integers[1] as number) + 1);
        },
        run: ({ inputs, outputs, integers, tables, workspace }) => {
          counts.calls++;
          const [x, turned, scaled] = [...inputs, ...outputs] as unknown as readonly [Float64Array, Float64Array, Float64Array];
          if (integers[0] !== x.length || (workspace?.length ?? 0) !== integers[2] || (workspace?.byteOffset ?? 0) % 16 !== 0) throw new Error(`called with ${x.length} elements, [${integers.join()}] and a workspace of ${workspace?.length ?? 0} bytes at ${workspace?.byteOffset ?? 0}`);
          for (const array of [turned, scaled, workspace]) array?.fill(0xa5);
          for (let i = 0; i < x.length; i++) turned[x.length - 1 - i] = x[i] as number;
          for (let i = 0; i < x.length; i++) scaled[i] = (x[i] as number) * Number(tables?.[0]);
          const failed = x.indexOf(-1);
          return failed < 0 ? undefined : failed;
        },
      },
    },
  };
}

type Turned = (x: Operand, by: number) => readonly [Operand, Operand];
const turnedWith = (workspace: number): Turned => (x, by) => applyOperation(turn, [x], { by, workspace }) as unknown as readonly [Operand, Operand];

type Shape = readonly Dim[];
interface CallCase {
  readonly name: string;
  readonly shapes: readonly Shape[];
  readonly f: (turned: Turned, ...inputs: readonly Operand[]) => readonly unknown[];
  readonly inputs: readonly (readonly number[])[];
  readonly outputs: readonly (readonly number[])[];
}

/** As many elements as are greater than 0, turned. */
const cut = (turned: Turned, x: Operand): readonly unknown[] => [padToMatch(turned(dynamicTruncate(x, sum(convert(greater(x, 0), 'int32') as Operand) as never, 0) as Operand, 1)[0], x)];
const n = symbolicDim('n');

const cases: readonly CallCase[] = [
  { name: 'a kernel by itself', shapes: [[3]], f: (turned, x) => turned(x as Operand, 1), inputs: [[1, 2, 3]], outputs: [[3, 2, 1], [2, 4, 6]] },
  { name: 'one after the other, and a loop between', shapes: [[3]], f: (turned, x) => turned(add(turned(x as Operand, 1)[1], 1) as Operand, 2), inputs: [[1, 2, 3]], outputs: [[7, 5, 3], [9, 15, 21]] },
  { name: 'one input for two calls, and after them', shapes: [[2]], f: (turned, x) => [...turned(x as Operand, 0), ...turned(x as Operand, 4), add(x as Operand, x as Operand)], inputs: [[1, 2]], outputs: [[2, 1], [1, 2], [2, 1], [5, 10], [2, 4]] },
  { name: 'a column, which is no row', shapes: [[3, 1]], f: (turned, x) => turned(transpose(x as Operand) as Operand, 1), inputs: [[1, 2, 3]], outputs: [[3, 2, 1], [2, 4, 6]] },
  { name: 'every other element', shapes: [[5]], f: (turned, x) => turned(slice(x as Operand, [0], [5], [2]) as Operand, 1), inputs: [[1, 2, 3, 4, 5]], outputs: [[5, 3, 1], [2, 6, 10]] },
  { name: 'the second row', shapes: [[2, 3]], f: (turned, x) => turned(slice(x as Operand, [1, 0], [2, 3]) as Operand, 1), inputs: [[1, 2, 3, 4, 5, 6]], outputs: [[6, 5, 4], [8, 10, 12]] },
  {
    name: 'in a loop, where it is called for some rows only', shapes: [[2], [3, 2]], inputs: [[0, 0], [1, 2, 5, 6, 3, 4]], outputs: [[29, 36], [2, 1, 6, 5, 4, 3]],
    f: (turned, c, xs) => scan((s: Operand, x: Operand) => [add(s, cond(greater(sum(x), 3) as never, (row: Operand) => turned(row, 2)[1], (row: Operand) => add(row, 4) as Operand, x)) as Operand, turned(x, 1)[0]] as const, c as Operand, xs as Operand),
  },
  ...[[1, 2, 3, -4], [1, 2, -3, -4], [1, 2, 3, 4, -5]].map((x): CallCase => ({ name: `as many as the run says, of ${x.length}`, shapes: [[n]], f: (turned, y) => cut(turned, y as Operand), inputs: [x], outputs: [x.map((_, at) => (x[x.filter((value) => value > 0).length - 1 - at] ?? 0))] })),
];

/** A workspace is a buffer of bytes, which is what bool is: an engine without it has none. */
function planOf({ kernels, info }: Engine, dtype: 'float64' | 'float32', shapes: readonly Shape[], f: CallCase['f']): Plan {
  const turned = turnedWith(info.dtypes.includes('bool') ? 24 : 0);
  return compileProgram(programOf((...inputs) => f(turned, ...(inputs as readonly Operand[])) as readonly Var[], shapes.map((shape) => tensorType(dtype, shape))), { check: true, kernels });
}

/** Kernels of execution modules, which an engine takes when it is created. */
export const callsLaw: EngineLaw = {
  name: 'calls',
  equation: 'a call step = its kernel on the elements of its operands, which overlap nothing; a kernel that finds no result ends the run after its last step',
  check: async (subject) => {
    const counts: Counts = { calls: 0, tables: [] };
    return onEngine(subject, (engine) => {
      if (engine.kernels?.has(symbol) !== true) throw new LawError('calls', subject.name, 'the engine was given a module with host kernels and does not list them in `kernels`. Hand on what `create` gets: create: (options) => createEngine(options).');
      const dtype = (['float64', 'float32'] as const).find((of) => engine.info.dtypes.includes(of));
      if (dtype === undefined) return undefined;
      checkValues(subject, engine, dtype, counts);
      checkStatus(subject, engine, dtype);
      checkRefusals(subject, engine, dtype);
      return undefined;
    }, [countingModule(counts)]);
  },
};

/** Every case twice: what a run leaves behind is seen by the next. */
function checkValues({ name: engineName }: EngineSubject, engine: Engine, dtype: 'float64' | 'float32', counts: Counts): void {
  const takes = (plan: Plan): boolean => plan.buffers.every((buffer) => engine.info.dtypes.includes(buffer.dtype)) && (engine.info.dtypes.includes('int32') || allSteps(plan.steps).every(({ kind }) => kind !== 'extent'));
  for (const { name, shapes, f, inputs, outputs } of cases) {
    const plan = planOf(engine, dtype, shapes, f);
    if (!takes(plan)) continue;
    const given = inputs.map((data, at): HostValue => hostValue(dtype, (shapes[at] as Shape).map((dim) => (typeof dim === 'number' ? dim : data.length)), data));
    for (let time = 0; time < 2; time++) {
      engine.compile(plan).run(given.map(asInput)).forEach((buffer, at) => {
        const [got, expected] = [Array.from(readValue(engine, buffer).data as ArrayLike<number>), outputs[at] as readonly number[]];
        buffer.dispose();
        if (got.join() !== expected.join()) throw new LawError('calls', engineName, `${name}: output ${at} is [${got.join(', ')}], expected [${expected.join(', ')}].`);
      });
    }
  }
  const again = counts.tables.filter((integers, at) => counts.tables.indexOf(integers) !== at);
  if (again.length > 0) throw new LawError('calls', engineName, `a kernel was asked for its tables for [${again[0] ?? ''}] again, after few others.`);
  const { calls } = counts;
  engine.compile(planOf(engine, dtype, [[0]], (turned, x) => turned(x as Operand, 1))).run([asInput(hostValue(dtype, [0], []))]).forEach((buffer) => buffer.dispose());
  if (counts.calls > calls) throw new LawError('calls', engineName, 'a kernel was called although its results have no elements.');
}

function checkStatus({ name }: EngineSubject, engine: Engine, dtype: 'float64' | 'float32'): void {
  const executable = engine.compile(planOf(engine, dtype, [[3]], (turned, x) => turned(turned(x as Operand, 0)[0], 1)));
  const run = (data: readonly number[]): readonly TypedArray[] => executable.run([asInput(hostValue(dtype, [3], data))]).map((buffer) => {
    const values = engine.read(buffer);
    buffer.dispose();
    return values;
  });
  run([1, 2, 3]);
  const before = engine.stats();
  for (let time = 0; time < 2; time++) {
    const thrown = requireError('calls', name, 'an element without a result', ['KernelError'], () => run([5, -1, -1]));
    const { op, batchIndex } = (thrown as { readonly fields: Readonly<Record<string, unknown>> }).fields;
    if (op !== symbol || batchIndex !== 1) throw new LawError('calls', name, `the error for element 1 of ${symbol} names element ${String(batchIndex)} of ${String(op)}.`);
  }
  const after = engine.stats();
  if (after.liveBuffers !== before.liveBuffers || after.bytesInUse !== before.bytesInUse) throw new LawError('calls', name, `runs that ended with an error left ${after.liveBuffers - before.liveBuffers} buffers and ${after.bytesInUse - before.bytesInUse} bytes behind.`);
  const values = Array.from(run([1, 2, 3])[0] as ArrayLike<number>).join();
  if (values !== '1,2,3') throw new LawError('calls', name, `after the error, [1, 2, 3] turned twice is [${values}].`);
}

function checkRefusals({ name }: EngineSubject, engine: Engine, dtype: 'float64' | 'float32'): void {
  const plan = planOf(engine, dtype, [[3]], (turned, x) => turned(x as Operand, 1));
  const unknown: Plan = { ...plan, steps: plan.steps.map((step) => (step.kind === 'call' ? { ...step, symbol: `${symbol}.none` } : step)) };
  requireError('calls', name, 'a plan that calls a kernel which no module has', ['UnsupportedOnEngineError'], () => engine.compile(unknown));
  const newer: Plan = { ...plan, steps: plan.steps.map((step) => (step.kind === 'call' ? { ...step, package: '@tf/testkit', version: '2.0.0' } : step)) };
  requireError('calls', name, 'a plan whose operation is of another version than the kernel', ['ExtensionError'], () => engine.compile(newer));
}
