import { compare, type Finding, LawError, worse } from './law.ts';
import { type ExtensionLaw, run } from './subject.ts';
import type { HostValue } from '../values.ts';

export const valueLaw: ExtensionLaw = {
  name: 'value',
  equation: 'f(x) = what the case says',
  concerns: (subject) => subject.expected !== undefined,
  check: (subject) => {
    const outputs = run(subject, subject.program, subject.inputs);
    const expected = subject.expected as readonly HostValue[];
    if (outputs.length !== expected.length) throw new LawError('value', subject.name, `it has ${outputs.length} outputs, the case expects ${expected.length}.`);
    let finding: Finding | undefined;
    outputs.forEach((value, at) => {
      finding = worse(finding, compare('value', subject.name, `output ${at} `, value, expected[at] as HostValue, subject.double === undefined ? 1e-14 : 1e-6, 1e-300));
    });
    return finding;
  },
};
