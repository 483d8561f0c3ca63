import { extensionSuite } from '@tf/testkit';
import { describe, it } from 'vitest';
import { logcoshCases } from './src/cases.ts';
import { logcoshExtension } from './src/index.ts';

extensionSuite({ describe, it }, { extension: logcoshExtension, cases: logcoshCases });
