import { isInexact, isTfError } from '@tf/core';
import { vjpProgram } from '../programs.ts';
import { LawError } from './law.ts';
import { type ExtensionLaw, type ExtensionSubject } from './subject.ts';

function refusing(subject: ExtensionSubject): boolean {
  const { program, extension, wrt } = subject;
  const uses = program.instructions.filter(({ operation, outputs }) => operation.family === extension?.family && extension.rules[operation.name]?.kind === 'none' && outputs.some((output) => isInexact(output.type.dtype)));
  return wrt.length > 0 && uses.length > 0;
}

/** A rule `none` is an error that gives its reason, never a silent zero. */
export const undifferentiableLaw: ExtensionLaw = {
  name: 'undifferentiable',
  equation: 'rule = none ⇒ differentiating throws UnsupportedRuleError with the reason',
  concerns: refusing,
  check: (subject) => {
    try {
      vjpProgram(subject.context, subject.program, subject.wrt);
    } catch (error) {
      if (isTfError(error, 'UnsupportedRuleError') && error.message.includes(String(error.fields['reason']))) return undefined;
      throw error;
    }
    throw new LawError('undifferentiable', subject.name, 'it has no derivative rule, and was differentiated.');
  },
};
