import { isInexact, isLiteral, type Program, type Var } from '@tf/core';
import { createRandom, type HostValue } from '@tf/testkit';
import { reference, symbolOf } from '../reference.ts';

/** How much is added to every result, relative to it. */
const noise = 2 ** -32;

/**
 * How far rounding alone can move a number that a program in float64 computes: every result of the interpreter is moved
 * at random by 2⁻³² of itself, and what comes out is scaled down to 2⁻⁵³ (Vignes 1993, discrete stochastic arithmetic).
 */
export function spreadOf(program: Program, inputs: readonly HostValue[], measure: (outputs: readonly HostValue[]) => number): number {
  const random = createRandom(23);
  const plain = measure(interpret(program, inputs, (value) => value));
  let spread = 0;
  for (let round = 0; round < 3; round++) spread = Math.max(spread, Math.abs(measure(interpret(program, inputs, (value) => shaken(value, random))) - plain));
  return spread * (2 ** -53 / noise);
}

function shaken(value: HostValue, random: () => number): HostValue {
  if (!isInexact(value.type.dtype)) return value;
  const data = value.data.slice() as Float64Array;
  for (let at = 0; at < data.length; at++) data[at] = (data[at] as number) * (1 + noise * (2 * random() - 1));
  return { type: value.type, data };
}

function interpret(program: Program, inputs: readonly HostValue[], change: (value: HostValue) => HostValue): readonly HostValue[] {
  const values = new Map<Var, HostValue>(program.inputs.map((input, at) => [input, inputs[at] as HostValue]));
  const sizes = new Map<string, number>();
  for (const instruction of program.instructions) {
    const results = reference(instruction, instruction.inputs.map((input) => (isLiteral(input) ? undefined : values.get(input))), sizes);
    const symbol = symbolOf(instruction);
    if (symbol !== undefined) sizes.set(symbol, Number((results[0] as HostValue).data[0]));
    instruction.outputs.forEach((output, at) => values.set(output, change(results[at] as HostValue)));
  }
  return program.outputs.map((output) => (isLiteral(output) ? { type: output.type, data: output.data } : (values.get(output) as HostValue)));
}
