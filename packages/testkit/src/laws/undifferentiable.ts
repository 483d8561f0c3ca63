import { type Instruction, isInexact, isTfError, requestFor } from '@tf/core';
import { vjpProgram } from '../programs.ts';
import { LawError } from './law.ts';
import { type ExtensionLaw, type ExtensionSubject } from './subject.ts';

/**
 * Whether a tangent reaches an operation of the family that has no rule, and would reach an output from there: not where values are constant
 * for derivatives before it, as behind `stopGradient`, or after it, as behind a comparison.
 */
function refusing({ program, extension, wrt, context }: ExtensionSubject): boolean {
  const hasNone = (instruction: Instruction): boolean => instruction.operation.family === extension?.family && extension.rules[instruction.operation.name]?.kind === 'none';
  if (!program.instructions.some(hasNone)) return false;
  const moving = new Set<unknown>(wrt.map((at) => program.inputs[at]));
  const behind = new Set<unknown>();
  for (const instruction of program.instructions) {
    const { inputs, outputs } = instruction;
    if (hasNone(instruction)) {
      if (inputs.some((input) => moving.has(input))) for (const output of outputs) if (isInexact(output.type.dtype)) behind.add(output);
      continue;
    }
    for (const values of [moving, behind]) for (const output of movedOutputs(context, instruction, values)) values.add(output);
  }
  return program.outputs.some((output) => behind.has(output));
}

/** The outputs that have a tangent where these values have one. */
function movedOutputs(context: ExtensionSubject['context'], instruction: Instruction, values: ReadonlySet<unknown>): readonly unknown[] {
  const { operation, inputs, outputs } = instruction;
  const active = inputs.map((input) => values.has(input));
  const live = outputs.map(({ type }) => isInexact(type.dtype));
  if (!active.includes(true) || !live.includes(true) || context.catalog.rule(operation).kind === 'none') return [];
  const { results } = context.local('forward', requestFor(instruction, active, live));
  return outputs.filter((_, at) => live[at] === true && results[at] !== undefined);
}

/** A rule `none` is an error that gives its reason, never a silent zero. */
export const undifferentiableLaw: ExtensionLaw = {
  name: 'undifferentiable',
  equation: 'rule = none ⇒ differentiating throws UnsupportedRuleError with the reason',
  concerns: refusing,
  check: (subject) => {
    try {
      vjpProgram(subject.context, subject.program, subject.wrt);
    } catch (error) {
      if (isTfError(error, 'UnsupportedRuleError') && error.message.includes(String(error.fields['reason']))) return undefined;
      throw error;
    }
    throw new LawError('undifferentiable', subject.name, 'it has no derivative rule, and was differentiated.');
  },
};
