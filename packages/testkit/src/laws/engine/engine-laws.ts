import { agreementLaw } from './agreement.ts';
import { callsLaw } from './calls.ts';
import { disposalLaw } from './disposal.ts';
import { fixedOrderLaw } from './fixed-order.ts';
import { nestedStepsLaw } from './nested-steps.ts';
import { noAliasingLaw } from './no-aliasing.ts';
import { noContractionLaw } from './no-contraction.ts';
import { oneModuleLaw } from './one-module.ts';
import { refusalLaw } from './refusal.ts';
import type { EngineLaw } from './subject.ts';
import { tilesLaw } from './tiles.ts';
import { typedErrorsLaw } from './typed-errors.ts';

/** What every engine must keep. */
export const engineLaws: readonly EngineLaw[] = [noContractionLaw, fixedOrderLaw, agreementLaw, refusalLaw, typedErrorsLaw, disposalLaw, noAliasingLaw, oneModuleLaw, tilesLaw, nestedStepsLaw, callsLaw];
