import type { Var, VarKind } from '../contract.ts';
import { TfError } from '../errors.ts';
import { stopGradient } from '../primitives/stop-gradient.ts';
import { type Builder, type RegionOptions, traceRegion } from '../program/builder.ts';
import type { DType } from '../types/dtype.ts';
import type { Listener, Of, RegionBody, TracedRegion } from '../types/operand.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { TensorMethods } from './methods.generated.ts';

/** A value of a program that has the methods of tensors: what functions get that `scan` and its relatives run. */
class RegionTensor<D extends DType> extends TensorMethods<VarKind, D> implements Var<D> {
  readonly owner: Builder;
  readonly id: number;
  readonly type: TensorType<D>;
  readonly name: string | undefined;

  constructor(owner: Builder, id: number, type: TensorType<D>, name: string | undefined) {
    super();
    this.owner = owner;
    this.id = id;
    this.type = type;
    this.name = name;
  }

  get listener(): Listener<VarKind> {
    return this.owner.listener;
  }

  /** It stands for a value of every iteration, and has none: throws `TracerLeakError`. */
  item(): never {
    throw leak(this, 'item()');
  }

  toArray(): never {
    throw leak(this, 'toArray()');
  }

  data(): never {
    throw leak(this, 'data()');
  }

  toJSON(): never {
    throw leak(this, 'JSON');
  }

  /** The same value, through which no gradient flows. */
  detach(): Of<VarKind, D> {
    return stopGradient(this);
  }

  /** Gradients are taken where values are: throws `TracerLeakError`, as the other words of eager tensors do. */
  backward(): never {
    throw differentiatedInside('backward', this.type);
  }

  retainGrad(): never {
    throw differentiatedInside('retainGrad', this.type);
  }

  setRequiresGrad(): never {
    throw differentiatedInside('setRequiresGrad', this.type);
  }

  clearGrad(): never {
    throw differentiatedInside('clearGrad', this.type);
  }

  get grad(): never {
    throw differentiatedInside('grad', this.type);
  }

  get tracksGrad(): never {
    throw differentiatedInside('tracksGrad', this.type);
  }

  override toString(): never {
    throw leak(this, 'a string');
  }

  override valueOf(): never {
    throw leak(this, 'a number');
  }

  override [Symbol.toPrimitive](hint: string): never {
    throw leak(this, hint === 'string' ? 'a string or an array index' : 'a number');
  }

  static {
    // What console.log and debuggers show is the type.
    Object.defineProperty(RegionTensor.prototype, Symbol.for('nodejs.util.inspect.custom'), {
      value(this: RegionTensor<DType>): string {
        return `Value ${this.type.key} of a loop, branch or batch`;
      },
    });
  }
}

function leak({ type }: Var, as: string): TfError {
  return new TfError('TracerLeakError', `A ${type.key} inside a function that scan, fori, whileLoop, cond, checkpoint or vmap runs was used as ${as}, but it has no value there: the function runs once, to build its program. Compute with tensor operations (select(condition, a, b) or cond instead of a branch), and read results afterwards.`, { as, type: type.key });
}

/** A gradient, asked for of a value that a loop, a branch or a batch has yet to compute. */
export function differentiatedInside(op: string, { key }: TensorType): TfError {
  return new TfError('TracerLeakError', `${op}: a ${key} inside a function that scan, fori, whileLoop, cond, checkpoint or vmap runs has no gradient there: the function runs once, to build its program. Return what is to be differentiated, and take the gradient of the result (loss.backward(), runtime.grad); it goes through loops, branches and batches. For a gradient in every iteration or of every example, write the function for @tf/traced, whose grad works inside: jit((x) => fori(n, (i, v) => v.sub(grad(f)(v)), x), { engine }).`, { op, as: op, type: key });
}

/** Runs a region's function on values with methods, for listeners that have no way of their own. */
export function regionWithMethods(body: RegionBody, types: readonly TensorType[], options: Omit<RegionOptions, 'variable'> = {}): TracedRegion {
  return traceRegion(body, types, { ...options, variable: (owner, id, type, name) => new RegionTensor(owner, id, type, name) });
}
