import { Aside } from './aside.ts';
import { eagerKey, freeKey } from './keys.ts';

/** What the callback of `runtime.scope` is given. */
export interface TensorScope {
  readonly name: string;
  /** Lets the tensors of a tree (arrays, plain objects, maps, sets) outlive the scope: they belong to the enclosing one, or to you. */
  keep<T>(tree: T): T;
}

/** A tensor as its scope sees it. */
interface Scoped {
  [freeKey](aside: Aside): void;
}

/** The tensors made while a scope's callback runs. They are freed at its end, but for those kept. */
export class Scope implements TensorScope {
  readonly name: string;
  readonly #outer: Scope | undefined;
  #tensors: Scoped[] = [];
  #kept: Set<unknown> | undefined = undefined;
  #ended = false;

  constructor(name: string, outer: Scope | undefined) {
    this.name = name;
    this.#outer = outer;
  }

  /** A tensor made here; once the scope has ended, in the enclosing one. */
  add(tensor: Scoped): void {
    if (!this.#ended) this.#tensors.push(tensor);
    else this.#outer?.add(tensor);
  }

  keep<T>(tree: T): T {
    collectTensors(tree, (this.#kept ??= new Set()));
    return tree;
  }

  /** Frees what is not kept, here or by an enclosing scope; what is kept belongs to the enclosing scope. */
  end(): void {
    const tensors = this.#tensors;
    this.#tensors = [];
    this.#ended = true;
    // All that is freed shares what errors say of it.
    const aside = new Aside();
    aside.freedBy = `scope ${JSON.stringify(this.name)}`;
    for (const tensor of tensors) {
      if (this.#keeps(tensor)) this.#outer?.add(tensor);
      else tensor[freeKey](aside);
    }
    this.#kept = undefined;
  }

  #keeps(tensor: Scoped): boolean {
    if (this.#kept?.has(tensor) === true) return true;
    return this.#outer !== undefined && this.#outer.#keeps(tensor);
  }
}

/** Adds the eager tensors of a tree to `found`, without recursion; what is met twice is looked into once. */
function collectTensors(tree: unknown, found: Set<unknown>): void {
  const seen = new Set<unknown>();
  const work: unknown[] = [tree];
  while (work.length > 0) {
    const next = work.pop();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    if (eagerKey in next) found.add(next);
    else for (const part of partsOf(next)) work.push(part);
  }
}

function* partsOf(value: object): Generator<unknown> {
  if (Array.isArray(value) || value instanceof Set) yield* value as Iterable<unknown>;
  else if (value instanceof Map) for (const entry of value) yield* entry;
  else if (isPlain(value)) yield* Object.values(value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
