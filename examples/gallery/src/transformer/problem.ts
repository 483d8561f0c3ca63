/** A small transformer that reads characters and says which comes next. */
import { add, arange, categorical, type Engine, foldIn, geluTanh, layerNorm, lessEqual, logSumExp, matmul, mean, mul, normal, type Operand, randint, randomKey, reshape, select, slice, softmax, split, squeeze, sub, take, takeAlongAxis, tensor, transpose } from '@tf/core';
import { adam, clipByGlobalNorm, type OptimizerState, warmup } from '@tf/optim';
import { jit, type TracedTensor, valueAndGrad } from '@tf/traced';

export type Float = 'float32' | 'float64';
type T = TracedTensor<Float>;
type Integers = TracedTensor<'int32'>;

export interface Size {
  /** How many different characters there are. */
  readonly characters: number;
  /** How many of them it sees at once. */
  readonly context: number;
  readonly width: number;
  readonly heads: number;
  readonly layers: number;
}

/** One layer: attention, then a network for each place by itself. */
export interface Layer<V> {
  /** Queries, keys and values, [width, 3·width]. */
  readonly attention: V;
  readonly joined: V;
  readonly wide: V;
  readonly narrow: V;
}

export interface Parameters<V> {
  /** [characters, width]: what a character means, going in and coming out. */
  readonly characters: V;
  /** [context, width]: what its place means. */
  readonly places: V;
  readonly layers: readonly Layer<V>[];
}

/** Random numbers of the size that keeps values about as large from layer to layer. */
export function startOf({ characters, context, width, layers }: Size, key: Integers, dtype: Float): Parameters<T> {
  let used = 0;
  const random = (rows: number, columns: number, scale: number): T => mul(normal(foldIn(key, used++), [rows, columns], { dtype }), scale) as T;
  const inner = 1 / Math.sqrt(width);
  const last = inner / Math.sqrt(2 * layers);
  return {
    characters: random(characters, width, 0.1),
    places: random(context, width, 0.1),
    layers: Array.from({ length: layers }, () => ({ attention: random(width, 3 * width, inner), joined: random(width, width, last), wide: random(width, 4 * width, inner), narrow: random(4 * width, width, last / 2) })),
  };
}

/** Each place looks at itself and those before it: softmax(q·kᵀ/√d)·v, in several heads (Vaswani et al. 2017). */
function attend(x: T, { attention, joined }: Layer<T>, { heads, width }: Size): T {
  const [batch, places] = x.type.shape as readonly [number, number, number];
  const inHeads = (part: T): T => transpose(reshape(part, [batch, places, heads, width / heads]), [0, 2, 1, 3]) as T;
  const [q, k, v] = (split(matmul(x, attention) as Operand, 3, -1) as unknown as readonly T[]).map(inHeads) as [T, T, T];
  const scores = mul(matmul(q, transpose(k, [0, 1, 3, 2])), 1 / Math.sqrt(width / heads));
  const isBefore = lessEqual(arange(0, places, 1, { dtype: 'int32' }), reshape(arange(0, places, 1, { dtype: 'int32' }), [places, 1]));
  const looked = matmul(softmax(select(isBefore, scores, -1e9) as T), v);
  return matmul(reshape(transpose(looked, [0, 2, 1, 3]), [batch, places, width]), joined) as T;
}

/** The logits of the next character at each place: [batch, places, characters] from [batch, places]. */
export function logits({ characters, places, layers }: Parameters<T>, text: Integers, size: Size): T {
  const length = text.type.shape[1] as number;
  let x = add(take(characters, text), slice(places, [0, 0], [length, size.width])) as T;
  for (const layer of layers) {
    x = add(x, attend(layerNorm(x) as T, layer, size)) as T;
    x = add(x, matmul(geluTanh(matmul(layerNorm(x), layer.wide)), layer.narrow)) as T;
  }
  return matmul(layerNorm(x), transpose(characters, [1, 0])) as T;
}

