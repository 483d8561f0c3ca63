import type { AdContext, Engine } from '@tf/core';
import { type EagerKind, EagerRuntime, type EagerTensor } from '@tf/eager';
import { batchOf, tensorsOf } from './batch.ts';
import { type Batch, crossEntropy, mapParameters, parameterAfter, type Parameters, readParameters, velocityAfter, zerosLike } from './model.ts';
import type { Part, Split } from './split.ts';
import type { Trainer } from './train.ts';

type EagerBatch = Batch<EagerTensor<'float64'>, EagerTensor<'int32'>>;

/** The eager mode: every operation runs at once; `backward` differentiates what was recorded. */
export function createEagerTrainer(engine: Engine, context: AdContext, { train, test }: Split, start: Parameters<Float64Array>): Trainer {
  const runtime = new EagerRuntime({ context });
  const parameters = mapParameters(tensorsOf(start), (value) => runtime.variable(value));
  const velocity = mapParameters(tensorsOf(zerosLike(start)), (value) => runtime.variable(value, { requiresGrad: false }));
  const [trainBatch, testBatch] = [constants(runtime, train), constants(runtime, test)];
  const loss = (batch: EagerBatch): EagerTensor<'float64'> => crossEntropy<EagerKind>(parameters, batch);
  const gradientOf = (name: keyof Parameters<unknown>): EagerTensor<'float64'> => {
    const { grad } = parameters[name];
    if (grad === undefined) throw new Error(`penguins: ${name} has no gradient; was backward called?`);
    return grad;
  };
  const update = (): void => void mapParameters(parameters, (parameter, name) => {
    velocity[name].assign(velocityAfter(velocity[name], gradientOf(name)));
    parameter.assign(parameterAfter(parameter, velocity[name]));
  });
  return {
    mode: 'eager',
    step() {
      runtime.session(engine, () => {
        runtime.clearGrads();
        loss(trainBatch).backward();
        runtime.noGrad(update);
      });
    },
    gradient: () => readParameters(mapParameters(parameters, (_, name) => gradientOf(name))),
    parameters: () => readParameters(parameters),
    losses: async () => runtime.session(engine, () => runtime.noGrad(() => ({ train: loss(trainBatch).item(), test: loss(testBatch).item() }))),
  };
}

function constants(runtime: EagerRuntime, part: Part): EagerBatch {
  const { features, labels, classes } = batchOf(part);
  return { features: runtime.constant(features), labels: runtime.constant(labels), classes: runtime.constant(classes) };
}
