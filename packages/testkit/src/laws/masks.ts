import { inexactOutputs, vjpProgram } from '../programs.ts';
import { type HostValue, hostValue, knownShape, positionText } from '../values.ts';
import { LawError } from './law.ts';
import { type ExtensionLaw, directions, run } from './subject.ts';

/** For cases that choose between branches: what was not chosen gets exactly 0, whatever the cotangent is. */
export const masksLaw: ExtensionLaw = {
  name: 'masks',
  equation: 'branch i not taken ⇒ (Jᵀ ct)ᵢ = 0, also for ct = ±Inf, NaN',
  concerns: (subject) => subject.branches,
  check: (subject) => {
    const { context, program, wrt, inputs } = subject;
    const types = inexactOutputs(program).map((at) => (program.outputs[at] as (typeof program.outputs)[number]).type);
    const gradient = vjpProgram(context, program, wrt);
    const at = (ct: readonly HostValue[]): readonly HostValue[] => run(subject, gradient, [...inputs, ...ct]);
    const usual = [6, 7].map((salt) => at(directions(subject, types, salt)));
    for (const extreme of [Infinity, -Infinity, NaN]) {
      const found = at(types.map((type) => filled(type, extreme)));
      found.forEach((value, which) => {
        value.data.forEach((lane, index) => {
          const untaken = usual.every((values) => Number(values[which]?.data[index]) === 0);
          if (untaken && Number(lane) !== 0) throw new LawError('masks', subject.name, `the gradient of input ${wrt[which]} at ${positionText(value.type, index)} is 0 for finite cotangents and ${String(lane)} for ${extreme}. Use select for masks, never multiplication.`);
        });
      });
    }
    return undefined;
  },
};

function filled(type: HostValue['type'], value: number): HostValue {
  const shape = knownShape(type.shape);
  const count = shape.reduce((a, b) => a * b, 1) * (type.dtype.startsWith('complex') ? 2 : 1);
  return hostValue(type.dtype, shape, new Array<number>(count).fill(value));
}
