import { printProgram, sameProgram } from '@tf/core';
import { LawError } from './law.ts';
import { probesOf } from './probe.ts';
import { type ExtensionLaw, ruleUses } from './subject.ts';

export const determinismLaw: ExtensionLaw = {
  name: 'determinism',
  equation: 'rule(x) emits the same instructions each time',
  check: (subject) => {
    for (const use of ruleUses(subject)) {
      const again = [0, 1, 2].map(() => probesOf(subject.context, use));
      again[0]?.forEach((first, at) => {
        for (const others of again.slice(1)) {
          const other = others[at];
          const same = other !== undefined && sameProgram(first.program, other.program) && first.results.every((result, index) => (result === undefined) === (other.results[index] === undefined));
          if (!same) throw new LawError('determinism', use.instruction.operation.id, `its ${first.role} emitted\n${printProgram(first.program)}\nand then\n${other === undefined ? 'nothing' : printProgram(other.program)}`);
        }
      });
    }
    return undefined;
  },
};
