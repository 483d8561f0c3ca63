import type { Instruction, Var } from '../contract.ts';
import { TfError } from '../errors.ts';
import { authored, requireNamed } from '../program/authored.ts';
import { Builder } from '../program/builder.ts';
import { inferTypes } from '../program/infer.ts';
import { sameType, type TensorType } from '../types/tensor-type.ts';
import type { RuleRequest, Rules } from './rule-context.ts';

/** What stands for an instruction in the source of a derivative (contracts.md §1). */
export interface AugmentedForm extends Pick<Instruction, 'operation' | 'params'> {
  readonly outputTypes: readonly TensorType[];
  readonly exact: boolean;
}

/** What the rule would rather have run; undefined where that is the operation as it is. */
export function augmentedForm({ catalog, regions }: Rules, request: RuleRequest): AugmentedForm | undefined {
  const rule = catalog.rule(request.operation);
  const found = rule.kind === 'none' ? undefined : authored(request.operation, 'augment', () => rule.augment?.({ ...request, regions }));
  if (found === undefined) return undefined;
  requireNamed(request.operation, 'augment', found);
  const outputTypes = inferTypes(found.operation, request.inputTypes, found.params, () => undefined);
  request.outputTypes.forEach((type, at) => {
    const given = outputTypes[at];
    if (given !== undefined && sameType(given, type)) return;
    throw new TfError('ExtensionError', `${request.operation.id}: its augment names ${found.operation.id}, whose output ${at} is ${given?.key ?? 'missing'}, not ${type.key}. Its first outputs must be those of the operation.`, { op: request.operation.id, family: request.operation.family, role: 'augment' });
  });
  return { operation: found.operation, params: found.params, outputTypes, exact: found.exact !== false };
}

/** The instruction in that form: its own values are the first outputs, the others are new. */
export function augmentedInstruction(instruction: Instruction, { operation, params, outputTypes }: AugmentedForm): Instruction {
  const builder = new Builder();
  const further = outputTypes.slice(instruction.outputs.length).map((type): Var => builder.input(type));
  return { ...instruction, operation, params, outputs: [...instruction.outputs, ...further] };
}
