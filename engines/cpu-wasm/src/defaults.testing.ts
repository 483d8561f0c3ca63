import type { EngineOptions } from './options.ts';

/** In place of `defaults.ts`, every engine is in debug mode. */
export const defaultOptions: EngineOptions = Object.freeze({ debug: 'memory' });
