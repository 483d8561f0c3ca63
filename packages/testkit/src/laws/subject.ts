import { AdContext, buildCatalog, type Catalog, checkProgram, createCatalog, type DerivativeRule, type Extension, type Instruction, isInexact, type Program, renameExtents, tensorType, type Var } from '@tf/core';
import { interpretAll, type InterpretOptions, interpretProgram } from '../interpreter/interpret.ts';
import type { Finding, Law } from './law.ts';
import { inexactInputs, inexactOutputs, programOf, type VarFunction } from '../programs.ts';
import { createRandom, randomDirection } from '../random.ts';
import { type HostValue, hostValue, knownShape } from '../values.ts';

/** A law about derivative rules and the programs that use them. */
export interface ExtensionLaw extends Law<ExtensionSubject> {
  readonly check: (subject: ExtensionSubject) => Finding | undefined;
}

/** One case of an extension, ready for the laws. */
export interface ExtensionSubject {
  readonly name: string;
  /** Whose rules are tested; all families' when absent. */
  readonly extension: Extension | undefined;
  readonly context: AdContext;
  /** The case as a function of operands of any mode. */
  readonly f: VarFunction;
  readonly program: Program;
  readonly inputs: readonly HostValue[];
  /** Positions of the inputs that are differentiated. */
  readonly wrt: readonly number[];
  readonly seed: number;
  /** Relative to the largest entry; for derivatives against differences. */
  readonly tolerance: number;
  readonly branches: boolean;
  readonly expected: readonly HostValue[] | undefined;
  readonly interpret: InterpretOptions;
  /** The same case in float64 and complex128 with the same values, where this one is in single precision. */
  readonly double: ExtensionSubject | undefined;
}

/** Whether something can be differentiated: an inexact input reaches an inexact output through rules. */
export function isDifferentiable(subject: ExtensionSubject): boolean {
  const active = activeValues(subject);
  return inexactOutputs(subject.program).some((at) => active.has(subject.program.outputs[at]));
}

/** The values that depend on `wrt` through differentiable operations. */
function activeValues({ program, context, wrt }: ExtensionSubject): ReadonlySet<unknown> {
  const active = new Set<unknown>(wrt.map((at) => program.inputs[at]));
  for (const { operation, inputs, outputs } of program.instructions) {
    if (!inputs.some((input) => active.has(input)) || context.catalog.rule(operation).kind === 'none') continue;
    for (const output of outputs) if (isInexact(output.type.dtype)) active.add(output);
  }
  return active;
}

/** A deterministic direction for each type; `salt` gives further ones. */
export function directions(subject: ExtensionSubject, types: readonly Var['type'][], salt: number): readonly HostValue[] {
  const random = createRandom(subject.seed * 7919 + salt);
  return types.map((type) => randomDirection(type, random));
}

export function run(subject: ExtensionSubject, program: Program, inputs: readonly HostValue[]): readonly HostValue[] {
  return interpretProgram(program, inputs, subject.interpret);
}

/** a + t·v, part by part: real and imaginary parts move independently. */
export function moved(a: HostValue, v: HostValue, t: number): HostValue {
  return hostValue(a.type.dtype, knownShape(a.type.shape), Array.from(a.data as ArrayLike<number>, (value, at) => value + t * Number(v.data[at])));
}

/** The differentiated instructions of the extension's own family in a case, with their rules: one per operation and types. */
export interface RuleUse {
  readonly instruction: Instruction;
  readonly rule: DerivativeRule;
}

/** The subject with numbers for the extents that the run of the case decides. */
export function concreteSubject(subject: ExtensionSubject): ExtensionSubject {
  const { program, inputs, interpret } = subject;
  if (!program.instructions.some(({ operation }) => operation.traits.extent !== undefined)) return subject;
  const { values } = interpretAll(program, inputs, interpret);
  const sizes = program.instructions.flatMap(({ operation, params, outputs }): readonly (readonly [string, number])[] => {
    const symbol = operation.traits.extent?.(params).symbol;
    return symbol === undefined || typeof symbol === 'number' ? [] : [[symbol.text, Number((values.get(outputs[0] as Var) as HostValue).data[0])]];
  });
  return { ...subject, program: renameExtents(program, new Map(sizes)) };
}

export function ruleUses(subject: ExtensionSubject): readonly RuleUse[] {
  const family = subject.extension?.family;
  const active = activeValues(subject);
  const seen = new Set<string>();
  const uses: RuleUse[] = [];
  for (const instruction of subject.program.instructions) {
    const { operation, inputs } = instruction;
    const key = `${operation.id}(${inputs.map((input) => input.type.key).join()})`;
    if ((family !== undefined && operation.family !== family) || seen.has(key) || !inputs.some((input) => active.has(input))) continue;
    seen.add(key);
    const rule = subject.context.catalog.rule(operation);
    if (rule.kind === 'rule') uses.push({ instruction, rule });
  }
  return uses;
}

// ---------------------------------------------------------------- making subjects

export interface SubjectOptions {
  readonly name: string;
  readonly f: VarFunction;
  readonly inputs: readonly HostValue[];
  readonly extension?: Extension | undefined;
  readonly context?: AdContext | undefined;
  readonly wrt?: readonly number[] | undefined;
  readonly seed?: number | undefined;
  readonly tolerance?: number | undefined;
  readonly branches?: boolean | undefined;
  readonly expected?: readonly HostValue[] | undefined;
  readonly operations?: InterpretOptions['operations'];
}

export function createSubject(options: SubjectOptions): ExtensionSubject {
  const { name, f, inputs, extension, seed = 1, tolerance = 1e-7, branches = false, expected, operations } = options;
  const program = programOf(f, inputs.map((input) => input.type));
  checkProgram(program);
  return {
    name, f, extension, program, inputs, seed, tolerance, branches, expected,
    context: options.context ?? new AdContext({ catalog: catalogWith(extension) }),
    wrt: options.wrt ?? inexactInputs(program),
    interpret: operations === undefined ? {} : { operations },
    double: undefined,
  };
}

/** The case in float32 and complex64, beside the one in double precision; undefined where nothing changes. */
export function singlePrecision(options: SubjectOptions, double: ExtensionSubject): ExtensionSubject | undefined {
  const inputs = options.inputs.map(halved);
  if (inputs.every((input, at) => input === options.inputs[at])) return undefined;
  const exact = { ...double, inputs: inputs.map((input, at) => recast(input, (options.inputs[at] as HostValue).type)) };
  const subject = createSubject({ ...options, name: `${options.name}, single precision`, inputs, context: double.context });
  return { ...subject, expected: options.expected?.map(halved), double: exact };
}

function catalogWith(extension: Extension | undefined): Catalog {
  if (extension === undefined) return createCatalog();
  return extension.basis === undefined ? createCatalog([extension]) : buildCatalog([extension]);
}

function halved(value: HostValue): HostValue {
  const { dtype, shape } = value.type;
  if (dtype !== 'float64' && dtype !== 'complex128') return value;
  return recast(value, tensorType(dtype === 'float64' ? 'float32' : 'complex64', shape));
}

function recast(value: HostValue, type: HostValue['type']): HostValue {
  return hostValue(type.dtype, knownShape(type.shape), value.data as ArrayLike<number | bigint>);
}
