import type { ContenderSource, Prepared } from '../contender.ts';
import { equations } from '../networks.ts';
import { loadPeer, peerVersion } from '../peers.ts';
import { chainLength, type FloatDType, type Inputs, layerNormEpsilon, learningRate, parameterNames, type Task } from '../workloads.ts';
import { inputNamed, joined, type Prepare, prepareFrom, type Tasks, typed } from './adapter.ts';

/** What is used of jax-js, whose own types are there only once it is installed. Operations consume their operands: `ref` keeps one. */
interface JaxArray {
  readonly ref: JaxArray;
  add(other: JaxArray): JaxArray;
  sub(other: JaxArray): JaxArray;
  mul(other: JaxArray | number): JaxArray;
  dataSync(): ArrayLike<number>;
  dispose(): void;
}

/** Complex numbers. */
interface JaxPair {
  readonly real: JaxArray;
  readonly imag: JaxArray;
}

type JaxFunction<R> = (...args: readonly JaxArray[]) => R;

interface Jax {
  init(...devices: readonly string[]): Promise<readonly string[]>;
  defaultDevice(device: string): string;
  blockUntilReady(tree: unknown): Promise<unknown>;
  jit<R>(f: JaxFunction<R>): JaxFunction<R>;
  grad<R>(f: JaxFunction<JaxArray>, options?: { readonly argnums: readonly number[] }): JaxFunction<R>;
  valueAndGrad<R>(f: JaxFunction<JaxArray>): JaxFunction<readonly [JaxArray, R]>;
  vjp(f: JaxFunction<JaxArray>, primals: readonly JaxArray[]): readonly [JaxArray, (cotangent: JaxArray) => readonly JaxArray[]];
  readonly numpy: {
    readonly fft: { fft(a: JaxPair): JaxPair; rfft(a: JaxArray): JaxPair };
    array(values: ArrayLike<number> | number, options: { readonly shape?: readonly number[]; readonly dtype: string }): JaxArray;
    einsum(...listed: readonly (JaxArray | readonly number[])[]): JaxArray;
    matmul(a: JaxArray, b: JaxArray): JaxArray;
    sum(a: JaxArray, axis?: number): JaxArray;
    mean(a: JaxArray): JaxArray;
  };
  readonly nn: {
    gelu(x: JaxArray, options: { readonly approximate: boolean }): JaxArray;
    sigmoid(x: JaxArray): JaxArray;
    relu(x: JaxArray): JaxArray;
    softmax(x: JaxArray, axis: number): JaxArray;
    logsumexp(x: JaxArray, axis: number): JaxArray;
    standardize(x: JaxArray, axis: number, options: { readonly epsilon: number }): JaxArray;
  };
}

const name = '@jax-js/jax';

export const jaxJsSource: ContenderSource = {
  name: 'jax-js',
  kind: 'javascript',
  async open() {
    // It reads both at once; Node 20 has neither. One core, so that it starts no workers.
    const globals = globalThis as { navigator?: unknown; Float16Array?: unknown };
    globals.navigator ??= { userAgent: 'node', hardwareConcurrency: 1 };
    globals.Float16Array ??= class Float16Array {};
    const jax = await loadPeer<Jax>(name);
    await jax.init('wasm');
    jax.defaultDevice('wasm');
    return { name: 'jax-js', kind: 'javascript', version: peerVersion(name), prepare: prepareFrom(tasksOf(jax), () => undefined) };
  },
};

function stepLoss(jax: Jax): JaxFunction<JaxArray> {
  return (x, c) => {
    const h = (x as JaxArray).mul(c as JaxArray);
    return jax.numpy.sum(h.ref.mul(h));
  };
}

function networkStep(jax: Jax): JaxFunction<readonly JaxArray[]> {
  const loss: JaxFunction<JaxArray> = (...args) => {
    const [w1, b1, w2, b2, w3, b3, x, labels] = args as readonly [JaxArray, JaxArray, JaxArray, JaxArray, JaxArray, JaxArray, JaxArray, JaxArray];
    const layer = (input: JaxArray, weights: JaxArray, bias: JaxArray): JaxArray => jax.numpy.matmul(input, weights).add(bias);
    const scores = layer(jax.nn.relu(layer(jax.nn.relu(layer(x, w1, b1)), w2, b2)), w3, b3);
    return jax.numpy.mean(jax.nn.logsumexp(scores.ref, -1).sub(jax.numpy.sum(labels.mul(scores), -1)));
  };
  const gradient = jax.grad<readonly JaxArray[]>(loss, { argnums: [0, 1, 2, 3, 4, 5] });
  return (...args) => {
    const gradients = gradient(...args.map((arg) => arg.ref));
    const stepped = parameterNames.map((_, at) => (args[at] as JaxArray).sub((gradients[at] as JaxArray).mul(learningRate)));
    args.slice(parameterNames.length).forEach((arg) => arg.dispose());
    return stepped;
  };
}