/** The mean surprise, −ln p, of each next character in texts of one place more than the context: nats. */
export function surprise(parameters: Parameters<T>, text: Integers, size: Size): T {
  const [batch, length] = text.type.shape as readonly [number, number];
  const guessed = logits(parameters, slice(text, [0, 0], [batch, length - 1]), size);
  const next = reshape(slice(text, [0, 1], [batch, length]), [batch, length - 1, 1]);
  return mean(sub(logSumExp(guessed, { axes: -1 }), squeeze(takeAlongAxis(guessed, next), -1))) as T;
}

/** Pieces of the text that begin where the key says, [batch, context + 1]. */
function pieces(text: Integers, key: Integers, batch: number, context: number): Integers {
  const starts = randint(key, [batch, 1], 0, (text.type.shape[0] as number) - context - 1);
  return take(text, add(starts, arange(0, context + 1, 1, { dtype: 'int32' })) as never) as Integers;
}

export interface Training {
  readonly batch: number;
  readonly learningRate: number;
}

/** Tensors that stay on the engine between steps. */
export interface Trained {
  readonly parameters: unknown;
  readonly state: unknown;
}

export interface Model {
  readonly start: (seed: number) => Trained;
  /** One step of Adam on pieces of the text that the number chooses: one compiled program. */
  readonly step: (trained: Trained, text: Int32Array, number: number) => Trained & { readonly surprise: number };
  /** The mean surprise over all of a text, piece by piece. */
  readonly examine: (trained: Trained, text: Int32Array) => number;
  /** Characters that follow these, drawn one after the other. */
  readonly write: (trained: Trained, prompt: Int32Array, length: number, temperature: number) => Int32Array;
}

export function createModel(engine: Engine, size: Size, { batch, learningRate }: Training): Model {
  const options = { engine };
  const optimizer = adam({ learningRate: warmup(30, learningRate), beta2: 0.99 });
  const begin = jit((key: Integers) => {
    const parameters = startOf(size, key, 'float32');
    return { parameters, state: optimizer.init(parameters) };
  }, options);
  const step = jit((parameters: Parameters<T>, state: OptimizerState, text: Integers, key: Integers) => {
    const [value, gradient] = valueAndGrad((p: Parameters<T>) => surprise(p, pieces(text, key, batch, size.context), size))(parameters);
    return { surprise: value, ...optimizer.update(parameters, clipByGlobalNorm(gradient, 1), state) };
  }, { ...options, donate: [0, 1] });
  const examine = jit((parameters: Parameters<T>, text: Integers) => surprise(parameters, text, size), options);
  const draw = jit((parameters: Parameters<T>, text: Integers, temperature: TracedTensor<'float32'>, key: Integers) => {
    const last = slice(logits(parameters, text, size), [0, size.context - 1, 0], [1, size.context, size.characters]);
    return categorical(key, mul(reshape(last, [size.characters]), temperature) as never);
  }, options);
  return {
    start: (seed) => begin(randomKey(seed)) as unknown as Trained,
    step({ parameters, state }, text, number) {
      const next = step(parameters as never, state as never, tensor(text), randomKey(number));
      return { parameters: next.parameters, state: next.state, surprise: next.surprise.item() as number };
    },
    examine({ parameters }, text) {
      const rows = Math.floor((text.length - 1) / size.context);
      const pieceAt = (row: number): Int32Array => text.slice(row * size.context, (row + 1) * size.context + 1);
      const all = Int32Array.from(Array.from({ length: rows }, (_, row) => [...pieceAt(row)]).flat());
      return examine(parameters as never, tensor(all, { shape: [rows, size.context + 1] })).item() as number;
    },
    write({ parameters }, prompt, length, temperature) {
      const written = [...prompt];
      for (let at = 0; at < length; at++) {
        const seen = Int32Array.from(written.slice(-size.context));
        written.push(Number(draw(parameters as never, tensor(seen, { shape: [1, size.context] }), tensor(1 / temperature, { dtype: 'float32' }), randomKey(at)).item()));
      }
      return Int32Array.from(written.slice(prompt.length));
    },
  };
}
