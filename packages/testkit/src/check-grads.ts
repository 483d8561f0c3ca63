import { type AdContext, checkOptions, requireFunction, TfError } from '@tf/core';
import { checkGradsOptions, requireDouble, requireTensors, requireValues } from './arguments.ts';
import type { InterpretOptions } from './interpreter/interpret.ts';
import { gradientLaws } from './laws/extension-laws.ts';
import { LawError } from './laws/law.ts';
import { createSubject, isDifferentiable } from './laws/subject.ts';
import type { VarFunction } from './programs.ts';
import type { HostValue } from './values.ts';

export interface CheckGradsOptions {
  /** Named in errors. */
  readonly name?: string;
  /** Rules of further families; core's when absent. */
  readonly context?: AdContext;
  /** Positions of the inputs to differentiate by; all floating and complex ones when absent. */
  readonly wrt?: readonly number[];
  /** Chooses the directions; the same seed gives the same ones. */
  readonly seed?: number;
  /** Against differences, relative to the largest entry; 1e-7 when absent. */
  readonly tolerance?: number;
  /** 1 leaves the second derivative out. */
  readonly order?: 1 | 2;
  /** Reference implementations of operations without traits. */
  readonly operations?: InterpretOptions['operations'];
}

export interface GradCheck {
  readonly law: string;
  readonly equation: string;
  /** How far the worst entry was off, relative; undefined where the law is not about numbers. */
  readonly worst: number | undefined;
  readonly tolerance: number | undefined;
}

/**
 * Checks the derivatives of a function of float64 and complex128 inputs: types of tangents and cotangents, linearity,
 * J v against central differences (real and imaginary parts move independently), ⟨ct, J v⟩ = ⟨Jᵀ ct, v⟩, and the same
 * for its gradient. Differences see through `stopGradient`, where the derivative is 0 by intent: compute what is stopped
 * before, give it as a further input, and leave that out of `wrt`.
 *
 * @returns what was checked, and how far each check came to its limit.
 * @throws LawError naming the law, the function and the worst entry; DTypeError for inputs in single precision;
 * ArgumentError for what is no function, no host value or no option.
 * @example
 * import { exp, mul } from '@tf/core';
 * import { checkGrads, hostValue } from '@tf/testkit';
 * const report = checkGrads((x) => mul(exp(x), x), [hostValue('float64', [2], [0.5, -1])]);
 * if (report.length !== 5) throw new Error('unexpected');
 */
export function checkGrads(f: VarFunction, inputs: readonly HostValue[], options: CheckGradsOptions = {}): readonly GradCheck[] {
  requireFunction('checkGrads', 'f', f, 'checkGrads((x) => …, [x])');
  requireValues('checkGrads', 'inputs', inputs);
  checkOptions('checkGrads', options, checkGradsOptions, 'checkGrads(f, inputs, { order: 1 })');
  checkPositions(inputs, options.wrt);
  requireDouble('checkGrads', inputs, options.wrt);
  const { name = f.name === '' ? 'the function' : f.name, order = 2, ...rest } = options;
  const checked: VarFunction = (...given) => {
    const result = f(...given);
    requireTensors('checkGrads', result);
    return result;
  };
  const subject = createSubject({ ...rest, name, f: checked, inputs });
  if (!isDifferentiable(subject)) throw new LawError('derivative', name, 'no floating or complex input reaches its outputs through differentiable operations: there is nothing to check.');
  const checks: GradCheck[] = [];
  for (const law of gradientLaws) {
    if (order === 1 && law.name === 'second-order') continue;
    if (law.concerns?.(subject) === false) continue;
    const finding = law.check(subject);
    checks.push({ law: law.name, equation: law.equation, worst: finding?.worst, tolerance: finding?.tolerance });
  }
  return checks;
}

function checkPositions(inputs: readonly HostValue[], wrt: readonly number[] = []): void {
  const beyond = wrt.find((at) => at >= inputs.length);
  if (beyond !== undefined) throw new TfError('ArgumentError', `checkGrads: wrt names input ${beyond}, and there are ${inputs.length}. Inputs count from 0.`, { op: 'checkGrads', argument: 'wrt' });
}
