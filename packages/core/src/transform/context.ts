import type { Catalog, Extension, Operation, Params, Program, RegionDerivatives, UseSupport } from '../contract.ts';
import { BoundedCache, type CacheStats } from '../program/cache.ts';
import { hashSeed, mixText, programHash, sameProgram } from '../program/hash.ts';
import { operationKey } from '../program/operation-key.ts';
import { instructionCount } from '../program/params.ts';
import { paramsKey } from '../program/print.ts';
import { checkOptions, type OptionChecks, requireCatalog, requireCount, requireFunction } from '../types/argument.ts';
import { dimText } from '../types/dim.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { type AugmentedForm, augmentedForm } from './augment.ts';
import { forwardDerivative, halfSquareDerivative, type LocalDerivative, reverseDerivative } from './local.ts';
import type { RuleRequest } from './rule-context.ts';
import { type Batched, type BatchRequest, batchProgram } from './batch.ts';
import { linearizeRegion, transposeRegion } from './regions.ts';
import { useSupport } from './use-support.ts';
import { type Derivative, type DerivativeRequest, type Direction, pullback, pushforward } from './whole.ts';

export interface AdContextOptions {
  readonly catalog: Catalog;
  /** Hash of a program; tests inject a constant to show that equality decides. */
  readonly hash?: (program: Program) => number;
  readonly maximumEntries?: number;
  readonly maximumBytes?: number;
}

const contextOptions: OptionChecks = { catalog: requireCatalog, hash: requireFunction, maximumEntries: requireCount, maximumBytes: requireCount };

const derivatives = { forward: forwardDerivative, reverse: reverseDerivative, halfSquare: halfSquareDerivative } as const;

interface TransformKey extends DerivativeRequest {
  readonly transform: 'pullback' | 'pushforward';
}

/** Extents by their text. */
interface BatchKey extends BatchRequest {
  readonly text: string;
}

/**
 * Rules and caches of derivatives: frozen, shared by any number of runtimes and by both front ends. Derivatives are cached
 * by the structure of what is differentiated, never by its identity.
 *
 * @example
 * import { AdContext, createCatalog } from '@tf/core';
 * const context = new AdContext({ catalog: createCatalog() });
 * if (context.stats().hits !== 0) throw new Error('unexpected');
 */
export class AdContext {
  readonly catalog: Catalog;
  readonly #options: AdContextOptions;
  readonly #local: BoundedCache<string, LocalDerivative>;
  readonly #augmented: BoundedCache<string, { readonly form: AugmentedForm | undefined }>;
  readonly #whole: BoundedCache<TransformKey, Derivative>;
  readonly #batched: BoundedCache<BatchKey, Batched>;

  /** Derivatives of programs among parameters, by these rules. */
  readonly regions: RegionDerivatives = Object.freeze({
    linearize: (program: Program, active: readonly boolean[]) => linearizeRegion(this, program, active),
    transpose: (program: Program, linear: readonly boolean[], live: readonly boolean[], summed?: readonly boolean[]) => transposeRegion(this, program, linear, live, summed),
  });

  constructor(options: AdContextOptions) {
    checkOptions('AdContext', options, contextOptions, 'new AdContext({ catalog: createCatalog() })');
    requireCatalog('AdContext', 'catalog', options.catalog);
    this.catalog = options.catalog;
    this.#options = options;
    const hash = options.hash ?? programHash;
    const byText = { hash: (key: string) => mixText(hashSeed, key), same: (a: string, b: string) => a === b, maximumEntries: 4096 };
    this.#local = new BoundedCache(byText);
    this.#augmented = new BoundedCache(byText);
    const whole = {
      hash: (key: { readonly program: Program }) => hash(key.program),
      bytes: (key: { readonly program: Program }, value: { readonly program: Program }) => 256 * (instructionCount(key.program) + instructionCount(value.program)),
      ...(options.maximumEntries === undefined ? {} : { maximumEntries: options.maximumEntries }),
      ...(options.maximumBytes === undefined ? {} : { maximumBytes: options.maximumBytes }),
    };
    this.#whole = new BoundedCache<TransformKey, Derivative>({ ...whole, same: sameKey });
    this.#batched = new BoundedCache<BatchKey, Batched>({ ...whole, same: (a, b) => a.text === b.text && sameList(a.batched, b.batched) && sameProgram(a.program, b.program) });
    Object.freeze(this);
  }

  /** A context with further families, with caches of its own. */
  with(...extensions: readonly Extension[]): AdContext {
    return new AdContext({ ...this.#options, catalog: this.catalog.with(...extensions) });
  }

  /** Cotangents of `wrt` from cotangents of the live outputs. */
  pullback(request: DerivativeRequest): Derivative {
    return this.#whole.getOrCreate({ ...request, transform: 'pullback' }, () => pullback(this, request));
  }

  /** Tangents of the outputs from tangents of `wrt`. */
  pushforward(request: DerivativeRequest): Derivative {
    return this.#whole.getOrCreate({ ...request, transform: 'pushforward' }, () => pushforward(this, request));
  }

  /** The program over a batch. */
  batch(request: BatchRequest): Batched {
    return this.#batched.getOrCreate({ ...request, text: dimText(request.size) }, () => batchProgram(this.catalog, request));
  }

  /** The derivative of one instruction; its primal inputs are the residuals that reverse must keep. */
  local(direction: Direction, request: RuleRequest): LocalDerivative {
    return this.#local.getOrCreate(`${direction} ${requestText(request)}`, () => derivatives[direction](this, request));
  }

  /** What runs instead of an instruction that is differentiated; undefined where it is itself the best to have. */
  augmented(request: RuleRequest): AugmentedForm | undefined {
    const rule = this.catalog.rule(request.operation);
    if (rule.kind === 'none' || rule.augment === undefined) return undefined;
    return this.#augmented.getOrCreate(requestText(request), () => ({ form: augmentedForm(this, request) })).form;
  }

  /**
   * What an operation supports for operands of these types: by which route, which inputs and outputs take part in derivatives, and
   * why not.
   *
   * @throws UnregisteredFamilyError when no rules of its family are registered; what the operation says of operands that do not fit.
   * @example
   * import { AdContext, createCatalog, tensorType } from '@tf/core';
   * const context = new AdContext({ catalog: createCatalog() });
   * const sort = context.catalog.operation('tf.core.sort');
   * if (sort === undefined) throw new Error('unexpected');
   * const { outputs, reverse } = context.support(sort, [tensorType('float64', [3])], { axis: 0, descending: false });
   * console.log(reverse, outputs.map(({ differentiable }) => differentiable)); // → transpose of linearize [ true, false ]
   */
  support(operation: Operation, inputs: readonly TensorType[], params: Params = {}): UseSupport {
    return useSupport(this, operation, inputs, params);
  }

  stats(): CacheStats {
    return this.#whole.stats();
  }

  clear(): void {
    this.#local.clear();
    this.#augmented.clear();
    this.#whole.clear();
    this.#batched.clear();
  }
}

function requestText({ operation, params, inputTypes, active, live }: RuleRequest): string {
  return `${operationKey(operation)}{${paramsKey(params)}}(${inputTypes.map((type) => type.key).join()})${active.join()}|${live.join()}`;
}

function sameKey(a: TransformKey, b: TransformKey): boolean {
  return a.transform === b.transform && sameList(a.wrt, b.wrt) && sameList(a.live, b.live) && sameProgram(a.program, b.program);
}

function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}
