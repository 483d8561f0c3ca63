/** A fever that cannot be seen, a week of symptoms that can: the likeliest path, read off the gradient, in both modes. */
import { AdContext, createCatalog, type Engine, type Operand, tensor } from '@tf/core';
import { type EagerKind, EagerRuntime, type EagerTensor } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { jit, type TracedTensor, valueAndGrad } from '@tf/traced';
import { tropicalHost } from './host.ts';
import { tropicalExtension } from './index.ts';
import { bestScore } from './viterbi.ts';

type T = TracedTensor<'float64'>;

interface Answer {
  readonly path: readonly string[];
  readonly score: number;
}

const states = ['healthy', 'fever'];
const symptoms = ['normal', 'cold', 'dizzy'];
const initial = [0.6, 0.4];
const transition = [[0.7, 0.3], [0.4, 0.6]];
const emission = [[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]];
const week = ['normal', 'cold', 'dizzy', 'dizzy', 'cold', 'normal', 'normal'].map((symptom) => symptoms.indexOf(symptom));

const start = initial.map((p, i) => Math.log(p * emission[i]![week[0]!]!));
const steps = week.slice(1).map((seen) => transition.map((row) => row.map((p, j) => Math.log(p * emission[j]![seen]!))));

/** Which transition each step's gradient marks. */
const pathOf = (gradients: readonly number[][][]): readonly string[] => {
  const taken = gradients.map((rows) => rows.flat().indexOf(1));
  return [Math.floor(taken[0]! / 2), ...taken.map((at) => at % 2)].map((state) => states[state]!);
};

function tracedAnswer(context: AdContext, engine: Engine): Answer {
  const answer = jit((all: readonly T[]) => valueAndGrad((given: readonly T[]) => bestScore(given[0]!, given.slice(1)), { context })(all), { engine, context });
  const [score, gradients] = answer([tensor(start), ...steps.map((step) => tensor(step))]);
  return { path: pathOf(gradients.slice(1).map((gradient) => gradient.toArray() as number[][])), score: score.item() };
}

function eagerAnswer(context: AdContext, engine: Engine): Answer {
  const runtime = new EagerRuntime({ context });
  const variables = steps.map((step) => runtime.variable(step));
  const score = runtime.session(engine, () => {
    const best = bestScore<Operand<EagerKind, 'float64'>>(runtime.constant(start), variables) as EagerTensor<'float64'>;
    best.backward();
    return best.item();
  });
  return { path: pathOf(variables.map((variable) => variable.grad!.toArray() as number[][])), score };
}

/** Every path there is. */
function exhaustiveAnswer(): Answer {
  return Array.from({ length: 2 ** week.length }, (_, code) => {
    const path = week.map((_seen, t) => (code >> t) & 1);
    return { path: path.map((state) => states[state]!), score: path.slice(1).reduce((sum, state, t) => sum + steps[t]![path[t]!]![state]!, start[path[0]!]!) };
  }).reduce((best, other) => (other.score > best.score ? other : best));
}

/** Prints the three answers; 0 when they are the same. */
export async function main(): Promise<number> {
  const context = new AdContext({ catalog: createCatalog([tropicalExtension]) });
  const engine = await createEngine({ modules: [tropicalHost] });
  const answers = { traced: tracedAnswer(context, engine), eager: eagerAnswer(context, engine), 'all paths': exhaustiveAnswer() };
  console.log(`symptoms    ${week.map((seen) => symptoms[seen]).join(' ')}`);
  for (const [name, { path, score }] of Object.entries(answers)) console.log(`${name.padEnd(10)}  ${path.join(' ')}   log-probability ${score.toFixed(6)}`);
  const { traced, eager, 'all paths': all } = answers;
  const agree = traced.path.join() === eager.path.join() && traced.path.join() === all.path.join() && traced.score === eager.score && Math.abs(eager.score - all.score) < 1e-12;
  console.log(agree ? 'all three agree' : 'they disagree');
  return agree ? 0 : 1;
}
