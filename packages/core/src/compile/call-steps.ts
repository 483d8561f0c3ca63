/** Operations that a kernel of an execution module computes. */
import type { Atom, CallOperand, CallStep, Instruction, KernelCall, Operation } from '../contract.ts';
import { TfError } from '../errors.ts';
import { isKnown } from '../types/dim.ts';
import type { DType } from '../types/dtype.ts';
import { elementCount } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { isContiguous, type Layout } from './layout.ts';
import type { Planner } from './planner.ts';
import { copyLoop } from './steps.ts';

/** Kernels take elements in row-major order: what lies otherwise is copied before. */
export function callStep(planner: Planner, { operation, inputs, outputs }: Instruction, { symbol, integers, workspace }: KernelCall): void {
  for (const integer of integers) if (isKnown(integer) && !Number.isSafeInteger(integer)) throw new TfError('ExtensionError', `${operation.id}: its call of ${symbol} gives the kernel ${integer}, which is no integer. Hand other numbers over as inputs.`, { op: operation.id, family: operation.family });
  const given = inputs.map((input) => operand(input.type.dtype, contiguous(planner, input)));
  const results = outputs.map((output) => operand(output.type.dtype, planner.allocate(output)));
  const bytes = workspace === undefined || workspace === 0 ? undefined : operand('bool', planner.scratch(tensorType('bool', [workspace])));
  planner.steps.push({ kind: 'call', symbol, ...versionOf(operation), integers, inputs: given, outputs: results, ...(bytes === undefined ? {} : { workspace: bytes }) });
}

function versionOf({ package: owner, version }: Operation): Pick<CallStep, 'package' | 'version'> {
  return version === undefined ? {} : { version, ...(owner === undefined ? {} : { package: owner }) };
}

function contiguous(planner: Planner, input: Atom): Layout {
  const layout = planner.layoutOf(input);
  if (isContiguous(layout)) return layout;
  const copy = planner.scratch(input.type);
  planner.steps.push(copyLoop(planner, input.type.dtype, layout, copy));
  return copy;
}

function operand(dtype: DType, { buffer, offset, shape }: Layout): CallOperand {
  return { buffer, offset, dtype, elements: elementCount(shape) };
}
