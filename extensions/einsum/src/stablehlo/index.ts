/** What einsum's operations become in StableHLO. */
import type { NativeRole, StableHloFamily, StableHloSite, StableHloValue as Value } from '@tf/export-stablehlo';
import { contractLabels } from '../contract.ts';
import { einsumFamily, type Labels } from '../operations.ts';

/** Contractions as `dot_general`; diagonals, and what puts tensors on them, become what they lower to. */
export const einsumStableHlo: StableHloFamily = {
  family: einsumFamily,
  operations: { contract: { becomes: 'dot_general and transpose, or multiply where nothing is summed', toStableHlo: contract } satisfies NativeRole },
};

function contract({ writer, params, operands, outputs: [type] }: StableHloSite): readonly Value[] {
  const [a, b] = operands as readonly [Value, Value];
  const { lhs, rhs, out } = contractLabels(params);
  const shape = type?.shape ?? [];
  const summed = lhs.filter((label) => !out.includes(label));
  if (summed.length === 0) {
    const [left, right] = [[a, lhs], [b, rhs]].map(([x, labels]) => repeated(writer, x as Value, labels as Labels, out, shape)) as [Value, Value];
    return [writer.same('multiply', left, right)];
  }
  const batch = out.filter((label) => lhs.includes(label) && rhs.includes(label));
  const free = (labels: Labels): Labels => labels.filter((label) => !batch.includes(label) && !summed.includes(label));
  const labels = [...batch, ...free(lhs), ...free(rhs)];
  const at = (own: Labels, wanted: Labels): string => `[${wanted.map((label) => own.indexOf(label)).join(', ')}]`;
  const batching = batch.length === 0 ? '' : `, batching_dims = ${at(lhs, batch)} x ${at(rhs, batch)}`;
  const product = writer.other('dot_general', [a, b], { element: a.element, shape: labels.map((label) => shape[out.indexOf(label)] as number) }, `${batching}, contracting_dims = ${at(lhs, summed)} x ${at(rhs, summed)}, precision = [HIGHEST, HIGHEST]`);
  return [writer.transpose(product, out.map((label) => labels.indexOf(label)))];
}

/** An operand in line with the result, repeated along the labels that it lacks. */
function repeated(writer: StableHloSite['writer'], x: Value, labels: Labels, out: Labels, shape: readonly number[]): Value {
  const own = out.filter((label) => labels.includes(label));
  return writer.broadcast(writer.transpose(x, own.map((label) => labels.indexOf(label))), shape, own.map((label) => out.indexOf(label)));
}
