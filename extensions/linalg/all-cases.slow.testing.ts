import { linalgCases } from './src/cases.ts';
import { conformance, engines } from './suites.testing.ts';

conformance(linalgCases);
engines(linalgCases);
