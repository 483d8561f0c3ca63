import { isTfError } from '@tf/core';
import { type Presence, reportPresence } from '@tf/testkit';
import { it } from 'vitest';
import { createEngineSync } from './index.ts';

const why = ((): string | undefined => {
  try {
    createEngineSync().dispose();
    return undefined;
  } catch (thrown) {
    if (!isTfError(thrown, 'EngineUnavailableError')) throw thrown;
    return thrown.message;
  }
})();
const presence: Presence = { name: 'cpu-blas-native', isPresent: why === undefined, remedy: why ?? '' };

/** A test that needs the engine: reported absent where it cannot run, with the reason. */
export const nativeTest: typeof it = reportPresence({ it }, presence) ? it : (it.skip as typeof it);
