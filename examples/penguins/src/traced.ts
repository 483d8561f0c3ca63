import { type AdContext, type Engine, type HostTensor, type ResidentTensor, tensor } from '@tf/core';
import { grad, jit, trace, type TracedKind, type TracedTensor, valueAndGrad } from '@tf/traced';
import { batchOf, type HostBatch, tensorsOf } from './batch.ts';
import { measurements } from './data.ts';
import { type Batch, crossEntropy, mapParameters, parameterAfter, type Parameters, readParameters, scores, velocityAfter, zerosLike } from './model.ts';
import type { Split } from './split.ts';
import type { Trainer } from './train.ts';

type Traced = TracedTensor<'float64'>;
type TracedBatch = Batch<Traced, TracedTensor<'int32'>>;

/** What is compiled once and then serves every seed. */
export interface TracedFunctions {
  trainer(split: Split, start: Parameters<Float64Array>): Trainer;
  /** The loss of plain arrays, for central differences. */
  loss(parameters: Parameters<Float64Array>, batch: HostBatch): number;
  /** Scores for rows of four features, row-major [rows, 3]. */
  scores(parameters: Parameters<Float64Array>, features: Float64Array): Promise<Float64Array>;
}

/** The traced mode: loss, gradient and update are one program, compiled once and run as one call. */
export function createTracedFunctions(engine: Engine, context: AdContext): TracedFunctions {
  const loss = jit(crossEntropy<TracedKind>, { engine, name: 'loss' });
  const scoresOf = jit(scores<TracedKind>, { engine, name: 'scores' });
  const step = jit((parameters: Parameters<Traced>, velocity: Parameters<Traced>, batch: TracedBatch) => {
    const [, gradient] = valueAndGrad(crossEntropy<TracedKind>)(parameters, batch);
    const faster = mapParameters(velocity, (value, name) => velocityAfter(value, gradient[name]));
    return { gradient, velocity: faster, parameters: mapParameters(parameters, (value, name) => parameterAfter(value, faster[name])) };
  }, { engine, context, name: 'step' });

  return {
    trainer: ({ train, test }, start) => createTrainer(step, loss, batchOf(train), batchOf(test), start),
    loss: (parameters, batch) => loss(tensorsOf(parameters), batch).item(),
    scores: (parameters, features) => scoresOf(tensorsOf(parameters), tensor(features, { shape: [features.length / measurements.length, measurements.length] })).data(),
  };
}

type Resident = ResidentTensor<'float64'>;
type Readable = HostTensor<'float64'> | Resident;
type Step = (parameters: Parameters<Readable>, velocity: Parameters<Readable>, batch: HostBatch) => { readonly [part in 'gradient' | 'velocity' | 'parameters']: Parameters<Resident> };
type Loss = (parameters: Parameters<Readable>, batch: HostBatch) => Resident;

/** The results of one step stay on the engine and are the arguments of the next. */
function createTrainer(step: Step, loss: Loss, train: HostBatch, test: HostBatch, start: Parameters<Float64Array>): Trainer {
  let parameters: Parameters<Readable> = tensorsOf(start);
  let velocity: Parameters<Readable> = tensorsOf(zerosLike(start));
  let gradient = velocity;
  return {
    mode: 'traced',
    step() {
      ({ parameters, velocity, gradient } = step(parameters, velocity, train));
    },
    gradient: () => readParameters(gradient),
    parameters: () => readParameters(parameters),
    losses: async () => ({ train: loss(parameters, train).item(), test: loss(parameters, test).item() }),
  };
}

/** The programs behind the loss and behind its gradient, as text. */
export function programTexts(parameters: Parameters<Float64Array>, batch: HostBatch): { readonly loss: string; readonly gradient: string } {
  const gradient = (at: Parameters<Traced>, data: TracedBatch): Parameters<Traced> => grad(crossEntropy<TracedKind>)(at, data);
  const args = [tensorsOf(parameters), batch] as const;
  return { loss: trace(crossEntropy<TracedKind>, ...args).toString(), gradient: trace(gradient, ...args).toString() };
}
