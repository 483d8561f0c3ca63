/** For `pnpm test:native-sanitized`: the kernels in the machine's own code alone. */
import { linalgCases } from './src/cases.ts';
import { nativeEngine, oneOfEachKind } from './suites.testing.ts';

nativeEngine(oneOfEachKind(linalgCases));
