import { parseProgram, printProgram, type Program, programHash, sameProgram } from '@tf/core';
import { vjpProgram } from '../programs.ts';
import { type Law, LawError } from './law.ts';
import { type ExtensionLaw, isDifferentiable } from './subject.ts';

export interface PrintSubject {
  readonly name: string;
  readonly program: Program;
  /** Reads what `printProgram` writes. */
  readonly parse: (text: string) => Program;
}

export const roundTripLaw: Law<PrintSubject> = {
  name: 'round-trip',
  equation: 'print(parse(print(p))) = print(p), parse(print(p)) = p',
  check: ({ name, program, parse }) => {
    const text = printProgram(program);
    const read = parse(text);
    if (printProgram(read) !== text) throw new LawError('round-trip', name, `it prints as\n${text}\nand after reading as\n${printProgram(read)}`);
    if (!sameProgram(program, read) || programHash(program) !== programHash(read)) throw new LawError('round-trip', name, `what was read prints equally and is another program:\n${text}`);
    return undefined;
  },
};

/** The same for the programs of a case and of its gradient, with core's parser. */
export const caseRoundTripLaw: ExtensionLaw = {
  name: 'round-trip',
  equation: 'print(parse(print(p))) = print(p), parse(print(p)) = p',
  check: (subject) => {
    const { name, program, context, wrt } = subject;
    const parse = (text: string): Program => parseProgram(text, context.catalog);
    void roundTripLaw.check({ name, program, parse });
    if (isDifferentiable(subject)) void roundTripLaw.check({ name: `gradient of ${name}`, program: vjpProgram(context, program, wrt), parse });
    return undefined;
  },
};
