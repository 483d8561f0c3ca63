import { adjointLaw } from './adjoint.ts';
import { augmentLaw, lowerLaw, pruneLaw } from './alternatives.ts';
import { batchLaw } from './batch.ts';
import { derivativeLaw } from './derivative.ts';
import { determinismLaw } from './determinism.ts';
import { linearLaw } from './linear.ts';
import { masksLaw } from './masks.ts';
import { casePassesLaw } from './passes.ts';
import { residualsLaw } from './residuals.ts';
import { caseRoundTripLaw } from './round-trip.ts';
import { secondOrderLaw } from './second-order.ts';
import type { ExtensionLaw } from './subject.ts';
import { typesLaw } from './types.ts';
import { undifferentiableLaw } from './undifferentiable.ts';
import { valueLaw } from './value.ts';
import { vjpAgreementLaw } from './vjp-agreement.ts';

/** What every family must keep, in the order in which it is checked. */
export const extensionLaws: readonly ExtensionLaw[] = [
  typesLaw, determinismLaw, residualsLaw, linearLaw, valueLaw, derivativeLaw, adjointLaw, vjpAgreementLaw, secondOrderLaw, masksLaw, batchLaw, augmentLaw, pruneLaw, lowerLaw, undifferentiableLaw, casePassesLaw, caseRoundTripLaw,
];

/** Those that concern a function's derivatives rather than one family's rules. */
export const gradientLaws: readonly ExtensionLaw[] = [typesLaw, linearLaw, derivativeLaw, adjointLaw, secondOrderLaw];
