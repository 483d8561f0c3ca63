import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Program } from '../contract.ts';
import { isTfError } from '../errors.ts';
import { add } from '../primitives/arithmetic.ts';
import { coreExtension } from '../primitives/extension.ts';
import { matmul } from '../primitives/contraction.ts';
import { symbolicDim } from '../types/dim.ts';
import { tensorType } from '../types/tensor-type.ts';
import { Builder } from './builder.ts';
import { checkProgram } from './check.ts';
import { programHash, sameProgram } from './hash.ts';
import { parseProgram } from './parse.ts';
import { printProgram } from './print.ts';
import { operationCounts, randomProgram, testCatalog } from './random-program.testing.ts';

const parse = (text: string): Program => parseProgram(text, testCatalog);

/** `line:column expected` of the ParseError that the text gives. */
const fault = (text: string): string => {
  try {
    parse(text);
  } catch (error) {
    if (isTfError(error, 'ParseError')) return `${String(error.fields['line'])}:${String(error.fields['column'])} ${String(error.fields['expected'])}`;
    throw error;
  }
  return 'nothing';
};

describe('parseProgram', () => {
  it('reads what printProgram writes, for random programs', () => {
    const seen: Program[] = [];
    fc.assert(
      fc.property(randomProgram({ symbolic: true, bound: true, maximumSteps: 20 }), (program) => {
        seen.push(program);
        const text = printProgram(program);
        const again = parse(text);
        expect(printProgram(again)).toBe(text);
        expect(sameProgram(again, program)).toBe(true);
        expect(programHash(again)).toBe(programHash(program));
        checkProgram(again);
      }),
      { numRuns: 2000, seed: 1 },
    );
    const counts = operationCounts(seen);
    const rare = [...coreExtension.operations.map(({ id }) => id), 'acme.test.call'].filter((id) => (counts.get(id) ?? 0) < 10);
    expect(rare).toEqual([]);
    expect(seen.filter(({ bound }) => bound.length > 0).length).toBeGreaterThan(20);
    expect(seen.filter(({ constraints }) => constraints.length > 0).length).toBeGreaterThan(20);
  });

  it('keeps names, bound inputs without their values, and constraints', () => {
    const builder = new Builder();
    const [n, m] = [symbolicDim('n'), symbolicDim('m')];
    const a = builder.input(tensorType('float64', [2, n]), 'a "quoted"\n');
    const b = builder.input(tensorType('float64', [m, 3]));
    const program = builder.build([add(matmul(a, b), builder.bind(tensorType('float64', [3]), 'anything'))]);
    const again = parse(printProgram(program));
    expect(again.inputs.map(({ name }) => name)).toEqual(['a "quoted"\n', undefined]);
    expect(again.bound.map(({ variable, value }) => [variable.type.key, value])).toEqual([['f64[3]', undefined]]);
    expect(again.constraints).toEqual(program.constraints);
  });

  it.each(['-0:f64[]', 'NaN:f64[]', 'Infinity:f32[]', '-Infinity:f64[]', '1e-7:f64[]', '1.5e+300:f64[]', '[0, 1]:bool[2]', '[-9223372036854775808]:i64[1]', '[1, -0]:c128[]', '[]:f64[0, 3]', '[[1, 2]]'.slice(1, -1) + ':i32[1, 2]'])('reads the literal %s with the same bits', (text) => {
    expect(printProgram(parse(`program() {\n  return ${text}\n}`))).toBe(`program() {\n  return ${text}\n}`);
  });

  it('reads negative zero as negative zero, in literals and parameters', () => {
    const program = parse('program(%0:f64[1]) {\n  %1:f64[1] = tf.core.pad(%0) {high: [0], interior: [-0], low: [0]}\n  return -0:f64[], %1\n}');
    expect(Object.is((program.outputs[0] as { data: Float64Array }).data[0], -0)).toBe(true);
    expect(Object.is((program.instructions[0]?.params['interior'] as readonly number[])[0], -0)).toBe(true);
  });

  it.each([['float64', new Float64Array(BigInt64Array.of(-(2n ** 51n), 0x7ff0000000000001n).buffer)], ['complex64', new Float32Array(Int32Array.of(-(2 ** 22), 0x7f800001).buffer)]] as const)('reads any NaN of %s as the one that literals have', (dtype, data) => {
    const builder = new Builder();
    const program = builder.build([builder.literal(tensorType(dtype, [dtype === 'float64' ? 2 : 1]), data)]);
    const again = parse(printProgram(program));
    expect(sameProgram(again, program)).toBe(true);
    expect(programHash(again)).toBe(programHash(program));
    const bytes = ({ outputs }: Program): readonly number[] => [...new Uint8Array((outputs[0] as unknown as { data: Float64Array }).data.buffer)];
    expect(bytes(again)).toEqual(bytes(program));
  });

  it('gives instructions growing creation numbers', () => {
    const program = parse('program(%0:f64[]) {\n  %1:f64[] = tf.core.exp(%0)\n  %2:f64[] = tf.core.exp(%1)\n  return %2\n}');
    const [first, second] = program.instructions.map(({ number }) => number);
    expect(second).toBeGreaterThan(first as number);
  });

  it('reads 100 000 instructions in linear time', () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `  %${at + 1}:f64[2] = tf.core.neg(%${at})`);
    const text = `program(%0:f64[2]) {\n${lines.join('\n')}\n  return %100000\n}`;
    expect(parse(text).instructions).toHaveLength(100_000);
  });
});

