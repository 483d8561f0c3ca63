import { type AdContext, type Atom, checkOptions, type DType, requireFunction, requireText } from '@tf/core';
import { engineSuiteOptions, requireRunner } from '../arguments.ts';
import { engineLaws } from '../laws/engine/engine-laws.ts';
import { checkCase, type EngineCase, type EngineSubject, onEngine } from '../laws/engine/subject.ts';
import { applyLaw } from '../laws/law.ts';
import { directions, type ExtensionSubject, isDifferentiable } from '../laws/subject.ts';
import { inexactOutputs, vjpProgram } from '../programs.ts';
import { type ExtensionCase, subjectsOf } from './extension-suite.ts';
import type { TestRunner } from './runner.ts';

export interface EngineSuiteOptions extends EngineSubject {
  /** Cases of an extension: they and their gradients must agree with the interpreter, where the engine has their dtypes. */
  readonly cases?: readonly ExtensionCase[];
  readonly context?: AdContext;
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

function registerCases(runner: TestRunner, options: EngineSuiteOptions, cases: readonly ExtensionCase[]): void {
  for (const subject of subjectsOf({ cases, ...(options.context === undefined ? {} : { context: options.context }) })) {
    runner.it(`agrees with the interpreter on ${subject.name} and its gradient`, () => onEngine(options, (engine) => {
      for (const given of [primalCase(subject), gradientCase(subject)]) {
        if (given !== undefined && usesOnly(given, engine.info.dtypes)) checkCase('agreement', engine, given);
      }
    }));
  }
}

/** `bits: false`: cases may contract, and functions are compared by value. */
function primalCase({ name, program, inputs }: ExtensionSubject): EngineCase {
  return { name, dtype: 'float64', program, inputs, bits: false };
}

function gradientCase(subject: ExtensionSubject): EngineCase | undefined {
  if (!isDifferentiable(subject)) return undefined;
  const { name, context, program, wrt, inputs } = subject;
  const ct = directions(subject, inexactOutputs(program).map((at) => (program.outputs[at] as Atom).type), 9);
  return { name: `gradient of ${name}`, dtype: 'float64', program: vjpProgram(context, program, wrt), inputs: [...inputs, ...ct], bits: false };
}

function usesOnly({ program }: EngineCase, dtypes: readonly DType[]): boolean {
  const values: readonly Atom[] = [...program.inputs, ...program.outputs, ...program.instructions.flatMap(({ outputs }) => outputs)];
  return values.every(({ type }) => dtypes.includes(type.dtype));
}
