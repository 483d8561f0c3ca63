/** The native CPU engine: `createEngine()` gives an `Engine` of @tf/core's contract. */
export { engineVersion } from './version.ts';
