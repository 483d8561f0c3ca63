import type { EngineOptions } from './options.ts';
import type { Tuning } from './tuning.ts';

/** In place of `defaults.ts`, every engine has three threads, which share whatever can be shared. */
export const defaultOptions: EngineOptions = Object.freeze({ threads: 3 });
export const defaultTuning: Tuning = Object.freeze({ splits: { stepCost: 0, pieceCost: 1 }, startCost: 0, patience: 2 });
