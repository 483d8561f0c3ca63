/** Whether the native engine can run here: its library was built, and there is a BLAS. */
import { createEngineSync } from '@tf/engine-cpu-blas-native';
import { isTfError } from '@tf/core';
import type { Presence } from '@tf/testkit';

export function nativePresence(): Presence {
  const name = 'cpu-blas-native';
  try {
    createEngineSync().dispose();
    return { name, isPresent: true, remedy: '' };
  } catch (thrown) {
    if (!isTfError(thrown, 'EngineUnavailableError')) throw thrown;
    return { name, isPresent: false, remedy: thrown.message };
  }
}
