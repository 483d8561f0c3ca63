import type { EngineOptions } from './options.ts';

/** What `createEngine` assumes; the project of debug mode puts `defaults.testing.ts` in its place. */
export const defaultOptions: EngineOptions = Object.freeze({});
