import { allSteps, type Atom, compileProgram, type DType, type Engine, type Plan } from '@tf/core';
import { inexactOutputs, vjpProgram } from '../../programs.ts';
import { firstDifference, type HostValue } from '../../values.ts';
import { type Law, LawError } from '../law.ts';
import { directions, type ExtensionSubject, isDifferentiable } from '../subject.ts';
import { checkCase, type EngineCase, type EngineSubject, onEngine, runProgram } from './subject.ts';

/** An engine with the kernels of a family, and the cases of that family. */
export interface CasesSubject extends EngineSubject {
  readonly cases: readonly ExtensionSubject[];
}

/**
 * Cases of a family and their gradients run on the engine, by its kernels where it has them, and agree with the interpreter,
 * which has none: it takes lowerings and reference implementations.
 */
export const casesLaw: Law<CasesSubject> = {
  name: 'cases',
  equation: 'engine(f)(x) = interpreter(f)(x) for f and its gradient, by the engine’s kernels; twice the same bits; every kernel is called',
  check: async (subject) => {
    for (const one of subject.cases) await checkOnEngine(subject, one);
    await requireEveryKernel(subject);
    return undefined;
  },
};

/** One case and its gradient. */
export function checkOnEngine(subject: EngineSubject, one: ExtensionSubject): Promise<void> {
  return onEngine(subject, (engine) => {
    for (const given of casesOn(engine, one)) {
      checkCase(casesLaw.name, engine, given);
      if (callsOf(engine, given).length > 0) requireSameBits(engine, given);
    }
  });
}

/** What no case calls is not tested. */
export function requireEveryKernel(subject: CasesSubject): Promise<void> {
  return onEngine(subject, (engine) => {
    const called = new Set(subject.cases.flatMap((one) => casesOn(engine, one)).flatMap((given) => callsOf(engine, given)));
    const missing = [...(engine.kernels ?? [])].filter((symbol) => !called.has(symbol));
    if (missing.length > 0) throw new LawError(casesLaw.name, subject.name, `no case calls ${missing.join(', ')}. Give one that does; or the operation's traits.call names another symbol.`);
  });
}

/** A kernel keeps nothing between calls. */
function requireSameBits(engine: Engine, { name, program, inputs }: EngineCase): void {
  const [first, second] = [runProgram(engine, program, inputs), runProgram(engine, program, inputs)] as const;
  first.forEach((value, at) => {
    const where = firstDifference(value.data, (second[at] as HostValue).data);
    if (where !== undefined) throw new LawError(casesLaw.name, `${engine.info.name}: ${name}`, `output ${at} is another when it is run again: ${String(value.data[where])}, then ${String((second[at] as HostValue).data[where])}. A kernel keeps nothing between calls.`);
  });
}

function callsOf({ kernels }: Engine, { program }: EngineCase): readonly string[] {
  const { steps }: Plan = compileProgram(program, { kernels });
  return [...allSteps(steps)].flatMap((step) => (step.kind === 'call' ? [step.symbol] : []));
}

function casesOn({ info }: Engine, subject: ExtensionSubject): readonly EngineCase[] {
  return [primalCase(subject), gradientCase(subject)].filter((given): given is EngineCase => given !== undefined && usesOnly(given, info.dtypes));
}

/** `bits: false`: cases may contract, and functions are compared by value. */
function primalCase({ name, program, inputs, interpret: { operations } }: ExtensionSubject): EngineCase {
  return { name, dtype: 'float64', program, inputs, bits: false, operations };
}

function gradientCase(subject: ExtensionSubject): EngineCase | undefined {
  if (!isDifferentiable(subject)) return undefined;
  const { name, context, program, wrt, inputs, interpret: { operations } } = subject;
  const ct = directions(subject, inexactOutputs(program).map((at) => (program.outputs[at] as Atom).type), 9);
  return { name: `gradient of ${name}`, dtype: 'float64', program: vjpProgram(context, program, wrt), inputs: [...inputs, ...ct], bits: false, operations };
}

function usesOnly({ program }: EngineCase, dtypes: readonly DType[]): boolean {
  const values: readonly Atom[] = [...program.inputs, ...program.outputs, ...program.instructions.flatMap(({ outputs }) => outputs)];
  return values.every(({ type }) => dtypes.includes(type.dtype));
}
