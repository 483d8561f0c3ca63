import { createEngine } from '@tf/engine-cpu-wasm';
import type { DemoOptions } from './arguments.ts';
import type { Check } from './checks.ts';
import { describeData, loadPenguins } from './data.ts';
import { demoContext } from './fault.ts';
import { printPrograms } from './programs.ts';
import type { Output } from './progress.ts';
import { checkLossPicture, checkRegionPicture } from './picture-checks.ts';
import { drawLoss, drawRegions, savePictures } from './pictures.ts';
import { planeThrough } from './regions.ts';
import { runSeed, type SeedRun } from './seed.ts';
import { createTracedFunctions, type TracedFunctions } from './traced.ts';

/** What a run of the demo found. */
export interface DemoResult {
  readonly checks: readonly Check[];
  readonly pictures: readonly string[];
  readonly passed: boolean;
}

/** Trains both modes for every seed, checks what it claims, draws, and says everything on the way. */
export async function runDemo(options: DemoOptions, output: Output): Promise<DemoResult> {
  const context = demoContext(options.flip);
  const data = await loadPenguins();
  describeData(data).forEach((text) => output.line(text));
  const engine = await createEngine();
  try {
    output.line(`engine: ${engine.info.name} ${engine.info.version} (${engine.info.numerics}), float64`);
    if (options.flip !== undefined) output.line(`PLANTED FAULT: the derivative rule of ${options.flip} has its sign turned round`);
    const functions = createTracedFunctions(engine, context);
    const runs: SeedRun[] = [];
    for (const seed of options.seeds) runs.push(await runSeed({ seed, steps: options.steps, engine, context, functions, penguins: data.penguins }, output));
    const [first] = runs;
    if (first === undefined) throw new Error('penguins: no seed given.');
    printPrograms(first, output);
    const drawn = await draw(first, functions, options);
    const { modulesCompiled, bytesReserved } = engine.stats();
    output.line(`engine: ${modulesCompiled} modules generated, ${(bytesReserved / 2 ** 20).toFixed(1)} MiB reserved`);
    const checks = [...runs.flatMap((run) => run.checks), ...drawn.checks];
    const result = { checks, pictures: drawn.pictures, passed: checks.every(({ holds }) => holds) };
    report(result, runs, output);
    if (options.flip !== undefined && result.passed) output.line(`The planted fault in ${options.flip} changed nothing: no derivative here goes through that rule, or each goes through it twice.`);
    return result;
  } finally {
    engine.dispose();
  }
}

/** Draws one seed's curves and regions, writes the files, and reads them back for the checks. */
async function draw({ seed, split, traced, eager }: SeedRun, functions: TracedFunctions, { flip, out }: DemoOptions): Promise<{ readonly pictures: readonly string[]; readonly checks: readonly Check[] }> {
  const curves = { traced: traced.curve, eager: eager.curve };
  const plane = planeThrough(split.train.penguins, split.scale);
  const grid = { ...plane, scores: await functions.scores(traced.parameters, plane.features) };
  const run = `seed ${seed}${flip === undefined ? '' : `, planted fault in ${flip}`}`;
  const loss = drawLoss(curves, `Penguins: both modes learn the same (${run})`);
  const regions = drawRegions(grid, split, `Penguins: the species that the network names (${run})`);
  const pictures = await savePictures(out, { 'loss.svg': loss, 'regions.svg': regions });
  return { pictures, checks: [checkLossPicture(loss, curves), checkRegionPicture(regions, split, grid)] };
}

function report({ checks, pictures, passed }: DemoResult, runs: readonly SeedRun[], output: Output): void {
  output.line('');
  const failed = checks.filter(({ holds }) => !holds);
  for (const { claim, detail } of failed) output.line(`✗ ${claim}: ${detail}`);
  output.line(`gradients bitwise equal: ${runs.every(({ gradientsEqual }) => gradientsEqual)}`);
  output.line(`held-out accuracy: ${runs.map(({ seed, accuracy }) => `seed ${seed} ${accuracy.toFixed(3)}`).join(', ')}`);
  pictures.forEach((path) => output.line(`picture: ${path}`));
  output.line(`${checks.length - failed.length} of ${checks.length} checks hold${passed ? '' : ': the demo FAILED'}`);
}
