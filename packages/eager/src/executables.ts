import type { Engine, Executable, Plan } from '@tf/core';
import type { OwnTensor } from './tensor.ts';

/** A plan with a place in a {@link SlotCache}. */
export interface Planned {
  readonly slot: number;
  readonly plan: Plan;
}

/** What one engine has compiled for the entries of one cache, by their slots. */
class CompiledSlots {
  readonly #owners: (Planned | undefined)[] = [];
  readonly #executables: (Executable | undefined)[] = [];

  of(entry: Planned, engine: Engine): Executable {
    const { slot } = entry;
    const known = this.#owners[slot] === entry ? this.#executables[slot] : undefined;
    return known ?? this.#compile(entry, engine);
  }

  #compile(entry: Planned, engine: Engine): Executable {
    const executable = engine.compile(entry.plan);
    if (entry.slot < 0) return executable;
    this.#owners[entry.slot] = entry;
    return (this.#executables[entry.slot] = executable);
  }
}

/** What a runtime keeps for one engine, weakly keyed by it: compiled code, and host tensors already uploaded. */
export class EngineState {
  readonly operations: CompiledSlots = new CompiledSlots();
  readonly derivatives: CompiledSlots = new CompiledSlots();
  readonly uploads: WeakMap<object, OwnTensor> = new WeakMap();
}
