/** Uses of the family that `extensionSuite` tries every law on; the expected values come from another formula. */
import { type ExtensionCase, hostValue } from '@tf/testkit';
import { logcosh } from './index.ts';

const values = [0.5, -1, 2, -30];

export const logcoshCases: readonly ExtensionCase[] = [
  { name: 'logcosh', f: (x) => logcosh(x!), inputs: [hostValue('float64', [4], values)], expected: [hostValue('float64', [4], values.map((x) => Math.log(Math.cosh(x))))] },
];
