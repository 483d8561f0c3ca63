/** Inputs against a plan: dtypes and shapes checked, symbolic extents bound. */
import type { Plan } from '../contract.ts';
import { TfError } from '../errors.ts';
import { type Dim, type DimBinding, evaluateDim, isKnown, type LinearDim, linearDim, solveDim } from '../types/dim.ts';
import { dtypes } from '../types/dtype.ts';
import { checkConstraints, decidableConstraints, shapeText } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';

/** What an axis must be: a number, or −1 − symbol, which is the extent unless `linear` says how to find it. Polynomials are checked apart. */
interface InputCheck {
  readonly type: TensorType;
  readonly axes: readonly number[];
  readonly linear: readonly (LinearDim | undefined)[];
}

interface PolynomialAxis {
  readonly input: number;
  readonly axis: number;
  readonly dim: Dim;
}

const anyExtent = -(2 ** 31);

/** The sizes of one plan. `check` is called for every input of every run; it allocates nothing when all is well. */
export class Binding {
  readonly #plan: Plan;
  readonly #symbols: readonly string[];
  readonly #checks: readonly InputCheck[];
  readonly #polynomials: readonly PolynomialAxis[];
  /** Sizes of this run; −1 while unbound. */
  readonly #sizes: number[];
  /** Sizes of the last run that was accepted. */
  readonly #accepted: number[];

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#symbols = [...new Set(plan.inputs.flatMap(({ shape }) => shape.flatMap((dim) => linearDim(dim)?.symbol ?? [])))];
    this.#checks = plan.inputs.map((type) => ({ type, axes: type.shape.map((dim) => this.#axisCode(dim)), linear: type.shape.map(notAlone) }));
    this.#polynomials = plan.inputs.flatMap(({ shape }, input) =>
      shape.flatMap((dim, axis) => (isKnown(dim) || linearDim(dim) !== undefined ? [] : [{ input, axis, dim }])),
    );
    this.#sizes = this.#symbols.map(() => -1);
    this.#accepted = [...this.#sizes];
  }

  start(): void {
    for (let i = 0; i < this.#sizes.length; i++) this.#sizes[i] = -1;
  }

  check(input: number, dtype: string, shape: readonly number[]): void {
    const { type, axes, linear } = this.#checks[input]!;
    if (dtype !== type.dtype) throw this.#dtypeError(input, dtype);
    if (shape.length !== axes.length) throw this.#shapeError(input, shape);
    for (let axis = 0; axis < axes.length; axis++) {
      const code = axes[axis]!;
      const form = linear[axis];
      const extent = form === undefined ? shape[axis]! : solveDim(form, shape[axis]!);
      if (extent === undefined) throw this.#shapeError(input, shape);
      if (code >= 0 ? code !== extent : code !== anyExtent && !this.#bind(-1 - code, extent)) throw this.#shapeError(input, shape);
    }
  }

  /** Whether the sizes are those of the last accepted run, so that its table still holds. */
  get isSame(): boolean {
    for (let i = 0; i < this.#sizes.length; i++) if (this.#sizes[i] !== this.#accepted[i]) return false;
    return true;
  }

  get hasPolynomials(): boolean {
    return this.#polynomials.length > 0;
  }

  /** Checks what is left when all inputs are known, and gives the sizes by name. */
  resolve(shapes: (input: number) => readonly number[]): DimBinding {
    const binding = new Map(this.#symbols.map((symbol, i) => [symbol, this.#sizes[i]!]));
    for (const { input, axis, dim } of this.#polynomials) {
      if (evaluateDim(dim, binding) !== shapes(input)[axis]) throw this.#shapeError(input, shapes(input));
    }
    checkConstraints(decidableConstraints(this.#plan.constraints, binding), binding);
    return binding;
  }

  accept(): void {
    for (let i = 0; i < this.#sizes.length; i++) this.#accepted[i] = this.#sizes[i]!;
  }

  #axisCode(dim: Dim): number {
    if (isKnown(dim)) return dim;
    const linear = linearDim(dim);
    return linear === undefined ? anyExtent : -1 - this.#symbols.indexOf(linear.symbol);
  }

  #bind(symbol: number, extent: number): boolean {
    const have = this.#sizes[symbol]!;
    if (have < 0) this.#sizes[symbol] = extent;
    return have < 0 || have === extent;
  }

  #sizesText(): string {
    const bound = this.#symbols.flatMap((symbol, i) => (this.#sizes[i]! < 0 ? [] : [`${symbol} = ${this.#sizes[i]!}`]));
    return bound.length === 0 ? '' : ` (with ${bound.join(', ')})`;
  }

  #dtypeError(input: number, got: string): TfError {
    const { dtype } = this.#checks[input]!.type;
    return new TfError('DTypeError', `run: input ${input} must be ${dtype}, got ${got}. Convert it, or compile for ${Object.hasOwn(dtypes, got) ? got : 'its dtype'}.`, { op: 'run', argument: `input ${input}`, expected: dtype, got });
  }

  #shapeError(input: number, got: readonly number[]): TfError {
    const { shape } = this.#checks[input]!.type;
    return new TfError('ShapeError', `run: input ${input} must have shape ${shapeText(shape)}${this.#sizesText()}, got ${shapeText(got)}. Reshape it, or compile for its shape.`, { op: 'run', argument: `input ${input}`, expected: shape, got });
  }
}

/** How an extent that is more than a symbol gives it: `2*m`, `n-1`. */
function notAlone(dim: Dim): LinearDim | undefined {
  const linear = linearDim(dim);
  return linear?.coefficient === 1 && linear.constant === 0 ? undefined : linear;
}
