import type { Atom, Instruction, Operation, Program } from '../contract.ts';
import { TfError } from '../errors.ts';
import { describe } from '../types/argument.ts';
import { isKnown } from '../types/dim.ts';
import { isOperand, type Operand } from '../types/operand.ts';
import { sameShape } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { authored, foreignResult } from './authored.ts';
import { Builder } from './builder.ts';
import { liftArgument } from './dispatch.ts';
import { hostForm } from './host.ts';
import { isLiteral } from './literal.ts';

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
  const { lower } = operation;
  const results = requireResults(operation, authored(operation, 'lower', () => lower(inputs.map(({ type }) => builder.input(type)), params, types)), types.length);
  results.forEach((result, at) => {
    if (!builder.owns(result as Atom) && hostForm(result) === undefined) throw foreignResult(operation, 'lower', result, `output ${at}`);
  });
  const program = builder.build(results.map((result) => liftArgument(builder.listener, result, result.type.dtype, operation.id) as Atom));
  types.forEach((type, at) => {
    const given = program.outputs[at]?.type;
    if (given === undefined || !fits(given, type)) throw wrongLowering(operation, `gave ${given?.key ?? 'nothing'} for output ${at}, which is ${type.key}`);
  });
  if (program.bound.length > 0) throw wrongLowering(operation, `holds a constant of more than 64 elements (${program.bound[0]?.variable.type.key ?? ''}). Compute it from iota, or make it an input of the operation`);
  if (program.instructions.some(({ operation: { traits } }) => traits.extent !== undefined)) throw wrongLowering(operation, 'decides an extent at run time; only the operation itself may, by its traits');
  return program;
}

/** One value per output, and nothing else. */
function requireResults(operation: Operation, results: unknown, count: number): readonly Operand[] {
  const takes = `; it gives a list of ${count} ${count === 1 ? 'value' : 'values'}, one per output`;
  if (!Array.isArray(results)) throw wrongLowering(operation, `gave ${describe(results)}${takes}`);
  if (results.length > count) throw wrongLowering(operation, `gave a list of ${results.length}${takes}`);
  results.forEach((result: unknown, at) => {
    if (!isOperand(result) && !isLiteral(result)) throw wrongLowering(operation, `gave ${describe(result)} for output ${at}${takes}`);
  });
  return results as readonly Operand[];
}

/** Symbolic extents that differ in text were required to be equal. */
function fits(given: TensorType, wanted: TensorType): boolean {
  if (given.dtype !== wanted.dtype || given.shape.length !== wanted.shape.length) return false;
  return sameShape(given.shape, wanted.shape) || given.shape.every((dim, axis) => !isKnown(dim) || !isKnown(wanted.shape[axis] ?? dim) || dim === wanted.shape[axis]);
}

export function wrongLowering({ id, family }: Operation, what: string): TfError {
  return new TfError('ExtensionError', `${id}: its lowering ${what}.`, { op: id, family, role: 'lower' });
}
