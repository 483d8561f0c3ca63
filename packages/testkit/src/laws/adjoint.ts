import { type AdContext, isInexact, type Program } from '@tf/core';
import { inexactOutputs, jvpProgram, vjpProgram } from '../programs.ts';
import { type HostValue, innerProduct, innerScale } from '../values.ts';
import { type Finding, LawError, roundoff, worse } from './law.ts';
import { type ExtensionLaw, directions, type ExtensionSubject, isDifferentiable, run } from './subject.ts';

export const adjointLaw: ExtensionLaw = {
  name: 'adjoint',
  equation: '⟨ct, J v⟩ = ⟨Jᵀ ct, v⟩ with ⟨a, b⟩ = Re Σ conj(a)·b',
  concerns: isDifferentiable,
  check: (subject) => {
    let finding: Finding | undefined = checkAdjoint('adjoint', subject, subject.context, subject.program, subject.inputs);
    // With one input active a rule may take another way, e.g. the transpose of an operation linear in that input only.
    for (const only of subject.wrt.length > 1 ? subject.wrt : []) {
      const alone = { ...subject, name: `${subject.name}, by input ${only} alone`, wrt: [only] };
      if (isDifferentiable(alone)) finding = worse(finding, checkAdjoint('adjoint', alone, alone.context, alone.program, alone.inputs));
    }
    return finding;
  },
};

/** The identity for a program at given inputs. */
export function checkAdjoint(law: string, subject: ExtensionSubject, context: AdContext, program: Program, inputs: readonly HostValue[]): Finding {
  const v = directions(subject, subject.wrt.map((at) => (program.inputs[at] as Program['inputs'][number]).type), 1);
  const outputs = inexactOutputs(program);
  const ct = directions(subject, outputs.map((at) => (program.outputs[at] as Program['outputs'][number]).type), 2);
  const forward = run(subject, jvpProgram(context, program, subject.wrt), [...inputs, ...v]);
  const reverse = run(subject, vjpProgram(context, program, subject.wrt), [...inputs, ...ct]);
  const total = (pairs: readonly (readonly [HostValue, HostValue])[], f: (a: HostValue, b: HostValue) => number): number => pairs.reduce((sum, [a, b]) => sum + f(a, b), 0);
  const outward = forward.map((value, at) => [ct[at] as HostValue, value] as const);
  const inward = reverse.map((value, at) => [value, v[at] as HostValue] as const);
  const [left, right] = [total(outward, innerProduct), total(inward, innerProduct)];
  const scale = Math.max(total(outward, innerScale), total(inward, innerScale), Number.MIN_VALUE);
  const worst = Math.abs(left - right) / scale;
  const between = program.instructions.flatMap((instruction) => instruction.outputs.filter(({ type }) => isInexact(type.dtype)));
  const tolerance = 4096 * Math.max(...[...v, ...ct, ...between].map(roundoff));
  if (worst <= tolerance || Object.is(left, right)) return { worst, tolerance };
  throw new LawError(law, subject.name, `⟨ct, J v⟩ = ${left}, ⟨Jᵀ ct, v⟩ = ${right} (relative distance ${worst.toExponential(2)}, allowed ${tolerance.toExponential(2)}).`);
}
