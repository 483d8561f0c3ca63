import { type DeviceBuffer, type Engine, type EngineInput, type Executable, type HostCall, type HostKernel, loop, type RepeatStep, type ScalarExpr, type TypedArray } from '@tf/core';
import { type ElementEvaluator, prepareBody } from '../interpreter/scalars.ts';
import { engineLaws } from '../laws/engine/engine-laws.ts';
import type { EngineOptions } from '../laws/engine/subject.ts';
import { brokenLaws, type LawError } from '../laws/law.ts';
import { createReferenceEngine, ReferenceEngine } from '../reference-engine/engine.ts';
import { type EngineParts, referenceParts } from '../reference-engine/steps.ts';
import { TILE_ROWS, tilesOf } from '../reference-engine/tiles.ts';
import type { Twin } from './twin.ts';

const declared = ['float32', 'float64', 'int32', 'bool'] as const;

function judge(create: (options: EngineOptions) => Engine): Promise<readonly LawError[]> {
  return brokenLaws(engineLaws, { name: 'twin', create });
}

// ---------------------------------------------------------------- engines with one wrong part

function partTwin<K extends keyof EngineParts>(name: string, law: string, part: K, wrong: EngineParts[K]): Twin {
  const engine = (own: EngineParts[K]) => (options: EngineOptions): Engine => new ReferenceEngine({ ...options, dtypes: declared }, { ...referenceParts, [part]: own });
  return { name, law, wrong: () => judge(engine(wrong)), right: () => judge(engine(referenceParts[part])) };
}

/** The rounding error of a·b, exactly (Dekker 1971, with Veltkamp's splitting). */
function productError(a: number, b: number, product: number): number {
  const high = (x: number): number => {
    const scaled = 134217729 * x;
    return scaled - (scaled - x);
  };
  const [ah, bh] = [high(a), high(b)];
  const [al, bl] = [a - ah, b - bh];
  return al * bl - (product - ah * bh - al * bh - ah * bl);
}

/** a·b + c with one rounding, or nearly: enough to differ from two. */
function fused(a: number, b: number, c: number, single: boolean): number {
  if (single) return Math.fround(a * b + c);
  const product = a * b;
  const error = productError(a, b, product);
  return product + c + (Number.isFinite(error) ? error : 0);
}

/** Root sums of a product and something else are fused, as compilers do under `-ffp-contract=fast`. */
function contracting(body: readonly ScalarExpr[]): ElementEvaluator {
  const exact = prepareBody(body, 'exact');
  const isProduct = (node: ScalarExpr | undefined): boolean => node?.op === 'mul' && (node.type === 'f32' || node.type === 'f64');
  const parts = body.map((root) => {
    if (root.op !== 'add') return undefined;
    const [left, right] = root.args;
    const [product, rest] = isProduct(left) ? [left, right] : [right, left];
    return isProduct(product) ? { single: root.type === 'f32', evaluate: prepareBody([...(product as { readonly args: readonly ScalarExpr[] }).args, rest], 'exact') } : undefined;
  });
  return (read) => exact(read).map((value, at) => {
    const part = parts[at];
    if (part === undefined) return value;
    const [a, b, c] = part.evaluate(read) as readonly [number, number, number];
    return fused(a, b, c, part.single);
  });
}

/** max(a, b) as a comparison, which drops NaN and the sign of zero. */
function comparing(body: readonly ScalarExpr[]): ElementEvaluator {
  const compared = (node: ScalarExpr): ScalarExpr => {
    const [a, b] = loop.operandsOf(node) as readonly [ScalarExpr, ScalarExpr];
    return loop.select(loop.gt(a, b), a, b);
  };
  return prepareBody(loop.rewriteNodes(body, (node) => (node.op === 'max' ? compared(node) : node)), 'exact');
}

function fromFirstToLast<T>(count: number, element: (i: number) => T, combine: (a: T, b: T) => T, start: T): T {
  let result = start;
  for (let i = 0; i < count; i++) result = combine(result, element(i));
  return result;
}

/** Goes on where the last run of the step ended, as if what moved from iteration to iteration had not been put back. */
function forgetful(): EngineParts['repeat'] {
  const moved = new WeakMap<RepeatStep, number>();
  return (step, count, iteration) => {
    const first = moved.get(step) ?? 0;
    moved.set(step, first + count);
    for (let i = 0; i < count; i++) iteration(first + i);
  };
}

const onceTooOften: EngineParts['repeat'] = (_step, count, iteration) => {
  for (let i = 0; i <= count; i++) iteration(i);
};

const bodyFirst: EngineParts['while'] = (condition, body) => {
  condition();
  do body(); while (condition());
};

/** Gives a kernel its first input's memory for its first output, and restores it afterwards. */
function inPlace(kernel: HostKernel, call: HostCall): number | void {
  const [x, y] = [call.inputs[0] as Float64Array, call.outputs[0] as Float64Array];
  const kept = x.slice();
  const status = kernel.run({ ...call, outputs: [x, ...call.outputs.slice(1)] });
  y.set(x);
  x.set(kept);
  return status;
}

/** Takes tables that were made for other integers. */
function withFirstTables(): EngineParts['call'] {
  const first = new WeakMap<HostKernel, HostCall['tables'] & object>();
  return (kernel, call) => {
    const tables = first.get(kernel) ?? call.tables;
    if (tables !== undefined) first.set(kernel, tables);
    return kernel.run({ ...call, tables });
  };
}

// ---------------------------------------------------------------- engines wrapped

