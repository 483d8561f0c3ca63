import { type AdContext, checkOptions, requireFunction, requireText } from '@tf/core';
import { engineSuiteOptions, requireRunner } from '../arguments.ts';
import type { InterpretOptions } from '../interpreter/interpret.ts';
import { checkOnEngine, requireEveryKernel } from '../laws/engine/cases.ts';
import { engineLaws } from '../laws/engine/engine-laws.ts';
import type { EngineSubject } from '../laws/engine/subject.ts';
import { applyLaw } from '../laws/law.ts';
import { type ExtensionCase, subjectsOf } from './extension-suite.ts';
import type { TestRunner } from './runner.ts';

export interface EngineSuiteOptions extends EngineSubject {
  /**
   * Cases of an extension: they and their gradients must agree with the interpreter, where the engine has their dtypes. They run by
   * the kernels that `create` gives the engine, the interpreter by lowerings and `operations`; each kernel must be called.
   */
  readonly cases?: readonly ExtensionCase[];
  /** The rules for the gradients of `cases`: needed where they use operations that are not core's. */
  readonly context?: AdContext;
  /** Reference implementations of operations of `cases` that have neither traits nor a lowering. */
  readonly operations?: InterpretOptions['operations'];
}

/**
 * Registers, with an injected test runner, one test per law of engines: agreement with the interpreter in every declared
 * dtype and step kind, fixed order, no contraction, refusals, errors, disposal, aliasing, one module for all sizes,
 * tiles, steps inside steps, calls of host kernels.
 *
 * @example
 * import { createReferenceEngine, engineSuite } from '@tf/testkit';
 * const tests: string[] = [];
 * const runner = { describe: (_name: string, body: () => void) => body(), it: (name: string) => tests.push(name) };
 * engineSuite(runner, { name: 'reference', create: (options) => createReferenceEngine(options) });
 * if (tests.length !== 11) throw new Error('unexpected');
 */
export function engineSuite(runner: TestRunner, options: EngineSuiteOptions): void {
  requireRunner('engineSuite', runner);
  checkOptions('engineSuite', options, engineSuiteOptions, 'engineSuite({ describe, it }, { name, create })');
  requireText('engineSuite', 'name', options.name);
  requireFunction('engineSuite', 'create', options.create, '{ create: (options) => createEngine(options) }');
  runner.describe(`engine ${options.name}`, () => {
    for (const law of engineLaws) {
      runner.it(`${law.name}: ${law.equation}`, async () => {
        await applyLaw(law, options);
      });
    }
    if (options.cases !== undefined) registerCases(runner, options, options.cases);
  });
}

function registerCases(runner: TestRunner, options: EngineSuiteOptions, given: readonly ExtensionCase[]): void {
  const { context, operations } = options;
  const cases = subjectsOf({ cases: given, ...(context === undefined ? {} : { context }), operations });
  for (const one of cases) runner.it(`agrees with the interpreter on ${one.name} and its gradient`, () => checkOnEngine(options, one));
  runner.it('calls every kernel of its modules in some case', () => requireEveryKernel({ ...options, cases }));
}
