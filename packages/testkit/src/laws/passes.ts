import { type Pass, passes, printProgram, type Program, sameType } from '@tf/core';
import { type InterpretOptions, interpretProgram } from '../interpreter/interpret.ts';
import { vjpProgram } from '../programs.ts';
import { directions, type ExtensionLaw, isDifferentiable } from './subject.ts';
import { inexactOutputs } from '../programs.ts';
import { firstDifference, type HostValue, positionText } from '../values.ts';
import { type Law, LawError } from './law.ts';

export interface PassSubject {
  readonly name: string;
  readonly passes: readonly Pass[];
  readonly program: Program;
  readonly inputs: readonly HostValue[];
  readonly operations?: InterpretOptions['operations'];
}

/** Each pass by itself and all in their order, with values where the order of additions is seen. */
export const passesLaw: Law<PassSubject> = {
  name: 'passes-keep-bits',
  equation: 'pass(f)(x) = f(x), bit for bit',
  check: ({ name, passes: list, program, inputs, operations }) => {
    const options: InterpretOptions = { arithmetic: 'exact', ...(operations === undefined ? {} : { operations }) };
    const before = interpretProgram(program, inputs, options);
    const pipeline: Pass = { name: 'all passes', run: (given) => list.reduce((current, pass) => pass.run(current), given) };
    for (const pass of [...list, pipeline]) {
      const after = pass.run(program);
      const values = interpretProgram(after, inputs, options);
      before.forEach((value, at) => {
        const other = values[at] as HostValue;
        const where = sameType(value.type, other.type) ? firstDifference(value.data, other.data) : 0;
        if (where === undefined) return;
        throw new LawError('passes-keep-bits', `${name}: ${pass.name}`, `output ${at} at ${positionText(value.type, where)} was ${String(value.data[where])}, then ${String(other.data[where])}.\n${printProgram(program)}\n${printProgram(after)}`);
      });
    }
    return undefined;
  },
};

/** The same for the programs of a case and of its gradient, with core's passes. */
export const casePassesLaw: ExtensionLaw = {
  name: 'passes-keep-bits',
  equation: 'pass(f)(x) = f(x), bit for bit',
  check: (subject) => {
    const { name, program, inputs, context, wrt, interpret } = subject;
    const operations = interpret.operations === undefined ? {} : { operations: interpret.operations };
    void passesLaw.check({ name, passes, program, inputs, ...operations });
    if (!isDifferentiable(subject)) return undefined;
    const ct = directions(subject, inexactOutputs(program).map((at) => (program.outputs[at] as (typeof program.outputs)[number]).type), 8);
    void passesLaw.check({ name: `gradient of ${name}`, passes, program: vjpProgram(context, program, wrt), inputs: [...inputs, ...ct], ...operations });
    return undefined;
  },
};