/** How a wrapped engine differs from the one inside. */
interface Wrapping {
  readonly run?: (inner: Engine, executable: Executable, inputs: readonly EngineInput[]) => readonly DeviceBuffer[];
  readonly modules?: (inner: Engine, runs: ReadonlySet<string>) => number;
}

function wrap(inner: Engine, { run = (_inner, executable, inputs) => executable.run(inputs), modules = () => inner.stats().modulesCompiled }: Wrapping, info: Engine['info'] = inner.info): Engine {
  const known = new Map<Executable, Executable>();
  const runs = new Set<string>();
  return {
    contract: inner.contract,
    info,
    ...(inner.kernels === undefined ? {} : { kernels: inner.kernels }),
    get disposed() {
      return inner.disposed;
    },
    stats: () => ({ ...inner.stats(), modulesCompiled: modules(inner, runs) }),
    compile: (plan) => {
      const own = inner.compile(plan);
      const before = known.get(own);
      if (before !== undefined) return before;
      const executable: Executable = {
        plan,
        run: (inputs) => {
          runs.add(inputs.map((input) => (typeof input === 'number' ? '' : input.shape.join())).join('|'));
          return run(inner, own, inputs);
        },
      };
      known.set(own, executable);
      return executable;
    },
    upload: (dtype, shape, data) => inner.upload(dtype, shape, data),
    read: (buffer) => inner.read(buffer),
    dispose: () => inner.dispose(),
  };
}

function wrappedTwin(name: string, law: string, wrong: Wrapping, right: Wrapping): Twin {
  const engine = (wrapping: Wrapping) => (options: EngineOptions): Engine => wrap(createReferenceEngine({ ...options, dtypes: declared }), wrapping);
  return { name, law, wrong: () => judge(engine(wrong)), right: () => judge(engine(right)) };
}

function isBuffer(input: EngineInput | undefined): input is DeviceBuffer {
  return typeof input === 'object' && 'engine' in input;
}

const sameForm = (input: DeviceBuffer, output: DeviceBuffer): boolean => input.dtype === output.dtype && input.shape.join() === output.shape.join();

/** Gives the input itself as an output of its form. */
const returnsInput: Wrapping['run'] = (_inner, executable, inputs) => executable.run(inputs).map((output) => {
  const [input] = inputs;
  return executable.plan.steps.every(({ kind }) => kind === 'copy') && isBuffer(input) && sameForm(input, output) ? input : output;
});

/** Reads a foreign buffer where it lies, without a word. */
const takesForeign: Wrapping['run'] = (inner, executable, inputs) => executable.run(inputs.map((input) => (isBuffer(input) && input.engine !== inner ? { data: input.engine.read(input), shape: input.shape } : input)));

/** Uploads inputs for the run and forgets them. */
const leaks: Wrapping['run'] = (inner, executable, inputs) => {
  for (const input of inputs) if (isBuffer(input)) inner.upload(input.dtype, input.shape, inner.read(input) as TypedArray);
  return executable.run(inputs);
};

export const engineTwins: readonly Twin[] = [
  partTwin('an engine that fuses a·b + c', 'no-contraction', 'prepareBody', contracting),
  partTwin('an engine that adds from first to last', 'fixed-order', 'reduce', fromFirstToLast),
  partTwin('an engine whose maximum drops NaN', 'agreement', 'prepareBody', comparing),
  partTwin('an engine that forgets the rows after the last whole tile', 'tiles', 'tiles', (rows) => tilesOf(rows - (rows % TILE_ROWS))),
  partTwin('an engine that runs a repeated step once too often', 'nested-steps', 'repeat', onceTooOften),
  partTwin('an engine that does not put back what a repeated step moved', 'nested-steps', 'repeat', forgetful()),
  partTwin('an engine that asks for a condition after the first iteration only', 'nested-steps', 'while', bodyFirst),
  partTwin('an engine that counts branches from the end', 'nested-steps', 'branch', (index, count) => Math.min(count - 1, index < 0 ? count - 1 : index)),
  partTwin('an engine that lets a kernel write over its input', 'calls', 'call', inPlace),
  partTwin('an engine that does not listen to its kernels', 'calls', 'call', (kernel, call) => void kernel.run(call)),
  partTwin('an engine that uses tables for other sizes', 'calls', 'call', withFirstTables()),
  partTwin('an engine that computes tables for every call', 'calls', 'call', (kernel, call) => (kernel.tables?.(call.integers), kernel.run(call))),
  {
    name: 'an engine that leaves modules unread', law: 'calls',
    wrong: () => judge(() => createReferenceEngine({ dtypes: declared })),
    right: () => judge((options) => createReferenceEngine({ ...options, dtypes: declared })),
  },
  {
    name: 'an engine that takes dtypes it does not declare', law: 'refusal',
    wrong: () => judge((options) => { const inner = createReferenceEngine(options); return wrap(inner, {}, { ...inner.info, dtypes: declared }); }),
    right: () => judge((options) => { const inner = createReferenceEngine({ ...options, dtypes: declared }); return wrap(inner, {}, { ...inner.info, dtypes: declared }); }),
  },
  wrappedTwin('an engine that reads buffers of another engine', 'typed-errors', { run: takesForeign }, {}),
  wrappedTwin('an engine that keeps a copy of every input', 'disposal', { run: leaks }, {}),
  wrappedTwin('an output that is the input', 'no-aliasing', { run: returnsInput }, {}),
  wrappedTwin('an engine that compiles for every size', 'one-module', { modules: (_inner, runs) => runs.size }, {}),
];
