import type { EngineOptions } from './options.ts';
import type { Tuning } from './tuning.ts';

/** What `createEngine` assumes; projects of tests put `defaults.testing.ts` or `defaults.threads.testing.ts` in its place. */
export const defaultOptions: EngineOptions = Object.freeze({});
export const defaultTuning: Tuning = Object.freeze({});
