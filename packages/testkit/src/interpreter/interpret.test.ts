import { add, Builder, compileProgram, concat, convert, type DType, dtypes, exp, fori, indexAdd, isInexact, loop, mul, neg, prod, type Operand, type Operation, type Program, reduceMax, reduceMin, scalarLiteral, sub, sum, symbolicDim, take, tensorType, transpose, type TypedArray, type Var } from '@tf/core';
import { describe, expect, it } from 'vitest';
import { type VarFunction, programOf } from '../programs.ts';
import { createReferenceEngine } from '../reference-engine/engine.ts';
import { type HostValue, hostValue } from '../values.ts';
import { interpretProgram } from './interpret.ts';

function run(f: (...inputs: readonly Operand[]) => unknown, ...inputs: readonly HostValue[]): TypedArray {
  const [output] = interpretProgram(programOf(f as unknown as VarFunction, inputs.map((input) => input.type)), inputs);
  return output!.data;
}

const big = 2n ** 62n;

describe('interpretProgram', () => {
  it('rounds to float32 after every instruction, not before', () => {
    const third = hostValue('float32', [1], [1 / 3]);
    expect(run((x) => mul(x!, x!), third)[0]).toBe(Math.fround(Math.fround(1 / 3) ** 2));
    expect(run((x) => add(mul(x!, 3) as Operand, -1), third)[0]).toBe(Math.fround(Math.fround(Math.fround(1 / 3) * 3) - 1));
  });

  it('sums in float64 with compensation', () => {
    expect(run((x) => sum(x!), hostValue('float64', [4], [1, 1e100, 1, -1e100]))[0]).toBe(2);
    expect(run((x) => sum(x!), hostValue('float64', [3], [1, Infinity, -Infinity]))[0]).toBeNaN();
  });

  it('wraps int32 and int64', () => {
    expect(run((x) => add(x!, x!), hostValue('int32', [1], [2 ** 30 + 2 ** 30 - 1]))[0]).toBe(-2);
    expect(run((x) => mul(x!, x!), hostValue('int32', [1], [65537]))[0]).toBe(Math.imul(65537, 65537));
    expect(run((x) => add(x!, x!), hostValue('int64', [1], [big]))[0]).toBe(-(2n ** 63n));
    expect(run((x) => sub(x!, x!), hostValue('int64', [1], [big + 1n]))[0]).toBe(0n);
  });

  it('keeps complex parts interleaved', () => {
    expect([...run((x, y) => mul(x!, y!), hostValue('complex64', [1], [1, 2]), hostValue('complex64', [], [3, -4]))]).toEqual([11, 2]);
    expect([...run((x) => transpose(x!), hostValue('complex128', [1, 2], [1, 2, 3, 4]))]).toEqual([1, 2, 3, 4]);
  });

  it('knows bool as 0 and 1', () => {
    expect([...run((x) => convert(x!, 'bool'), hostValue('float64', [4], [0, -0, NaN, 2]))]).toEqual([0, 0, 1, 1]);
    expect([...run((x) => reduceMax(x!, { axes: 0 }), hostValue('bool', [2, 2], [0, 1, 0, 0]))]).toEqual([0, 1]);
  });

  it('binds symbolic sizes from the inputs and checks what was required of them', () => {
    const builder = new Builder();
    const [n, m] = [symbolicDim('n'), symbolicDim('m')];
    const x = builder.input(tensorType('float64', [n]));
    const y = builder.input(tensorType('float64', [m]));
    const program = builder.build([add(x, y)]);
    const two = hostValue('float64', [2], [1, 2]);
    expect([...interpretProgram(program, [two, two])[0]!.data]).toEqual([2, 4]);
    expect(() => interpretProgram(program, [two, hostValue('float64', [3], [1, 2, 3])])).toThrow(expect.objectContaining({ name: 'ConstraintError' }));
  });

  it('takes numbers and data as bound inputs', () => {
    const builder = new Builder();
    const x = builder.input(tensorType('float64', [2]));
    const program = builder.build([add(add(x, builder.bind(tensorType('float64', []), 3)), builder.bind(tensorType('float64', [2]), Float64Array.of(10, 20)))]);
    expect([...interpretProgram(program, [hostValue('float64', [2], [1, 2])])[0]!.data]).toEqual([14, 25]);
  });

  it('refuses inputs that do not fit, by name', () => {
    const program = programOf((x) => neg(x!), [tensorType('float64', [2])]);
    const names = (inputs: readonly HostValue[]): string => {
      try {
        interpretProgram(program, inputs);
        return 'none';
      } catch (error) {
        return (error as Error).name;
      }
    };
    expect(names([])).toBe('ArgumentError');
    expect(names([hostValue('float32', [2], [1, 2])])).toBe('DTypeError');
    expect(names([hostValue('float64', [3], [1, 2, 3])])).toBe('ShapeError');
    expect(() => run((x) => take(x!, [0, 1]), hostValue('float64', [1], [1]))).toThrow(expect.objectContaining({ name: 'IndexError' }));
    const at = hostValue('int32', [1], [4]);
    expect(() => run((x, i) => take(x!, i as never), hostValue('float64', [3], [1, 2, 3]), at)).toThrow(/^take: index 4 is out of range: there are 3 rows, and indices run from -3 to 2\. .*clamp/);
    expect(() => run((x, i) => take(x!, i as never), hostValue('float64', [0], []), at)).toThrow(/^take: index 4 is out of range: there are no rows along that axis/);
    expect(() => run((x, i) => indexAdd(x!, i as never, x as never), hostValue('float64', [1], [1]), at)).toThrow(/^indexAdd: index 4 is out of range: there are 1 rows/);
  });

  // NumPy too has prod of a complex −0 − 0i over no axes start from 1 + 0i, and sum of −0 from 0.
  it.each([[sum, 'float64'], [sum, 'complex128'], [prod, 'float64'], [prod, 'complex128'], [sum, 'int64'], [prod, 'int32'], [reduceMax, 'float64'], [reduceMin, 'int64'], [reduceMax, 'bool'], [prod, 'float32'], [prod, 'complex64']] as const)('folds over no axes as over an axis of extent 1, as engines do: %o of %s', (fold, dtype) => {
    const parts = isInexact(dtype) ? [-0, -0, 0, -0, NaN, 0.5, Infinity, 2, -0, 1, 0.1, -3] : [0, 1, 1, 0];
    const count = parts.length / dtypes[dtype].lanes;
    const x = hostValue(dtype, [count], parts);
    const folded = (axes: readonly number[], shape: readonly number[]): Program => programOf(((v: Operand) => (fold as typeof sum)(v, { axes })) as unknown as VarFunction, [tensorType(dtype, shape)]);
    const [none, one] = [folded([], [count]), folded([1], [count, 1])];
    const bits = (data: TypedArray): readonly unknown[] => [...(data as Float64Array)];
    const [expected] = interpretProgram(none, [x], { arithmetic: 'exact' });
    expect(bits(interpretProgram(one, [{ ...x, type: tensorType(dtype, [count, 1]) }], { arithmetic: 'exact' })[0]!.data)).toEqual(bits(expected!.data));
    const engine = createReferenceEngine();
    const [y] = engine.compile(compileProgram(none)).run([{ data: x.data, shape: [count] }]);
    expect(bits(engine.read(y!))).toEqual(bits(expected!.data));
  });

  it('has complex products over no axes start from 1 + 0i', () => {
    expect([...run((x) => prod(x!, { axes: [] }), hostValue('complex128', [2], [NaN, 0.5, -0, -0]))].map((part) => (Object.is(part, -0) ? '-0' : `${part}`))).toEqual(['NaN', 'NaN', '0', '-0']);
  });

  it('goes on with what a run is revised to, inside regions and lowerings too', () => {
    const done: string[] = [];
    const program = programOf(((x: Operand) => fori(2, (_i, c: Operand) => add(c, x) as Operand, x)) as unknown as VarFunction, [tensorType('float64', [1])]);
    const [value] = interpretProgram(program, [hostValue('float64', [1], [1])], { revise: ({ instruction, inputs, results, again }) => {
      done.push(instruction.operation.name);
      expect([...again(inputs)[0]!.data]).toEqual([...results[0]!.data]);
      return instruction.operation.name === 'add' && instruction.outputs[0]?.type.dtype === 'float64' ? [hostValue('float64', [1], [Number(results[0]!.data[0]) + 10])] : results;
    } });
    expect([...value!.data]).toEqual([23]);
    expect(done.filter((name) => name === 'scan' || name === 'add').length).toBeGreaterThanOrEqual(2);
    expect(done).not.toContain('scan');
  });

  it('runs regions and operations without traits by the reference of their family', () => {
    const region = programOf((x) => mul(x!, x!), [tensorType('float64', [2])]);
    const twice: Operation = { id: 'test.twice', family: 'test.v1', name: 'twice', infer: ([x]) => [x!], traits: {} };
    const builder = new Builder();
    const x = builder.input(tensorType('float64', [2]));
    const program = builder.build(builder.emit(twice, [x], { body: region }));
    const input = hostValue('float64', [2], [2, 3]);
    const [value] = interpretProgram(program, [input], { operations: { 'test.twice': ({ instruction, inputs, run: interpret }) => {
      const body = instruction.params['body'] as Program;
      return interpret(body, interpret(body, inputs));
    } } });
    expect([...value!.data]).toEqual([16, 81]);
    expect(() => interpretProgram(program, [input])).toThrow('test.twice');
  });

  it('handles 100 000 instructions in a chain', () => {
    const builder = new Builder();
    let y: Var = builder.input(tensorType('float64', []));
    for (let step = 0; step < 100_000; step++) y = add(y, 1) as Var;
    expect(interpretProgram(builder.build([y]), [hostValue('float64', [], [0])])[0]!.data[0]).toBe(100_000);
  });
});

