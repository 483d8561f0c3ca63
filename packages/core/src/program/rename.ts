/** Programs with other names for the extents that instructions introduce. */
import type { Atom, Program, Var } from '../contract.ts';
import { type Dim, dimText, symbolicDim } from '../types/dim.ts';
import { mentionsIntroduced, renameInText, substituteDim } from '../types/extent.ts';
import type { DimConstraint } from '../types/shape.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';
import { Builder } from './builder.ts';
import { isLiteral } from './literal.ts';
import { visitExtents } from './introduced.ts';
import { mapParamDims } from './params.ts';
import { lookUp } from './walk.ts';

/** The type with other extents for some symbols. */
export function substituteType(type: TensorType, replacements: ReadonlyMap<string, Dim>): TensorType {
  return type.shape.some(mentionsIntroduced) ? tensorType(type.dtype, type.shape.map((dim) => substituteDim(dim, replacements))) : type;
}

export function substituteConstraint(constraint: DimConstraint, replacements: ReadonlyMap<string, Dim>): DimConstraint {
  const { left, right, reason } = constraint;
  if (!mentionsIntroduced(left) && !mentionsIntroduced(right)) return constraint;
  return { ...constraint, left: substituteDim(left, replacements), right: substituteDim(right, replacements), reason: renameInText(reason, (symbol) => dimText(replacements.get(symbol) ?? symbolicDim(symbol))) };
}

function mentions({ inputs, bound, instructions, constraints }: Program): boolean {
  let found = constraints.some(({ left, right }) => mentionsIntroduced(left) || mentionsIntroduced(right));
  for (const { type } of [...inputs, ...bound.map(({ variable }) => variable)]) found ||= type.shape.some(mentionsIntroduced);
  for (const instruction of instructions) if (!found) visitExtents(instruction, () => (found = true));
  return found;
}

/** The same program with other extents in place of introduced symbols. */
export function renameExtents(program: Program, replacements: ReadonlyMap<string, Dim>): Program {
  if (replacements.size === 0 || !mentions(program)) return program;
  const builder = new Builder();
  const env = new Map<Var, Var>();
  for (const input of program.inputs) env.set(input, builder.input(substituteType(input.type, replacements), input.name));
  for (const { variable, value } of program.bound) env.set(variable, builder.bind(substituteType(variable.type, replacements), value));
  for (const constraint of program.constraints) builder.require(substituteConstraint(constraint, replacements));
  const atom = (value: Atom): Atom => (isLiteral(value) ? value : lookUp(env, value));
  for (const instruction of program.instructions) {
    const params = mapParamDims(instruction.params, (dim) => substituteDim(dim, replacements), (region) => renameExtents(region, replacements));
    const types = instruction.outputs.map(({ type }) => substituteType(type, replacements));
    const outputs = builder.repeat(instruction.operation, instruction.inputs.map(atom), params, types);
    instruction.outputs.forEach((output, at) => env.set(output, outputs[at] as Var));
  }
  return builder.build(program.outputs.map(atom));
}
