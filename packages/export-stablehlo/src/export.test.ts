import { add, AdContext, Builder, cond, createCatalog, dynamicTruncate, erf, exp, greater, matmul, mul, type Operand, sum, symbolicDim, tensorType, type Var } from '@tf/core';
import { programOf } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import { exportStableHlo } from './index.ts';

const matrix = tensorType('float64', [2, 3]);
const operand = (x: unknown): Operand => x as Operand;
const variable = (x: unknown): Var => x as Var;

describe('exportStableHlo', () => {
  it('writes inputs and outputs by name, and what lies between', () => {
    const builder = new Builder();
    const x = builder.input(matrix, 'x');
    const program = builder.build([variable(sum(operand(mul(x, x)), { axes: 1 }))]);
    expect(exportStableHlo(program, { name: 'squares', outputNames: ['total'] }).text).toBe(
      [
        'module @squares {',
        '  func.func public @main(%arg0: tensor<2x3xf64> {jax.arg_info = "x"}) -> (tensor<2xf64> {jax.result_info = "total"}) {',
        '    %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x3xf64>',
        '    %1 = stablehlo.constant dense<0.0> : tensor<f64>',
        '    %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>',
        '    return %2 : tensor<2xf64>',
        '  }',
        '}',
        '',
      ].join('\n'),
    );
  });

  it('says what main takes and gives', () => {
    const program = programOf((x, y) => variable(matmul(operand(x), operand(y))), [matrix, tensorType('float64', [3, 4])]);
    const { inputs, outputs, constants } = exportStableHlo(program);
    expect(inputs).toEqual([{ name: 'input0', dtype: 'float64', shape: [2, 3] }, { name: 'input1', dtype: 'float64', shape: [3, 4] }]);
    expect(outputs).toEqual([{ name: 'output0', dtype: 'float64', shape: [2, 4] }]);
    expect(constants).toEqual([]);
  });

  it('writes a long function once for all that use it', () => {
    const { text } = exportStableHlo(programOf((x, y) => variable(add(operand(erf(operand(x))), operand(erf(operand(y))))), [matrix, matrix]));
    expect(text.match(/func\.func private @erf/g)).toHaveLength(1);
    expect(text.match(/func\.call @erf/g)).toHaveLength(2);
  });

  it('holds small constants in the text, and passes large ones as arguments', () => {
    const builder = new Builder();
    const x = builder.input(tensorType('float64', [2000]), 'x');
    const large = builder.bind(x.type, new Float64Array(2000).fill(0.5));
    const small = builder.bind(tensorType('float64', []), 2.5);
    const program = builder.build([variable(add(operand(mul(x, large)), small))]);
    const { text, constants } = exportStableHlo(program);
    expect(constants.map(({ name, shape, data }) => [name, shape, data.length])).toEqual([['constant0', [2000], 2000]]);
    expect(text).toContain('%arg1: tensor<2000xf64> {jax.arg_info = "constant0"}');
    expect(text).toContain('dense<2.5> : tensor<f64>');
    expect(exportStableHlo(program, { largestConstant: 2000 }).constants).toEqual([]);
  });

  it('takes sizes for symbolic extents, and asks for one that is missing', () => {
    const program = programOf((x) => variable(exp(operand(x))), [tensorType('float32', [symbolicDim('n'), 2])]);
    expect(exportStableHlo(program, { extents: { n: 5 } }).inputs[0]?.shape).toEqual([5, 2]);
    expect(() => exportStableHlo(program)).toThrow(/the extent n is symbolic.*extents: \{ n: 128 \}/);
  });

  it('refuses an extent that the run decides, and says why', () => {
    const program = programOf((x, k) => variable(sum(operand(dynamicTruncate(operand(x), operand(k) as Operand<never, 'int32'>, 0)))), [tensorType('float64', [5]), tensorType('int32', [])]);
    expect(() => exportStableHlo(program)).toThrow(expect.objectContaining({ name: 'UnsupportedOnEngineError', message: expect.stringMatching(/dynamicTruncate.*fixed shapes.*masked form/) as string }));
  });

  it('refuses options of the wrong form, by name', () => {
    const program = programOf((x) => x, [matrix]);
    expect(() => exportStableHlo(program, { extents: { n: -1 } })).toThrow(/extents/);
    expect(() => exportStableHlo(program, { name: 'a b' })).toThrow(/name/);
    expect(() => exportStableHlo(undefined as never)).toThrow(/program is undefined/);
  });

  it('writes branches as functions of their own', () => {
    const program = programOf((x) => variable(cond(greater(operand(sum(operand(x))), 0) as never, (y: Operand) => exp(y), (y: Operand) => mul(y, y), operand(x))), [matrix]);
    expect(program.instructions.length).toBeGreaterThan(0);
    expect(exportStableHlo(program).text).toMatch(/"stablehlo\.case".*\n.*func\.call @branch_/);
  });

  it('exports ten thousand instructions in less than two seconds', () => {
    const program = programOf((x) => {
      let y = operand(x);
      for (let step = 0; step < 5000; step++) y = operand(add(operand(mul(y, x)), x));
      return variable(y);
    }, [matrix]);
    expect(program.instructions).toHaveLength(10_000);
    exportStableHlo(programOf((x) => variable(mul(operand(x), operand(x))), [matrix]));
    const before = process.cpuUsage();
    const { text } = exportStableHlo(program);
    const { user, system } = process.cpuUsage(before);
    expect(text.match(/stablehlo\.add/g)).toHaveLength(5000);
    expect((user + system) / 1e6).toBeLessThan(2);
  });
});

describe('the derivative of a program', () => {
  it('is exported like any other', () => {
    const context = new AdContext({ catalog: createCatalog() });
    const program = programOf((x) => variable(sum(operand(exp(operand(x))))), [matrix]);
    const derivative = context.pullback({ program, wrt: [0], live: [true] });
    expect(exportStableHlo(derivative.program).outputs.map(({ shape }) => shape)).toEqual([[2, 3]]);
  });
});
