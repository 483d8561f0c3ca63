import { type HostTensor, tensor } from '@tf/core';
import { measurements, speciesNames } from './data.ts';
import { type Batch, mapParameters, type Parameters, parameterShapes } from './model.ts';
import type { Part } from './split.ts';

/** A batch that lies on the host. */
export type HostBatch = Batch<HostTensor<'float64'>, HostTensor<'int32'>>;

/** A part of the data as host tensors, which both front ends take. */
export function batchOf({ features, labels }: Pick<Part, 'features' | 'labels'>): HostBatch {
  return {
    features: tensor(features, { shape: [labels.length, measurements.length] }),
    labels: tensor(labels),
    classes: tensor(Int32Array.from(speciesNames.keys())),
  };
}

/** The four arrays as host tensors. */
export function tensorsOf(parameters: Parameters<Float64Array>): Parameters<HostTensor<'float64'>> {
  return mapParameters(parameters, (values, name) => tensor(values, { shape: parameterShapes[name] }));
}
