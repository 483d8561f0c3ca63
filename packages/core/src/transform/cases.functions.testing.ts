/** The derivatives of functions on elements. */
import { elu, hardSwish, leakyRelu, logSigmoid } from '../compositions/activations.ts';
import { reciprocal, square } from '../compositions/powers.ts';
import type { Var } from '../contract.ts';
import { mul } from '../primitives/arithmetic.ts';
import { clamp } from '../primitives/clamp.ts';
import { ceil, floor, round, trunc } from '../primitives/rounding.ts';
import { binary, type DerivativeCase, one, unary } from './derivative-case.testing.ts';

const clampCases: readonly DerivativeCase[] = [
  ...binary('clamp from below', (x, y) => clamp(x, y), 'distinct'), ...binary('clamp from above', (x, y) => clamp(x, undefined, y), 'distinct'),
  one('clamp by tensors', [[2, 3], [3], [2, 1]], (x, low, high) => clamp(x!, low!, high!), { region: 'distinct' }),
  one('clamp by numbers', [[2, 3]], (x) => [clamp(x!, -0.4, 0.6), clamp(x!, 0), clamp(x!, undefined, 0)], { region: 'distinct' }),
];

export const functionCases: readonly DerivativeCase[] = [
  ...unary('floor', floor, 'distinct'), ...unary('ceil', ceil, 'distinct'), ...unary('round', (x) => round(mul(x, 0.8)), 'distinct'), ...unary('trunc', trunc, 'distinct'),
  ...clampCases,
  ...unary('square', square), ...unary('reciprocal', reciprocal, 'away from 0'), ...unary('logSigmoid', logSigmoid),
  ...unary('leakyRelu', (x: Var) => [leakyRelu(x), leakyRelu(x, 0.3)], 'distinct'), ...unary('elu', (x: Var) => [elu(x), elu(x, 0.3)], 'distinct'), ...unary('hardSwish', hardSwish, 'distinct'),
];
