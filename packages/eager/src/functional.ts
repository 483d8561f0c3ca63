import { checkOptions, type DType, type DTypeOf, type Kind, type Operand } from '@tf/core';
import { engineOptions, requireTensorList } from './arguments.ts';
import type { RuntimeCore } from './core.ts';
import { ownTensor } from './create.ts';
import { type GradOptions, inactiveInput, pullback, pushforward, zerosLike } from './differentiate.ts';
import type { EagerTensor, TensorLike } from './eager-tensor.ts';
import { otherCount } from './faults.ts';
import { type OwnTensor, traceOf } from './own-tensor.ts';

/** One tensor for each input, of its dtype. */
export type PerInput<X extends readonly Operand[]> = { readonly [Index in keyof X]: EagerTensor<DTypeOf<X[Index]>> };

export type Outputs = Operand | readonly Operand[];
export type Cotangents = TensorLike | readonly (TensorLike | undefined)[];

/** The functional derivatives of one runtime; `EagerRuntime` documents them. */
export class Functional {
  readonly #core: RuntimeCore;

  constructor(core: RuntimeCore) {
    this.#core = core;
  }

  /** Gradients by `inputs`; where nothing flows, zeros or an error. */
  gradients(op: string, outputs: readonly Operand[], inputs: readonly Operand[], cotangents: readonly (TensorLike | undefined)[], options: GradOptions): readonly OwnTensor[] {
    requireTensorList(op, 'inputs', inputs);
    const xs = inputs.map((input, at) => this.#input(op, input, at, inputs.length));
    const found = pullback(this.#core, { op, outputs: outputs.map((output) => ownTensor(this.#core, op, output)), cotangents, inputs: xs, options });
    return found.map((gradient, at) => gradient ?? this.#absent(op, xs[at] as OwnTensor, at, xs.length, options));
  }

  gradOptional<E extends DType>(y: Operand, x: Operand<Kind, E>, options: GradOptions): EagerTensor<E> | undefined {
    const op = 'gradOptional';
    return pullback(this.#core, { op, outputs: [ownTensor(this.#core, op, y)], cotangents: [undefined], inputs: [this.#input(op, x, 0, 1)], options })[0] as EagerTensor<E> | undefined;
  }

  tangent<D extends DType>(op: string, y: Operand<Kind, D>, inputs: readonly Operand[], tangents: readonly TensorLike[], options: Pick<GradOptions, 'engine'>): EagerTensor<D> {
    requireTensorList(op, 'inputs', inputs);
    requireTensorList(op, 'tangents', tangents);
    checkOptions(op, options, engineOptions);
    if (inputs.length !== tangents.length) throw otherCount(op, 'tangents', inputs.length, tangents.length);
    const output = ownTensor(this.#core, op, y);
    const xs = inputs.map((input, at) => this.#traced(op, this.#input(op, input, at, inputs.length), at, inputs.length));
    return (pushforward(this.#core, { op, output, inputs: xs, tangents, options }) ?? zerosLike(this.#core, output)) as unknown as EagerTensor<D>;
  }

  hvp<E extends DType>(y: Operand, x: Operand<Kind, E>, tangent: TensorLike, options: GradOptions): EagerTensor<E> {
    const op = 'hvp';
    const input = this.#input(op, x, 0, 1);
    const [gradient] = pullback(this.#core, { op, outputs: [ownTensor(this.#core, op, y)], cotangents: [undefined], inputs: [input], options, recorded: true });
    if (gradient === undefined) return this.#absent(op, input, 0, 1, options) as unknown as EagerTensor<E>;
    const product = pushforward(this.#core, { op, output: gradient, inputs: [input], tangents: [tangent], options });
    gradient.dispose();
    return (product ?? zerosLike(this.#core, input)) as unknown as EagerTensor<E>;
  }

  #input(op: string, x: Operand, at: number, count: number): OwnTensor {
    return ownTensor(this.#core, op, x, label(at, count));
  }

  #traced(op: string, x: OwnTensor, at: number, count: number): OwnTensor {
    if (traceOf(x) === undefined) throw inactiveInput(op, label(at, count), x, false);
    return x;
  }

  #absent(op: string, x: OwnTensor, at: number, count: number, { allowUnused = false }: GradOptions): OwnTensor {
    if (allowUnused) return zerosLike(this.#core, x);
    throw inactiveInput(op, label(at, count), x, traceOf(x) !== undefined);
  }
}

function label(at: number, count: number): string {
  return count === 1 ? 'x' : `inputs[${at}]`;
}

/** Outputs and their cotangents as lists: one tensor with its cotangent, or a list with one for each. */
export function pairs(op: string, outputs: Outputs, cotangents: Cotangents | undefined): { readonly outputs: readonly Operand[]; readonly cotangents: readonly (TensorLike | undefined)[] } {
  if (!Array.isArray(outputs)) return { outputs: [outputs as Operand], cotangents: [cotangents as TensorLike | undefined] };
  const list = (cotangents ?? outputs.map(() => undefined)) as readonly (TensorLike | undefined)[];
  if (!Array.isArray(list) || list.length !== outputs.length) throw otherCount(op, 'cotangents', outputs.length, Array.isArray(list) ? list.length : 1);
  return { outputs: outputs as readonly Operand[], cotangents: list };
}
