import { barrier, createCatalog, exp, mul, type Pass, printProgram, tensorType, type Var } from '@tf/core';
import { programOf } from '../programs.ts';
import { type Law, LawError } from './law.ts';

/** What keeps rematerialised values from being joined with the ones they repeat. */
export const barriersLaw: Law<{ readonly name: string; readonly passes: readonly Pass[] }> = {
  name: 'barriers-hold',
  equation: 'f(barrier(x)) stays a computation of its own',
  check: ({ name, passes }) => {
    const program = programOf((x) => mul(exp(x as Var), exp(barrier(x as Var))) as Var, [tensorType('float64', [2])]);
    const after = passes.reduce((current, pass) => pass.run(current), program);
    const repeated = createCatalog().operation('tf.core.exp');
    const count = after.instructions.filter(({ operation }) => operation === repeated).length;
    if (count !== 2) throw new LawError('barriers-hold', name, `exp(x)·exp(barrier(x)) computes exp ${count} times after the passes, not 2.\n${printProgram(after)}`);
    return undefined;
  },
};
