import { checkProgram, type Program, printProgram, type Var } from '@tf/core';
import type { HostValue } from '@tf/testkit';
import type { Subject } from '../subject.ts';
import { agrees, bitDifference, disagrees, type Outcome } from './check.ts';

/** The program compiled as a whole, after the passes, gives the bits that its instructions give by themselves. */
export function checkPasses({ passes, machine }: Subject, program: Program, inputs: readonly HostValue[], values: ReadonlyMap<Var, HostValue>): Outcome {
  let current = program;
  for (const pass of passes) {
    current = pass.run(current);
    try {
      checkProgram(current);
    } catch (error) {
      return disagrees(`after the pass ${pass.name}: ${messageOf(error)}\n${printProgram(current)}`);
    }
  }
  const results = machine.load(program, passes)(inputs);
  for (const [at, output] of program.outputs.entries()) {
    const expected = values.get(output as Var) ?? { type: output.type, data: (output as unknown as HostValue).data };
    const difference = bitDifference(expected, results[at] as HostValue);
    if (difference !== undefined) return disagrees(`output ${at} without and with passes: ${difference}\n${printProgram(program)}`);
  }
  return agrees;
}

/** print ∘ parse ∘ print = print. */
export function checkText({ parse, catalog }: Subject, program: Program): Outcome {
  const text = printProgram(program);
  try {
    const again = printProgram(parse(text, catalog));
    return again === text ? agrees : disagrees(`printed, read and printed again:\n${text}\n${again}`);
  } catch (error) {
    return disagrees(`${messageOf(error)}\n${text}`);
  }
}

/** What is read from its text computes the same bits as the program. */
export function checkTextValues({ parse, catalog, passes, machine }: Subject, program: Program, inputs: readonly HostValue[], values: ReadonlyMap<Var, HostValue>): Outcome {
  const text = printProgram(program);
  const results = machine.load(parse(text, catalog), passes)(inputs);
  for (const [at, output] of program.outputs.entries()) {
    const expected = values.get(output as Var) ?? { type: output.type, data: (output as unknown as HostValue).data };
    const difference = bitDifference(expected, results[at] as HostValue);
    if (difference !== undefined) return disagrees(`output ${at} of the program and of what is read from its text: ${difference}\n${text}`);
  }
  return agrees;
}

/** Every program obeys `checkProgram`. */
export function checkWellFormed(program: Program): Outcome {
  try {
    checkProgram(program);
    return agrees;
  } catch (error) {
    return disagrees(`${messageOf(error)}\n${printProgram(program)}`);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
