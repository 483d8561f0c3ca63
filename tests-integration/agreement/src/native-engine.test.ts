import { createEngine } from '@tf/engine-cpu-blas-native';
import { createCoreCases, engineSuite, reportPresence } from '@tf/testkit';
import { describe, it } from 'vitest';
import { nativePresence } from './native-presence.testing.ts';

if (reportPresence({ it }, nativePresence())) {
  engineSuite({ describe, it }, { name: 'cpu-blas-native', create: (options) => createEngine(options), cases: createCoreCases() });
}
