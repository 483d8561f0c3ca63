/** Extents that a run decides: where their steps are, and their values. */
import type { ExtentStep, Plan, Step } from '../contract.ts';
import { type Dim, type DimBinding, evaluateDim } from '../types/dim.ts';
import { upperBound } from '../types/extent.ts';
import { checkConstraints, decidableConstraints, type DimConstraint } from '../types/shape.ts';

/** A step that defines a symbol, and the word of the table behind its record. */
export interface PlacedExtent {
  readonly step: ExtentStep;
  readonly index: number;
  readonly next: number;
}

export class RunExtents {
  readonly steps: readonly PlacedExtent[];
  readonly #constraints: readonly DimConstraint[];
  readonly #bounds: ReadonlyMap<string, Dim>;
  #sizes: DimBinding = new Map();
  /** The inputs' sizes, and the values that the table was made for. */
  #assumed = new Map<string, number>();
  /** The inputs' sizes, and the values of this run so far. */
  #known = new Map<string, number>();

  /** `wordsOf`: of a step's record in the table. */
  constructor({ steps, constraints }: Plan, wordsOf: (step: Step) => number) {
    this.#constraints = constraints;
    const placed: PlacedExtent[] = [];
    let next = 0;
    steps.forEach((step, index) => {
      next += wordsOf(step);
      if (step.kind === 'extent') placed.push({ step, index, next });
    });
    this.steps = placed;
    this.#bounds = new Map(placed.map(({ step }) => [step.symbol, step.bound]));
  }

  /** What the table is made for. */
  get assumed(): DimBinding {
    return this.#assumed;
  }

  /** Other sizes of inputs: until a run decides, extents count as large as they may be. */
  bind(sizes: DimBinding): void {
    this.#sizes = sizes;
    this.#assumed = new Map(sizes);
    for (const { step } of this.steps) this.#assumed.set(step.symbol, this.maximum(step.bound));
  }

  start(): void {
    if (this.steps.length > 0) this.#known = new Map(this.#sizes);
  }

  /** What an extent is at most. */
  maximum(dim: Dim): number {
    return evaluateDim(upperBound(dim, this.#bounds), this.#sizes);
  }

  /** The value of a symbol for this run: k, brought between 0 and its bound. */
  decide({ symbol, bound }: ExtentStep, k: number): { readonly value: number; readonly isNew: boolean } {
    const value = Math.min(Math.max(k, 0), evaluateDim(bound, this.#known));
    this.#known.set(symbol, value);
    checkConstraints(decidableConstraints(this.#constraints, this.#known, symbol), this.#known);
    const isNew = this.#assumed.get(symbol) !== value;
    this.#assumed.set(symbol, value);
    return { value, isNew };
  }
}
