import { AdContext, buildCatalog, type Extension, type Rule } from '@tf/core';
import { inexactOutputs, vjpProgram } from '../programs.ts';
import { compare, type Finding, worse } from './law.ts';
import { concreteSubject, type ExtensionLaw, directions, ruleUses, run } from './subject.ts';
import type { HostValue } from '../values.ts';

export const vjpAgreementLaw: ExtensionLaw = {
  name: 'vjp-agreement',
  equation: 'vjp = transpose ∘ linearize, where a rule has both',
  concerns: (subject) => ruleUses(subject).some(({ rule }) => rule.vjp !== undefined && (rule.linearize !== undefined || rule.transpose !== undefined)),
  check: (given) => {
    const subject = concreteSubject(given);
    const { context, program, wrt, inputs, extension } = subject;
    const other = new AdContext({ catalog: buildCatalog(context.catalog.extensions.map((known) => (extension === undefined || known.family === extension.family ? withoutVjp(known) : known))) });
    const ct = directions(subject, inexactOutputs(program).map((at) => (program.outputs[at] as (typeof program.outputs)[number]).type), 5);
    const [direct, derived] = [context, other].map((rules) => run(subject, vjpProgram(rules, program, wrt), [...inputs, ...ct])) as [readonly HostValue[], readonly HostValue[]];
    let finding: Finding | undefined;
    direct.forEach((value, at) => {
      finding = worse(finding, compare('vjp-agreement', subject.name, `the cotangent of input ${wrt[at]} by vjp `, value, derived[at] as HostValue, subject.double === undefined ? 1e-10 : 1e-4));
    });
    return finding;
  },
};

/** The extension with vjps taken away where there is another way. */
function withoutVjp(extension: Extension): Extension {
  const strip = (rule: Rule): Rule => {
    if (rule.kind === 'none' || rule.vjp === undefined || (rule.linearize === undefined && rule.transpose === undefined)) return rule;
    return Object.fromEntries(Object.entries(rule).filter(([part]) => part !== 'vjp' && part !== 'residuals')) as unknown as Rule;
  };
  return { ...extension, rules: Object.fromEntries(Object.entries(extension.rules).map(([name, rule]) => [name, strip(rule)])) };
}
