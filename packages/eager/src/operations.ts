import { type AdContext, Builder, type CacheStats, type Instruction, isInexact, isTfError, type Operation, type Params, paramsKey, type ParamValue, requestFor } from '@tf/core';
import { Plans } from './plans.ts';
import { createRecipe, type Recipe } from './recipe.ts';
import { SlotCache, type Cached } from './slot-cache.ts';
import type { KnownType, TypeTable } from './type-table.ts';
import type { ValueRecord } from './value.ts';

/** A one-operation program, planned once for its parameters and operand types. */
export class OperationEntry implements Cached {
  readonly hash: number;
  readonly bytes = 4096;
  slot = -1;
  lastUsed = 0;
  readonly instruction: Instruction;
  readonly plans: Plans;
  readonly inputs: readonly number[];
  readonly outputs: readonly KnownType[];
  readonly paramCount: number;
  /** Whether some output carries a tangent. */
  readonly differentiable: boolean;
  /** The recipe used last, and all of them by how many outputs the caller sees and which inputs track. */
  recipe: Recipe | undefined = undefined;
  readonly recipes: Map<string, Recipe> = new Map();
  /** What runs instead where it is recorded, by which inputs track; absent for an operation that always runs itself. */
  readonly augmented: Map<string, OperationEntry> | undefined;

  constructor(hash: number, instruction: Instruction, plans: Plans, inputs: readonly number[], outputs: readonly KnownType[], augmentable: boolean) {
    this.hash = hash;
    this.instruction = instruction;
    this.plans = plans;
    this.inputs = inputs;
    this.outputs = outputs;
    this.augmented = augmentable ? new Map() : undefined;
    this.paramCount = Object.keys(instruction.params).length;
    this.differentiable = outputs.some(({ type }) => isInexact(type.dtype));
  }

  fits(operation: Operation, records: readonly ValueRecord[], params: Params): boolean {
    const { inputs, instruction } = this;
    if (instruction.operation !== operation || inputs.length !== records.length) return false;
    for (let at = 0; at < inputs.length; at++) if (inputs[at] !== (records[at] as ValueRecord).typeId) return false;
    return sameParams(instruction.params, this.paramCount, params);
  }
}

/** The operations that a runtime has planned. */
export class OperationTable {
  readonly #context: AdContext;
  readonly #types: TypeTable;
  readonly #cache: SlotCache<OperationEntry>;
  readonly #nextRecipe: () => number;
  /** The entry used last for each operation: most calls end here. */
  readonly #recent = new Map<Operation, OperationEntry>();

  constructor(context: AdContext, types: TypeTable, nextRecipe: () => number, maximumEntries: number) {
    this.#nextRecipe = nextRecipe;
    this.#context = context;
    this.#types = types;
    this.#cache = new SlotCache(maximumEntries);
  }

