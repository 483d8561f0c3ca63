import type { Finding } from '../law.ts';
import { engineCases, extremaCases } from './programs.ts';
import { checkCase, type EngineLaw, onEngine } from './subject.ts';

/** Every step kind in every declared dtype; strided, broadcast, empty and rank-0 operands. */
export const agreementLaw: EngineLaw = {
  name: 'agreement',
  equation: 'engine(f)(x) = interpreter(f)(x): loops bit for bit, contractions within rounding',
  check: (subject) => onEngine(subject, (engine) => {
    let finding: Finding | undefined;
    for (const given of [...engineCases(engine), ...extremaCases(engine)]) finding = checkCase('agreement', engine, given) ?? finding;
    return finding;
  }),
};
