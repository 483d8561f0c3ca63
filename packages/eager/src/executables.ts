import type { Engine, Executable } from '@tf/core';
import type { Plans } from './plans.ts';
import type { ValueRecord } from './value.ts';

/** Something with a place in a {@link SlotCache}. */
export interface Slotted {
  readonly slot: number;
}

/** What one engine has compiled for the entries of one cache, by their slots. */
class CompiledSlots {
  readonly #owners: (Slotted | undefined)[] = [];
  readonly #executables: (Executable | undefined)[] = [];

  of(entry: Slotted, plans: Plans, engine: Engine): Executable {
    const { slot } = entry;
    const known = this.#owners[slot] === entry ? this.#executables[slot] : undefined;
    return known ?? this.#compile(entry, plans, engine);
  }

  #compile(entry: Slotted, plans: Plans, engine: Engine): Executable {
    const executable = engine.compile(plans.on(engine));
    if (entry.slot < 0) return executable;
    this.#owners[entry.slot] = entry;
    return (this.#executables[entry.slot] = executable);
  }
}

/** What a runtime keeps for one engine, weakly keyed by it: compiled code, and host tensors already uploaded. */
export class EngineState {
  readonly operations: CompiledSlots = new CompiledSlots();
  readonly derivatives: CompiledSlots = new CompiledSlots();
  readonly uploads: WeakMap<object, ValueRecord> = new WeakMap();
}
