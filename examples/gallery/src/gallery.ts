import type { GalleryExample } from './example.ts';
import { example as calibration } from './calibration/run.ts';
import { example as co2 } from './co2/run.ts';
import { example as deblurring } from './deblurring/run.ts';
import { example as ising } from './ising/run.ts';
import { example as phaseRetrieval } from './phase-retrieval/run.ts';
import { example as predatorPrey } from './predator-prey/run.ts';
import { example as spinChain } from './spin-chain/run.ts';
import { example as transformer } from './transformer/run.ts';

/** Every example of the gallery, in the order in which it is shown. */
export const gallery: readonly GalleryExample[] = [ising, spinChain, co2, phaseRetrieval, predatorPrey, deblurring, calibration, transformer];
