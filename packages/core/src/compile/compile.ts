import type { Plan, Program } from '../contract.ts';
import { checkProgram } from '../program/check.ts';
import { type Pass, passes as standard } from './passes.ts';
import { planProgram } from './plan.ts';
import { createTarget } from './target.ts';

export interface CompileOptions {
  /** Check the program before and between passes: for tests. */
  readonly check?: boolean;
  /** The rewriting to do, by default every pass there is; none of it changes a bit, but for what a family declares to ({@link CompileOptions.prune}). */
  readonly passes?: readonly Pass[];
  /** Whether loops may compute several instructions at once (default: yes); no bit depends on it. */
  readonly fuse?: boolean;
  /** Whether loops over the same rows run tile by tile (default: yes); no bit depends on it. */
  readonly tile?: boolean;
  /** `exact`: an operation gives way to a cheaper or a larger one only where no bit changes by it (contracts.md §3.6). */
  readonly prune?: 'exact';
  /** Symbols of the kernels that the engine's execution modules have: {@link Engine.kernels}. */
  readonly kernels?: ReadonlySet<string> | undefined;
  /** Inputs, by index, that runs will donate: the plan says which outputs may take their memory. */
  readonly donate?: readonly number[];
}

/**
 * The plan of a program: rewritten by the passes, put in order, every value given its memory. It holds for all sizes of
 * the program's symbolic extents.
 *
 * @throws UnregisteredFamilyError when an operation has neither traits, nor a kernel, nor a lowering; ExtensionError when a lowering has no end.
 * @example
 * import { Builder, compileProgram, exp, mul, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [3]), 'x');
 * if (compileProgram(builder.build([mul(exp(x), exp(x))])).steps.length !== 1) throw new Error('unexpected');
 */
export function compileProgram(program: Program, options: CompileOptions = {}): Plan {
  let current = program;
  if (options.check === true) checkProgram(current);
  const passes = options.passes ?? standard;
  const target = createTarget(options.kernels, options.prune === 'exact');
  for (const pass of passes) {
    current = pass.run(current, target);
    if (options.check === true) checkProgram(current);
  }
  return planProgram(current, { fuse: options.fuse !== false, tile: options.tile !== false, passes, target }, options.donate);
}
