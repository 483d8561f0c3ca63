import type { AdContext, Engine } from '@tf/core';
import { batchOf } from './batch.ts';
import { bitwiseEqual, centralDifferences, type Check, worstRelativeError } from './checks.ts';
import { type Penguin, speciesNames } from './data.ts';
import { createEagerTrainer } from './eager.ts';
import { initialise, type Parameters } from './model.ts';
import type { Output } from './progress.ts';
import { type Part, type Split, splitPenguins } from './split.ts';
import { train, type Trainer, type Training } from './train.ts';
import type { TracedFunctions } from './traced.ts';

/** Held-out accuracy that every seed must reach. */
const wantedAccuracy = 0.95;
/** Largest relative distance of a gradient from central differences. */
const wantedAgreement = 1e-6;

export interface SeedTask {
  readonly seed: number;
  readonly steps: number;
  readonly engine: Engine;
  readonly context: AdContext;
  readonly functions: TracedFunctions;
  readonly penguins: readonly Penguin[];
}

/** The two modes trained from one start, and what came of it. */
export interface SeedRun {
  readonly seed: number;
  readonly split: Split;
  readonly start: Parameters<Float64Array>;
  readonly traced: Training;
  readonly eager: Training;
  readonly gradientsEqual: boolean;
  /** On the held-out part. */
  readonly accuracy: number;
  readonly checks: readonly Check[];
}

/** Trains both modes from one start and compares them with each other and with central differences. */
export async function runSeed({ seed, steps, engine, context, functions, penguins }: SeedTask, output: Output): Promise<SeedRun> {
  const split = splitPenguins(penguins, seed);
  const start = initialise(seed);
  const run = (trainer: Trainer): Promise<Training> => trainAloud(trainer, seed, steps, output);
  const traced = await run(functions.trainer(split, start));
  const eager = await run(createEagerTrainer(engine, context, split, start));

  const batch = batchOf(split.train);
  const differences = centralDifferences((arrays) => functions.loss(arrays as unknown as Parameters<Float64Array>, batch), { ...start });
  const error = worstRelativeError({ ...traced.firstGradient }, differences);
  const gradientsEqual = bitwiseEqual({ ...traced.firstGradient }, { ...eager.firstGradient });
  const accuracy = await accuracyOn(split.test, traced.parameters, functions);
  const said = (holds: boolean, claim: string, detail: string): Check => ({ holds, claim: `seed ${seed}: ${claim}`, detail });
  output.line(`seed ${seed}: gradient against central differences ${error.toExponential(1)} relative; held-out accuracy ${accuracy.toFixed(3)}`);
  return {
    seed, split, start, traced, eager, gradientsEqual, accuracy,
    checks: [
      said(gradientsEqual, 'first gradients of the modes are bitwise equal', String(gradientsEqual)),
      said(error <= wantedAgreement, `gradient within ${wantedAgreement.toExponential(0)} of central differences`, error.toExponential(2)),
      said(bitwiseEqual({ ...traced.parameters }, { ...eager.parameters }), 'the modes end with bitwise equal parameters', `after ${steps} steps`),
      said(accuracy >= wantedAccuracy, `held-out accuracy at least ${wantedAccuracy}`, accuracy.toFixed(4)),
    ],
  };
}

async function trainAloud(trainer: Trainer, seed: number, steps: number, output: Output): Promise<Training> {
  const label = `seed ${seed} ${trainer.mode}`.padEnd(13);
  const progress = output.progress(label, steps);
  const training = await train(trainer, steps, (done) => progress.done(done));
  const { train: trainLoss, test } = training.curve[training.curve.length - 1]!;
  progress.finish(`${label} ${steps} steps, ${(1000 * training.millisecondsPerStep).toFixed(0)} µs per step (first ${training.millisecondsOfFirstStep.toFixed(1)} ms), loss ${trainLoss.toFixed(4)} in training, ${test.toFixed(4)} held out`);
  return training;
}

/** The share of penguins whose species has the highest score. */
async function accuracyOn(part: Part, parameters: Parameters<Float64Array>, functions: TracedFunctions): Promise<number> {
  const scores = await functions.scores(parameters, part.features);
  const width = speciesNames.length;
  const right = part.labels.filter((label, row) => {
    const own = scores.subarray(row * width, (row + 1) * width);
    return own.every((score) => score <= own[label]!);
  });
  return right.length / part.labels.length;
}
