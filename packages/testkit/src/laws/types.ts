import { type Atom, type Dim, dtypes, type Instruction, sameDim, type TensorType } from '@tf/core';
import { jvpProgram, vjpProgram } from '../programs.ts';
import { LawError } from './law.ts';
import { type Probe, probesOf } from './probe.ts';
import { type ExtensionLaw, type ExtensionSubject, isDifferentiable, ruleUses } from './subject.ts';

/** Tangents have the type of their primals (up to the broadcasting that transforms undo). */
export const typesLaw: ExtensionLaw = {
  name: 'types',
  equation: 'type(J v) = type(f(x)), type(Jᵀ ct) = type(x)',
  check: (subject) => {
    for (const use of ruleUses(subject)) {
      for (const probe of probesOf(subject.context, use)) {
        checkCount(use.instruction.operation.id, probe);
        probe.results.forEach((result, at) => {
          if (result !== undefined) checkResult(use.instruction, probe, result, at);
        });
      }
    }
    if (isDifferentiable(subject)) checkWhole(subject);
    return undefined;
  },
};

/** One per value; a transpose may end with the last operand that it was asked for, the others being nothing that it is linear in. */
function checkCount(op: string, { role, results, expected, active }: Probe): void {
  const least = role === 'transpose' ? active.lastIndexOf(true) + 1 : expected.length;
  if (results.length < least || results.length > expected.length) throw new LawError('types', op, `its ${role} gives a list of ${results.length}, the operation has ${expected.length} values there. Give undefined where nothing flows.`);
}

function checkResult({ operation: { id, traits }, outputs }: Instruction, { role, expected }: Probe, result: Atom, at: number): void {
  const type = expected[at] as TensorType;
  // A cotangent of an integer is dropped by the transforms.
  if (dtypes[type.dtype].kind !== 'float' && dtypes[type.dtype].kind !== 'complex') return;
  const isRepeated = (traits.elementwise !== undefined || traits.broadcasts === true) && broadcasts(type, result.type) && outputs.some((output) => broadcasts(result.type, output.type));
  const fits = role === 'linearize' ? broadcasts(result.type, type) : isRepeated || (type.shape.length === result.type.shape.length && broadcasts(type, result.type) && broadcasts(result.type, type));
  if (result.type.dtype !== type.dtype || !fits) throw new LawError('types', id, `its ${role} gives a ${result.type.key} for a value ${type.key}.`);
}

/** Whether `small` broadcasts to the shape of `large`. */
function broadcasts(small: TensorType, large: TensorType): boolean {
  const lead = large.shape.length - small.shape.length;
  return lead >= 0 && small.shape.every((dim, axis) => dim === 1 || sameDim(dim, large.shape[lead + axis] as Dim));
}

function checkWhole({ context, program, wrt, name }: ExtensionSubject): void {
  const reverse = vjpProgram(context, program, wrt);
  reverse.outputs.forEach(({ type }, at) => {
    const own = (program.inputs[wrt[at] as number] as Atom).type;
    if (type.key !== own.key) throw new LawError('types', name, `the cotangent of input ${wrt[at]} is ${type.key}, the input ${own.key}.`);
  });
  const forward = jvpProgram(context, program, wrt);
  const outputs = program.outputs.filter(({ type }) => dtypes[type.dtype].kind === 'float' || dtypes[type.dtype].kind === 'complex');
  forward.outputs.forEach(({ type }, at) => {
    const own = (outputs[at] as Atom).type;
    if (type.key !== own.key) throw new LawError('types', name, `the tangent of output ${at} is ${type.key}, the output ${own.key}.`);
  });
}