  /** The entry for these operands; shapes and dtypes are checked when it is made. */
  find(operation: Operation, records: readonly ValueRecord[], params: Params): OperationEntry {
    const recent = this.#recent.get(operation);
    if (recent !== undefined && recent.slot >= 0 && recent.fits(operation, records, params)) {
      this.#cache.hit(recent);
      return recent;
    }
    const entry = this.#search(operation, records, params);
    if (this.#recent.size >= 256 && recent === undefined) this.#recent.clear();
    this.#recent.set(operation, entry);
    return entry;
  }

  /** What runs where the operation is recorded with these inputs tracked: a form that also gives residuals, or itself. */
  augmented(entry: OperationEntry, active: readonly number[], records: readonly ValueRecord[]): OperationEntry {
    if (entry.augmented === undefined) return entry;
    const key = active.join();
    let found = entry.augmented.get(key);
    if (found === undefined || found.slot < 0) entry.augmented.set(key, (found = this.#augment(entry, active, records)));
    if (found !== entry) this.#cache.hit(found);
    return found;
  }

  #augment(entry: OperationEntry, active: readonly number[], records: readonly ValueRecord[]): OperationEntry {
    const { instruction } = entry;
    const live = instruction.outputs.map((output) => isInexact(output.type.dtype));
    try {
      const form = this.#context.augmented(requestFor(instruction, instruction.inputs.map((_, at) => active.includes(at)), live));
      return form === undefined ? entry : this.#search(form.operation, records, form.params);
    } catch (error) {
      // An operation without a derivative still runs; whoever asks for one gets this error then.
      if (isTfError(error, 'UnsupportedRuleError') || isTfError(error, 'UnregisteredFamilyError')) return entry;
      throw error;
    }
  }

  /** How to record the operation when these inputs (ascending) are tracked; the caller sees the first `own` outputs. */
  recipe(entry: OperationEntry, active: readonly number[], own: number): Recipe {
    const last = entry.recipe;
    if (last !== undefined && last.own === own && sameNumbers(last.active, active)) return last;
    // An entry serves calls of its operation and those that it stands for, which read less of it.
    const key = `${own}: ${active.join()}`;
    let recipe = entry.recipes.get(key);
    if (recipe === undefined) entry.recipes.set(key, (recipe = createRecipe(this.#context, this.#nextRecipe(), entry.instruction, active, own)));
    return (entry.recipe = recipe);
  }

  stats(): CacheStats {
    return this.#cache.stats();
  }

  clear(): void {
    this.#cache.clear();
    this.#recent.clear();
  }

  #search(operation: Operation, records: readonly ValueRecord[], params: Params): OperationEntry {
    const hash = hashOf(operation, records, params);
    for (const entry of this.#cache.bucket(hash)) {
      if (!entry.fits(operation, records, params)) continue;
      this.#cache.hit(entry);
      return entry;
    }
    const entry = this.#create(hash, operation, records, params);
    this.#cache.add(entry);
    return entry;
  }

  #create(hash: number, operation: Operation, records: readonly ValueRecord[], params: Params): OperationEntry {
    const builder = new Builder();
    const outputs = builder.emit(operation, records.map((record) => builder.input(record.type)), copyParams(params));
    const program = builder.build(outputs);
    const known = outputs.map((output) => this.#types.of(output.type));
    return new OperationEntry(hash, program.instructions[0] as Instruction, new Plans(program), records.map((record) => record.typeId), known, this.#isAugmentable(operation));
  }

  #isAugmentable(operation: Operation): boolean {
    const { catalog } = this.#context;
    const rule = catalog.operation(operation.id) === undefined ? undefined : catalog.rule(operation);
    return rule?.kind === 'rule' && rule.augment !== undefined;
  }
}

/** Callers may change their arrays afterwards; an entry's parameters stay what they were. */
function copyParams(params: Params): Params {
  const copy: { [name: string]: ParamValue } = {};
  for (const name in params) copy[name] = copyValue(params[name] as ParamValue);
  return Object.freeze(copy);
}

function copyValue(value: ParamValue): ParamValue {
  return Array.isArray(value) ? Object.freeze((value as readonly ParamValue[]).map(copyValue)) : value;
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

function hashOf(operation: Operation, records: readonly ValueRecord[], params: Params): number {
  let hash = operation.id.length;
  for (const record of records) hash = (Math.imul(hash, 31) + record.typeId) | 0;
  for (const name in params) hash = mixValue(hash, params[name] as ParamValue);
  return hash;
}

function mixValue(hash: number, value: ParamValue): number {
  if (typeof value === 'number') return (Math.imul(hash, 31) + value) | 0;
  if (typeof value === 'string') return (Math.imul(hash, 31) + value.length) | 0;
  if (!Array.isArray(value)) return (Math.imul(hash, 31) + (value === true ? 1 : 2)) | 0;
  let mixed = hash;
  for (const item of value as readonly ParamValue[]) mixed = mixValue(mixed, item);
  return mixed;
}

function sameParams(known: Params, count: number, params: Params): boolean {
  if (known === params) return true;
  let seen = 0;
  for (const name in params) {
    if (!sameValue(known[name], params[name])) return false;
    seen++;
  }
  return seen === count;
}

function sameValue(a: ParamValue | undefined, b: ParamValue | undefined): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    for (let at = 0; at < a.length; at++) if (!sameValue(a[at] as ParamValue, b[at] as ParamValue)) return false;
    return true;
  }
  return paramsKey({ value: a }) === paramsKey({ value: b });
}
