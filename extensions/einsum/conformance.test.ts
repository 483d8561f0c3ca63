import { extensionSuite } from '@tf/testkit';
import { describe, it } from 'vitest';
import { einsumCases } from './src/cases.ts';
import { einsumExtension } from './src/index.ts';

extensionSuite({ describe, it }, { extension: einsumExtension, cases: einsumCases });
