import type { EngineOptions } from './options.ts';
import type { Tuning } from './tuning.ts';

/** In place of `defaults.ts`, every engine is in debug mode. */
export const defaultOptions: EngineOptions = Object.freeze({ debug: 'memory' });
export const defaultTuning: Tuning = Object.freeze({});
