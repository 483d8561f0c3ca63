import type { Operation, Params } from '../contract.ts';
import { describe } from '../types/argument.ts';
import { dtypes } from '../types/dtype.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { authored, wrongPart } from './authored.ts';

/** An instruction, or what is as good as one. */
export interface ElementwiseUse {
  readonly operation: Operation;
  readonly params: Params;
  readonly inputs: readonly { readonly type: TensorType }[];
  readonly outputs: readonly { readonly type: TensorType }[];
}

/**
 * What an elementwise operation computes of one element of each input: one expression per lane of the output.
 *
 * @throws ExtensionError when its trait throws or gives anything else.
 */
export function elementwiseBody({ operation, params, inputs, outputs }: ElementwiseUse): readonly ScalarExpr[] {
  const body: unknown = authored(operation, 'elementwise', () => operation.traits.elementwise?.(params, inputs.map((input) => input.type.dtype)));
  const lanes = outputs.reduce((sum, { type }) => sum + dtypes[type.dtype].lanes, 0);
  const given = Array.isArray(body) ? `a list of ${body.length}` : describe(body);
  if (!Array.isArray(body) || body.length !== lanes) throw wrongPart(operation, 'elementwise', `gave ${given}`, `It gives a list of ${lanes} ${lanes === 1 ? 'expression' : 'expressions'}, one per lane of the output`);
  return body as readonly ScalarExpr[];
}
