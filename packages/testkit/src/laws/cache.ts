import { type AdContext, Builder, mul, type Program, sub, tensorType } from '@tf/core';
import { interpretProgram } from '../interpreter/interpret.ts';
import { vjpProgram } from '../programs.ts';
import { hostValue } from '../values.ts';
import { type Law, LawError } from './law.ts';

export interface CacheSubject {
  readonly name: string;
  /** A context whose cache of derivatives uses this hash. */
  readonly create: (hash: (program: Program) => number) => Pick<AdContext, 'catalog' | 'pullback' | 'stats'>;
}

function square(): Program {
  const builder = new Builder();
  const x = builder.input(tensorType('float64', []));
  return builder.build([mul(x, x)]);
}

function negativeSquare(): Program {
  const builder = new Builder();
  const x = builder.input(tensorType('float64', []));
  return builder.build([sub(x, mul(x, x))]);
}

/** When all programs have one hash, only equality can tell them apart. */
export const cacheLaw: Law<CacheSubject> = {
  name: 'cache-equality',
  equation: 'hash(f) = hash(g) ∧ f ≠ g ⇒ cached(f) ≠ cached(g)',
  check: ({ name, create }) => {
    const context = create(() => 0);
    const gradientAt3 = (program: Program): number => {
      const gradient = vjpProgram(context as AdContext, program, [0]);
      return Number(interpretProgram(gradient, [hostValue('float64', [], [3]), hostValue('float64', [], [1])])[0]?.data[0]);
    };
    const [first, second, again] = [gradientAt3(square()), gradientAt3(negativeSquare()), gradientAt3(square())];
    if (first !== 6 || second !== -5 || again !== 6) throw new LawError('cache-equality', name, `under a constant hash the derivatives of x², x − x² and x² at 3 are ${first}, ${second}, ${again}; they are 6, −5, 6.`);
    const { hits, misses } = context.stats();
    if (hits !== 1 || misses !== 2) throw new LawError('cache-equality', name, `three derivatives of two structures made ${hits} hits and ${misses} misses; there are 1 and 2.`);
    return undefined;
  },
};