function tasksOf(jax: Jax): Tasks {
  const array = (inputs: Inputs, name: string, dtype: FloatDType): JaxArray => {
    const input = inputNamed(inputs, name);
    return jax.numpy.array(typed(input, dtype), { shape: input.shape, dtype });
  };
  /** A function of the inputs named, whose results are waited for. */
  const called = (names: readonly string[], f: JaxFunction<unknown>): Prepare => (inputs, { dtype }) => {
    const args = names.map((name) => array(inputs, name, dtype));
    let results: readonly JaxArray[] = [];
    const discard = (): void => results.forEach((result) => result.dispose());
    return {
      async run() {
        discard();
        results = ([f(...args.map((arg) => arg.ref))] as unknown[]).flat(2) as readonly JaxArray[];
        await jax.blockUntilReady(results);
      },
      result: () => joined(results.map((result) => result.ref.dataSync())),
      dispose() {
        discard();
        args.forEach((arg) => arg.dispose());
      },
    };
  };
  const unary = (f: (x: JaxArray) => JaxArray): Prepare => called(['x'], jax.jit((x) => f(x as JaxArray)));
  const loss = stepLoss(jax);
  const tasks: Partial<Record<Task, Prepare>> = {
    operations: (inputs, { dtype }) => readOnce(array(inputs, 'x', dtype)),
    'step forward': (inputs, { dtype }) => {
      const [x, c] = [array(inputs, 'x', dtype), array(inputs, 'c', dtype)];
      let value: ArrayLike<number> = [];
      return { run: () => void (value = loss(x.ref, c.ref).dataSync()), result: () => value };
    },
    'step backward': (inputs, workload) => {
      const [x, c, one] = [array(inputs, 'x', workload.dtype), array(inputs, 'c', workload.dtype), jax.numpy.array(1, { dtype: workload.dtype })];
      const [, pullback] = jax.vjp((at) => loss(at as JaxArray, c.ref), [x]);
      return called([], () => pullback(one.ref))(inputs, workload);
    },
    'step forward and backward': called(['x', 'c'], (x, c) => jax.valueAndGrad((at) => loss(at as JaxArray, c as JaxArray))(x as JaxArray)),
    'step compiled': called(['x', 'c'], jax.jit(jax.valueAndGrad(loss))),
    matmul: called(['a', 'b'], jax.jit((a, b) => jax.numpy.matmul(a as JaxArray, b as JaxArray))),
    'gelu chain': called(['x', 'y', 'z'], jax.jit((x, y, z) => jax.nn.gelu(x as JaxArray, { approximate: false }).mul(jax.nn.sigmoid(y as JaxArray)).add(z as JaxArray))),
    sum: unary((x) => jax.numpy.sum(x)),
    mean: unary((x) => jax.numpy.mean(x)),
    'sum axis 1': unary((x) => jax.numpy.sum(x, 1)),
    'sum axis 0': unary((x) => jax.numpy.sum(x, 0)),
    softmax: unary((x) => jax.nn.softmax(x, -1)),
    'layer norm': unary((x) => jax.nn.standardize(x, -1, { epsilon: layerNormEpsilon })),
    'mlp step': called([...parameterNames, 'x', 'labels'], jax.jit(networkStep(jax))),
    ...spectra(jax),
    ...Object.fromEntries(Object.entries(equations).map(([task, { equation, shapes }]) => [task, called(Object.keys(shapes), jax.jit((...args) => jax.numpy.einsum(...listedTerms(equation, args))))])),
  };
  return tasks;
}

/** The list form of an equation: the other one needs iterator helpers, which Node 20 has not. */
function listedTerms(equation: string, args: readonly JaxArray[]): readonly (JaxArray | readonly number[])[] {
  const [inputs, output] = equation.split('->') as [string, string];
  const numbers = (term: string): readonly number[] => [...term].map((letter) => letter.charCodeAt(0) - 97);
  return [...inputs.split(',').flatMap((term, at) => [args[at] as JaxArray, numbers(term)]), numbers(output)];
}

/** Parts one after the other. */
function interleaved(re: ArrayLike<number>, im: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: 2 * re.length }, (_, at) => (at % 2 === 0 ? re : im)[at >> 1] as number);
}

function spectra(jax: Jax): Tasks {
  const prepared = (parts: readonly JaxArray[], f: JaxFunction<JaxPair>): Prepared => {
    let result: JaxPair | undefined;
    const discard = (): void => [result?.real, result?.imag].forEach((part) => part?.dispose());
    return {
      async run() {
        discard();
        result = f(...parts.map((part) => part.ref));
        await jax.blockUntilReady([result.real, result.imag]);
      },
      result: () => (result === undefined ? undefined : interleaved(result.real.ref.dataSync(), result.imag.ref.dataSync())),
      dispose() {
        discard();
        parts.forEach((part) => part.dispose());
      },
    };
  };
  return {
    fft: (inputs, { dtype }) => {
      const values = typed(inputNamed(inputs, 'x'), dtype);
      const [real, imag] = [0, 1].map((part) => jax.numpy.array(values.filter((_, at) => at % 2 === part), { dtype })) as [JaxArray, JaxArray];
      return prepared([real, imag], jax.jit((re, im) => jax.numpy.fft.fft({ real: re as JaxArray, imag: im as JaxArray })));
    },
    rfft: (inputs, { dtype }) => prepared([jax.numpy.array(typed(inputNamed(inputs, 'x'), dtype), { dtype })], jax.jit((x) => jax.numpy.fft.rfft(x as JaxArray))),
  };
}

function readOnce(x: JaxArray): Prepared {
  let values: ArrayLike<number> = [];
  return {
    run() {
      let y = x.ref;
      for (let times = 0; times < chainLength; times++) y = y.mul(x.ref).add(x.ref);
      values = y.dataSync();
    },
    result: () => values,
  };
}
