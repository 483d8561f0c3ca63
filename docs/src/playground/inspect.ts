import { type AdContext, allocate, allSteps, compileProgram, dtypes, type Engine, type EngineInput, flattenTree, HostTensor, loop, type Operand, type Plan, printPlan, printProgram, type Program, ResidentTensor, sum, type TypedArray } from '@tf/core';
import { grad, trace } from '@tf/traced';
import { capturingModules, wasmText } from './wasm-text.ts';
import type { ProgramView } from './messages.ts';
import { programGraph } from './program-graph.ts';
import { planTime, stepTimes } from './step-times.ts';

type AnyFunction = (...args: readonly never[]) => unknown;

/** The program of a function for arguments like these, and that of its gradient: to be looked at. */
export async function inspectFunction(engine: Engine, context: AdContext, f: AnyFunction, args: readonly unknown[]): Promise<readonly ProgramView[]> {
  const { program } = trace(f as never, ...(args as never[]));
  const name = f.name === '' ? 'f' : f.name;
  const views = [await viewOf(engine, name, program, args)];
  const derivative = gradientOf(f, program, context);
  if (derivative !== undefined) views.push(await viewOf(engine, derivative.title(name), trace(derivative.f as never, ...(args as never[])).program, args));
  return views;
}

const isReal = ({ type }: Program['outputs'][number]): boolean => type.dtype.startsWith('float');

/** The gradient of a scalar; of the sum of its elements where there are more. Undefined where there is none. */
function gradientOf(f: AnyFunction, { outputs, inputs }: Program, context: AdContext): { readonly f: AnyFunction; readonly title: (name: string) => string } | undefined {
  const [output] = outputs;
  if (outputs.length !== 1 || output === undefined || !isReal(output) || !inputs.some(isReal)) return undefined;
  if (output.type.shape.length === 0) return { f: grad(f as never, { context }) as AnyFunction, title: (name) => `gradient of ${name}` };
  return { f: grad(((...args: readonly never[]) => sum(f(...args) as Operand)) as never, { context }) as AnyFunction, title: (name) => `gradient of the sum of ${name}` };
}

async function viewOf(engine: Engine, title: string, program: Program, args: readonly unknown[]): Promise<ProgramView> {
  const plan = compileProgram(program, { kernels: engine.kernels });
  const modules = capturingModules(() => void engine.compile(plan));
  const inputs = await inputsOf(plan, program, args);
  const time = planTime(engine, plan, inputs);
  const times = stepTimes(engine, plan, inputs);
  return {
    title, time, text: printProgram(program), graph: programGraph(program), plan: printPlan(plan),
    steps: stepTexts(plan).map((text, at) => ({ text, ...(times[at] === undefined ? {} : { time: times[at] }) })),
    kernels: kernelTexts(plan), wasm: modules.map(wasmText).join('\n\n'),
  };
}

/** The first line of each step: steps inside of it are in the plan's text. */
function stepTexts(plan: Plan): readonly string[] {
  return printPlan(plan).split('\n').flatMap((line) => /^ {2}\d+ (.*)$/.exec(line)?.[1] ?? []);
}

/** Each loop of the plan once. */
function kernelTexts(plan: Plan): readonly string[] {
  const texts = [...allSteps(plan.steps)].flatMap((step) => (step.kind === 'loop' ? [loop.kernelText(step.kernel)] : step.kind === 'scan' ? [loop.scanText(step.kernel)] : []));
  return [...new Set(texts)];
}

/** What the arguments hold; values that the program captured, and what else is not known here, are 0.5 (integers 0). */
async function inputsOf(plan: Plan, program: Program, args: readonly unknown[]): Promise<readonly EngineInput[]> {
  const leaves = flattenTree(args as never).leaves as readonly unknown[];
  const known = leaves.length === program.inputs.length ? leaves : [];
  return Promise.all(plan.inputs.map(async ({ dtype, shape }, at): Promise<EngineInput> => {
    const value = known[at];
    if (typeof value === 'number') return value;
    if (value instanceof HostTensor || value instanceof ResidentTensor) return { data: (await value.data()) as TypedArray, shape: shape as readonly number[] };
    const { kind } = dtypes[dtype];
    const data = allocate(dtype, (shape as readonly number[]).reduce((product, extent) => product * extent, 1)) as TypedArray;
    if (kind === 'float' || kind === 'complex') (data as Float64Array).fill(0.5);
    return { data, shape: shape as readonly number[] };
  }));
}
