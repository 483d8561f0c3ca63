import { extensionSuite } from '@tf/testkit';
import { describe, it } from 'vitest';
import { referenceOperations } from './reference.testing.ts';
import { linalgCases } from './src/cases.ts';
import { linalgExtension } from './src/index.ts';
import { linalgHost } from './src/modules/host.ts';

extensionSuite({ describe, it }, { extension: linalgExtension, cases: linalgCases, operations: referenceOperations(linalgExtension.operations, linalgHost()) });
