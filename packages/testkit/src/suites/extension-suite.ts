import { type AdContext, applyOperation, checkOptions, type Extension, type Operand, type Operation, type Params } from '@tf/core';
import { extensionSuiteOptions, requireRunner } from '../arguments.ts';
import type { InterpretOptions } from '../interpreter/interpret.ts';
import { extensionLaws } from '../laws/extension-laws.ts';
import { checkFronts, concernsFronts, type ExtensionFront, frontsEquation } from '../laws/fronts.ts';
import { brokenLaws, LawError } from '../laws/law.ts';
import { createSubject, type ExtensionSubject, singlePrecision, type SubjectOptions } from '../laws/subject.ts';
import type { VarFunction } from '../programs.ts';
import type { HostValue } from '../values.ts';
import type { TestRunner } from './runner.ts';

interface CaseBase {
  readonly name: string;
  /** In float64 or complex128 where they are floating; the suite runs the case in single precision too. */
  readonly inputs: readonly HostValue[];
  /** Positions of the inputs to differentiate by; all floating and complex ones when absent. */
  readonly wrt?: readonly number[];
  /** What the outputs are, from another source than the code under test. */
  readonly expected?: readonly HostValue[];
  /** The case chooses between branches by its inputs: a zero gradient means "not taken" and must stay exactly 0. */
  readonly branches?: boolean;
  /** Derivatives against differences, relative to the largest entry; 1e-7 when absent. */
  readonly tolerance?: number;
}

/** One use of an extension: a function of Vars, or one operation with its parameters. Laws do not apply only where the family's rule says `none`. */
export type ExtensionCase = CaseBase & (
  | { readonly f: VarFunction; readonly operation?: never; readonly params?: never }
  | { readonly operation: Operation; readonly params?: Params; readonly f?: never }
);

export interface ExtensionSuiteOptions {
  readonly extension: Extension;
  readonly cases: readonly ExtensionCase[];
  /** Rules of the extension and of what it builds on; core and the extension when absent. */
  readonly context?: AdContext;
  /** Reference implementations of operations without traits. */
  readonly operations?: InterpretOptions['operations'];
  /** Modes that must agree to the bit in every case: traced and eager, on one engine. None are compared when absent. */
  readonly fronts?: readonly ExtensionFront[];
}

/**
 * Registers, with an injected test runner, one test per case and law, and one that every operation has a case.
 *
 * @example
 * import { createCoreCases, extensionSuite } from '@tf/testkit';
 * import { coreExtension } from '@tf/core';
 * const names: string[] = [];
 * const runner = { describe: (name: string, body: () => void) => { names.push(name); body(); }, it: () => undefined };
 * extensionSuite(runner, { extension: coreExtension, cases: createCoreCases() });
 * if (!names[0]?.includes('tf.core')) throw new Error('unexpected');
 */
export function extensionSuite(runner: TestRunner, options: ExtensionSuiteOptions): void {
  requireRunner('extensionSuite', runner);
  checkSuiteOptions('extensionSuite', options);
  const { extension } = options;
  runner.describe(`extension ${extension.family}`, () => {
    runner.it('has a case for every operation', () => {
      requireCoverage(options);
    });
    for (const subject of subjectsOf(options)) {
      runner.describe(subject.name, () => {
        for (const law of extensionLaws) {
          if (law.concerns?.(subject) === false) continue;
          runner.it(`${law.name}: ${law.equation}`, () => void law.check(subject));
        }
        const { fronts = [] } = options;
        if (fronts.length > 1 && concernsFronts(subject)) runner.it(`fronts: ${frontsEquation}`, () => checkFronts(subject, subject.f, fronts));
      });
    }
  });
}

/** The laws that an extension breaks, in all its cases: what the suite would report. */
export async function brokenExtensionLaws(options: ExtensionSuiteOptions): Promise<readonly LawError[]> {
  checkSuiteOptions('brokenExtensionLaws', options);
  const broken: LawError[] = [];
  for (const subject of subjectsOf(options)) broken.push(...(await brokenLaws(extensionLaws, subject)));
  return broken;
}

function checkSuiteOptions(op: string, options: ExtensionSuiteOptions): void {
  checkOptions(op, options, extensionSuiteOptions, `${op}(…, { extension, cases })`);
  for (const name of ['extension', 'cases'] as const) extensionSuiteOptions[name]?.(op, name, options[name]);
}

function functionOf(given: ExtensionCase): VarFunction {
  if (given.f !== undefined) return given.f;
  const { operation, params = {} } = given;
  return (...inputs) => applyOperation(operation, inputs as readonly Operand[], params) as never;
}

/** Each case in double and, where that differs, in single precision. */
export function subjectsOf({ extension, cases, context, operations }: Partial<ExtensionSuiteOptions> & Pick<ExtensionSuiteOptions, 'cases'>): readonly ExtensionSubject[] {
  return cases.flatMap((given, index) => {
    const { name, inputs, wrt, expected, branches, tolerance } = given;
    const options: SubjectOptions = { name: extension === undefined ? name : `${extension.family}: ${name}`, f: functionOf(given), inputs, extension, context, wrt, expected, branches, tolerance, operations, seed: index + 1 };
    const double = createSubject(options);
    const single = singlePrecision(options, double);
    return single === undefined ? [double] : [double, single];
  });
}

function requireCoverage(options: ExtensionSuiteOptions): void {
  const used = new Set(subjectsOf(options).flatMap(({ program }) => program.instructions.map(({ operation }) => operation.id)));
  const missing = options.extension.operations.filter(({ id }) => !used.has(id)).map(({ id }) => id);
  if (missing.length > 0) throw new LawError('coverage', options.extension.family, `no case uses ${missing.join(', ')}.`);
}