describe('the reference engine', () => {
  it('gives the bits of the exact interpreter, whose functions are core\'s own', () => {
    const program = programOf((x) => concat([exp(x!), neg(x!)]), [tensorType('float32', [5])]);
    const input = hostValue('float32', [5], [0.1, -2, 30, -0, NaN]);
    const engine = createReferenceEngine();
    const [buffer] = engine.compile(compileProgram(program)).run([{ data: input.data, shape: [5] }]);
    const [exact] = interpretProgram(program, [input], { arithmetic: 'exact' });
    expect([...engine.read(buffer!)]).toEqual([...exact!.data]);
  });

  it('shows a plan that reads what nobody wrote', () => {
    const program = programOf((x) => mul(exp(x!), 2), [tensorType('float64', [2])]);
    const plan = compileProgram(program, { fuse: false, tile: false });
    const [output] = createReferenceEngine().compile({ ...plan, steps: plan.steps.slice(1) }).run([{ data: Float64Array.of(1, 2), shape: [2] }]);
    expect(Number.isNaN(output!.engine.read(output!)[0])).toBe(true);
  });

  it('tells constants apart that print equally', () => {
    const engine = createReferenceEngine();
    const plan = (value: number): ReturnType<typeof compileProgram> => compileProgram(programOf((x) => mul(x!, scalarLiteral('float64', value) as unknown as Operand), [tensorType('float64', [])]));
    expect(engine.compile(plan(0))).not.toBe(engine.compile(plan(-0)));
    expect(engine.compile(plan(0))).toBe(engine.compile(plan(0)));
  });

  it('sums by the tree of core, whatever the strides', () => {
    const values = Array.from({ length: 300 }, (_, at) => Math.fround(Math.sin(at) * 10 ** (at % 12)));
    const tree = loop.reduceInOrder(300, (at) => values[at]!, (a, b) => Math.fround(a + b), 0);
    const engine = createReferenceEngine();
    const strided = hostValue('float32', [300, 2], values.flatMap((value) => [value, 7]));
    const f = (dtype: DType): ReturnType<typeof compileProgram> => compileProgram(programOf((x) => sum(x!, { axes: 0 }), [tensorType(dtype, [300, 2])]));
    const [output] = engine.compile(f('float32')).run([{ data: strided.data, shape: [300, 2] }]);
    expect(engine.read(output!)[0]).toBe(tree);
  });
});
