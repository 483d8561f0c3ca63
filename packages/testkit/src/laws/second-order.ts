import { inexactOutputs, vjpProgram } from '../programs.ts';
import { checkAdjoint } from './adjoint.ts';
import { checkDerivative } from './derivative.ts';
import { worse } from './law.ts';
import { type ExtensionLaw, directions, isDifferentiable } from './subject.ts';

/**
 * The reverse program is differentiated once more: forward over reverse against differences of the first derivative,
 * reverse over reverse against forward over reverse.
 */
export const secondOrderLaw: ExtensionLaw = {
  name: 'second-order',
  equation: 'D(Jᵀ ct) v = lim (J(x + h v)ᵀ ct − J(x)ᵀ ct) / h, and ⟨u, D(Jᵀ ct) v⟩ = ⟨D(Jᵀ ct)ᵀ u, v⟩',
  concerns: (subject) => subject.double === undefined && isDifferentiable(subject),
  check: (subject) => {
    const { context, program, wrt } = subject;
    const gradient = vjpProgram(context, program, wrt);
    const ct = directions(subject, inexactOutputs(program).map((at) => (program.outputs[at] as (typeof program.outputs)[number]).type), 4);
    const inputs = [...subject.inputs, ...ct];
    return worse(checkDerivative('second-order', subject, context, gradient, inputs), checkAdjoint('second-order', subject, context, gradient, inputs));
  },
};
