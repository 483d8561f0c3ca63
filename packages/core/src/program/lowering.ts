import type { Atom, Instruction, Operation, Program } from '../contract.ts';
import { TfError } from '../errors.ts';
import { isKnown } from '../types/dim.ts';
import { sameShape } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { Builder } from './builder.ts';
import { liftArgument } from './dispatch.ts';

/**
 * What an operation's `lower` says it computes, as a program of its inputs; undefined where it has none.
 *
 * @throws ExtensionError when it gives other types than the operation infers, or needs constants that no program text holds.
 */
export function loweredProgram({ operation, params, inputs, outputs }: Pick<Instruction, 'operation' | 'params' | 'inputs' | 'outputs'>): Program | undefined {
  if (operation.lower === undefined) return undefined;
  const builder = new Builder();
  const types = outputs.map(({ type }) => type);
  for (const { shape } of types) builder.reserveExtents(shape);
  const results = operation.lower(inputs.map(({ type }) => builder.input(type)), params, types);
  const program = builder.build(results.map((result) => liftArgument(builder.listener, result, result.type.dtype, operation.id) as Atom));
  types.forEach((type, at) => {
    const given = program.outputs[at]?.type;
    if (given === undefined || !fits(given, type)) throw wrongLowering(operation, `gave ${given?.key ?? 'nothing'} for output ${at}, which is ${type.key}`);
  });
  if (program.bound.length > 0) throw wrongLowering(operation, `holds a constant of more than 64 elements (${program.bound[0]?.variable.type.key ?? ''}). Compute it from iota, or make it an input of the operation`);
  if (program.instructions.some(({ operation: { traits } }) => traits.extent !== undefined)) throw wrongLowering(operation, 'decides an extent at run time; only the operation itself may, by its traits');
  return program;
}

/** Symbolic extents that differ in text were required to be equal. */
function fits(given: TensorType, wanted: TensorType): boolean {
  if (given.dtype !== wanted.dtype || given.shape.length !== wanted.shape.length) return false;
  return sameShape(given.shape, wanted.shape) || given.shape.every((dim, axis) => !isKnown(dim) || !isKnown(wanted.shape[axis] ?? dim) || dim === wanted.shape[axis]);
}

export function wrongLowering({ id, family }: Operation, what: string): TfError {
  return new TfError('ExtensionError', `${id}: its lowering ${what}.`, { op: id, family, role: 'lower' });
}