describe('a text that is no program', () => {
  it.each([
    ['', '1:1 "program("'],
    ['program(%0:f64[2]', '1:18 "," or ")"'],
    ['program(x:f64[2]) {', '1:9 a value such as %0'],
    ['program(%0:f65[2]) {', '1:12 one of bool, i32, i64, f32, f64, c64, c128, not f65'],
    ['program(%0:f64[2, n*2]) {', '1:19 the extent in the form 2*n, not n*2'],
    ['program(%0:f64[-1]) {', '1:12 a shape (tensorType: a shape needs non-negative integers, got [-1].)'],
    ['program(%0:f64[1], %0:f64[1]) {', '1:20 a new value, %0 is defined already'],
    ['program() {\n  require n = m "why"', '2:13 "=="'],
    ['program() {\n  require n == m why', '2:18 the reason in quotes'],
    ['program() {\n  return %0\n}', '2:10 a value defined above, %0 is not'],
    ['program() {\n  return [1, 2]:f64[3]\n}', '2:10 a literal whose 2 numbers fill its type, not f64[3]'],
    ['program() {\n  return 1.5:i32[]\n}', '2:10 numbers that int32 holds, not 1.5'],
    ['program() {\n  return 2:bool[]\n}', '2:10 numbers that bool holds, not 2'],
    ['program() {\n  return 2147483648:i32[]\n}', '2:10 numbers that int32 holds, not 2147483648'],
    ['program() {\n  return 1:f64[]\n} more', '3:3 the end of the text'],
    ['program(%0:f64[]) {\n  %1:f64[] = tf.core.exp %0', '2:14 the id of an operation'],
    ['program(%0:f64[]) {\n  %1:f64[] = tf.core.neg(%0) {a 1}', '2:33 ":"'],
    ['program(%0:f64[]) {\n  %1:f64[] = tf.core.neg(%0) {a: b}', '2:34 a parameter: a number, string, boolean, null, dim(...), list or program'],
    ['program(%0:f64[]) {\n  %1 "y":f64[] = tf.core.neg(%0)', '2:3 an output without a name (inputs have names)'],
  ])('%o is refused at its place', (text, expected) => {
    expect(fault(text)).toBe(expected);
  });

  it('names an operation that the catalog lacks', () => {
    expect(fault('program(%0:f64[]) {\n  %1:f64[] = acme.fft.fft(%0)\n  return %1\n}')).toMatch(/^2:14 an operation of the catalog, not acme\.fft\.fft/);
  });

  it('is one whose types are not those inferred', () => {
    expect(fault('program(%0:f64[2]) {\n  %1:f64[3] = tf.core.exp(%0)\n  return %1\n}')).toBe('2:15 outputs of type f64[2], which tf.core.exp infers, not f64[3]');
    expect(fault('program(%0:f64[2]) {\n  %1:f64[2], %2:f64[2] = tf.core.exp(%0)\n  return %1\n}')).toMatch(/^2:26 outputs of type f64\[2\], which/);
  });

  it('is one whose operands an operation refuses', () => {
    expect(fault('program(%0:f64[2], %1:f64[3]) {\n  %2:f64[2] = tf.core.add(%0, %1)\n  return %2\n}')).toMatch(/^2:15 operands and parameters that tf\.core\.add takes \(.*do not broadcast/);
    expect(fault('program(%0:f64[2]) {\n  %1:f64[2] = tf.core.transpose(%0)\n  return %1\n}')).toMatch(/^2:15 operands and parameters that tf\.core\.transpose takes/);
  });

  it('is every text with one character removed, or it still reads', () => {
    const text = 'program(%0 "x":f64[2, n]) bound(%1:f32[]) {\n  require n == 3 "why"\n  %2:f64[n, 2] = tf.core.transpose(%0) {perm: [1, 0]}\n  return %2, [1, 2]:i32[2]\n}';
    for (let at = 0; at < text.length; at++) {
      try {
        parse(text.slice(0, at) + text.slice(at + 1));
      } catch (error) {
        expect(isTfError(error, 'ParseError'), String(error)).toBe(true);
      }
    }
  });
});
