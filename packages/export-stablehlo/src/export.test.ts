import { add, AdContext, applyOperation, Builder, cond, createCatalog, dynamicTruncate, erf, exp, type Extension, greater, matmul, mul, type Operand, type Operation, type Params, type Program, sum, symbolicDim, type TensorType, tensorType, type Var } from '@tf/core';
import { programOf } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import { exportStableHlo, type StableHloFamily, stableHloSupport, type StableHloValue as Value } from './index.ts';

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

describe('a family of anyone\'s', () => {
  const family = 'acme.signal.v1';
  const define = (name: string, further: Partial<Operation> = {}): Operation => ({ id: `${family}.${name}`, family, name, arity: 1, infer: ([x]) => [x as TensorType], traits: {}, ...further });
  const doubled = define('doubled', { lower: ([x]) => [variable(mul(operand(x), 2))] });
  const scaled = define('scaled');
  const programOfOne = (operation: Operation, params: Params = {}): Program => programOf((x) => applyOperation(operation, [operand(x)], params)[0] as Var, [matrix]);
  const acme: StableHloFamily = {
    family,
    operations: {
      doubled: { becomes: 'add', toStableHlo: ({ writer, operands: [x] }) => [writer.same('add', x as Value, x as Value)] },
      scaled: {
        becomes: 'a custom call', platforms: ['gpu'], caveats: ['slow'],
        toStableHlo({ writer, params, operands: [x], outputs, apply, refuse }) {
          if (params['by'] === 0) throw refuse('acme has no zero');
          const [called] = writer.customCall('acme_scale', [x as Value], outputs, { config: 'by = 3 : i64', byColumns: { operands: [0], results: [] } });
          return apply((y) => exp(y as Operand) as Operand, called as Value);
        },
      },
      refused: { reason: 'acme keeps it to itself' },
      wrong: { becomes: 'nothing', toStableHlo: () => [] },
    },
  };
  const options = { families: [acme] };

  it('becomes what its role writes, in place of what it lowers to', () => {
    expect(exportStableHlo(programOfOne(doubled)).text).toContain('stablehlo.multiply');
    const { text } = exportStableHlo(programOfOne(doubled), options);
    expect(text).toContain('stablehlo.add %arg0, %arg0');
    expect(text).not.toContain('stablehlo.multiply');
  });

  it('calls what a runtime has registered, and computes around it with public functions', () => {
    const { text } = exportStableHlo(programOfOne(scaled, { by: 3 }), options);
    expect(text).toContain('stablehlo.custom_call @acme_scale(%arg0) {backend_config = "", mhlo.backend_config = {by = 3 : i64}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}');
    expect(text).toMatch(/func\.call @exp/);
  });

  it('says why it refuses an operation, or a use of one', () => {
    expect(() => exportStableHlo(programOfOne(scaled, { by: 0 }), options)).toThrow(expect.objectContaining({ name: 'UnsupportedOnEngineError', message: 'exportStableHlo: acme.signal.v1.scaled has no StableHLO: acme has no zero.' }));
    expect(() => exportStableHlo(programOfOne(define('refused')), options)).toThrow(/refused has no StableHLO: acme keeps it to itself/);
    expect(() => exportStableHlo(programOfOne(scaled))).toThrow(/neither traits nor a lowering.*families/);
  });

  it('is told when its role gives other values than the operation has', () => {
    expect(() => exportStableHlo(programOfOne(define('wrong')), options)).toThrow(/the role of acme.signal.v1.wrong gave nothing, and its outputs are tensor<2x3xf64>/);
    expect(() => exportStableHlo(programOfOne(doubled), { families: [acme, acme] })).toThrow(/acme.signal.v1 twice/);
    expect(() => exportStableHlo(programOfOne(doubled), { families: [undefined as never] })).toThrow(/families/);
  });

  it('is not asked where there are no elements', () => {
    const program = programOf((x) => applyOperation(define('wrong'), [operand(x)], {})[0] as Var, [tensorType('float64', [0, 3])]);
    expect(exportStableHlo(program, options).text).toContain('dense<0.0> : tensor<0x3xf64>');
  });

  it('says what becomes of each of its operations', () => {
    const operations = [doubled, scaled, define('refused'), define('plain')];
    const extension: Extension = { contract: 1, family, package: '@acme/signal', version: '1.0.0', operations, rules: {} };
    const said = stableHloSupport(extension, [acme]).map(({ operation, route, becomes, platforms, reason, caveats }) => [operation, route, becomes, platforms.length, reason, caveats.length]);
    expect(said).toEqual([
      ['acme.signal.v1.doubled', 'role', 'add', 3, undefined, 0],
      ['acme.signal.v1.scaled', 'role', 'a custom call', 1, undefined, 1],
      ['acme.signal.v1.refused', 'none', undefined, 0, 'acme keeps it to itself', 0],
      ['acme.signal.v1.plain', 'none', undefined, 0, 'it has neither traits nor a lowering that say what it computes', 0],
    ]);
    expect(stableHloSupport(extension)[0]).toMatchObject({ route: 'lower' });
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
