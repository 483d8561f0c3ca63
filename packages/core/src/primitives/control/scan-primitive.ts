import type { Control } from '../../contract.ts';
import { invariant } from '../../errors.ts';
import { sameType, type TensorType } from '../../types/tensor-type.ts';
import { definePrimitive, type Primitive } from '../define.ts';
import { range, typesText } from './region.ts';
import { augmentScan, coveredByScan, pruneScan } from './scan-augment.ts';
import { batchScan } from './scan-batch.ts';
import { joinScans } from './scan-join.ts';
import { scanParams, sliceOf, stackOf } from './scan-params.ts';
import { linearizeScan, transposeScan } from './scan-rule.ts';

export const scanPrimitive: Primitive = definePrimitive({
  name: 'scan',
  inputs: 'many',
  infer: (inputs, params, sink, op) => {
    const { body, constants, carries, length } = scanParams(params);
    const taken = body.inputs.map(({ type }) => type);
    const given = inputs.map((type, at) => (at < constants + carries ? type : sliceOf(type)));
    const results = body.outputs.map(({ type }) => type);
    const fits = same(given, taken) && same(results.slice(0, carries), given.slice(constants, constants + carries));
    invariant(fits, `${op}: a body ${typesText(taken)} → ${typesText(results)} does not fit ${typesText(given)} with ${constants} constants and ${carries} carries`);
    for (const constraint of body.constraints) sink(constraint);
    return results.map((type, at) => (at < carries ? type : stackOf(type, length)));
  },
  traits: {
    control: (params): Control => ({ kind: 'scan', ...scanParams(params) }),
    covers: (params) => coveredByScan(scanPrimitive.operation, params),
    join: (first, second, given) => joinScans(scanPrimitive.operation, first, second, given),
    prune: (params, live, inputs) => pruneScan(scanPrimitive.operation, params, live, inputs.length),
  },
  batch: batchScan,
  rule: {
    kind: 'rule',
    linearize: linearizeScan,
    linear: { inputs: (params) => scanParams(params).linear, how: 'together' },
    transpose: transposeScan,
    augment: augmentScan,
  },
});

function same(a: readonly TensorType[], b: readonly TensorType[]): boolean {
  return a.length === b.length && range(a.length).every((at) => sameType(a[at] as TensorType, b[at] as TensorType));
}
