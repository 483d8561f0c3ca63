import { linalgCases } from './src/cases.ts';
import { engines, oneOfEachKind } from './suites.testing.ts';

engines(oneOfEachKind(linalgCases));
