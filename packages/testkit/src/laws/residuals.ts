import { LawError } from './law.ts';
import { probesOf } from './probe.ts';
import { type ExtensionLaw, ruleUses } from './subject.ts';

export const residualsLaw: ExtensionLaw = {
  name: 'residuals',
  equation: 'values read by a vjp ⊆ its residuals',
  concerns: (subject) => ruleUses(subject).some(({ rule }) => rule.vjp !== undefined),
  check: (subject) => {
    for (const use of ruleUses(subject)) {
      const declared = { input: use.rule.residuals?.inputs ?? [], output: use.rule.residuals?.outputs ?? [] };
      for (const { role, reads } of probesOf(subject.context, use)) {
        if (role !== 'vjp') continue;
        for (const side of ['input', 'output'] as const) {
          const extra = [...reads[side].keys()].filter((index) => !declared[side].includes(index));
          if (extra.length > 0) throw new LawError('residuals', use.instruction.operation.id, `its vjp reads ${side} ${extra.join(', ')}, its residuals declare ${side}s [${declared[side].join(', ')}].`);
        }
      }
    }
    return undefined;
  },
};
