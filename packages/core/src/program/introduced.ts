/** Extents that instructions introduce: who defines them, and who needs them. */
import type { Instruction, Params, Program } from '../contract.ts';
import { type Dim, isKnown } from '../types/dim.ts';
import { mentionsIntroduced, visitIntroduced } from '../types/extent.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { hasNone, regionsOf, visitParamDims } from './params.ts';

/** The symbol that an instruction introduces, if it does. */
export function symbolIntroducedBy({ operation, params }: Pick<Instruction, 'operation' | 'params'>): string | undefined {
  const symbol = operation.traits.extent?.(params).symbol;
  return symbol === undefined || isKnown(symbol) ? undefined : symbol.text;
}

export function introducesExtents(program: Program): boolean {
  return program.instructions.some(({ operation }) => operation.traits.extent !== undefined);
}

/** Calls `visit` with each extent that an instruction's types, parameters and regions mention and a run decides. */
export function visitExtents({ outputs, params }: { readonly outputs: readonly { readonly type: TensorType }[]; readonly params: Params }, visit: (dim: Dim) => void): void {
  for (let at = 0; at < outputs.length; at++) visitShape((outputs[at] as { readonly type: TensorType }).type.shape, visit);
  if (hasNone(params)) return;
  visitParamDims(params, (dim) => visitShape([dim], visit));
  for (const region of regionsOf(params)) {
    for (const { type } of region.inputs) visitShape(type.shape, visit);
    // Regions nest as deep as the user's own functions do.
    for (const instruction of region.instructions) visitExtents(instruction, visit);
  }
}

function visitShape(dims: readonly Dim[], visit: (dim: Dim) => void): void {
  for (let at = 0; at < dims.length; at++) if (mentionsIntroduced(dims[at] as Dim)) visit(dims[at] as Dim);
}

/** Calls `visit` with each introduced symbol that an instruction mentions, perhaps several times. */
export function visitSymbols(instruction: Instruction, visit: (symbol: string) => void): void {
  visitExtents(instruction, (dim) => visitIntroduced(dim, visit));
}
