import { type DType, type TensorType, tensorType } from '@tf/core';

export interface KnownType {
  readonly type: TensorType;
  readonly id: number;
}

/** Gives equal types one object and one small number, so that dispatch compares numbers. */
export class TypeTable {
  readonly #maximum: number;
  readonly #known = new Map<string, KnownType>();
  readonly #scalars = new Map<DType, KnownType>();
  #ids = 0;

  constructor(maximum = 4096) {
    this.#maximum = maximum;
  }

  of(type: TensorType): KnownType {
    const known = this.#known.get(type.key);
    if (known !== undefined) return known;
    // Numbers are never given twice: types met before the table was emptied are no longer recognised, never confused.
    if (this.#known.size >= this.#maximum) this.#known.clear();
    const fresh = { type, id: ++this.#ids };
    this.#known.set(type.key, fresh);
    return fresh;
  }

  scalar(dtype: DType): KnownType {
    let known = this.#scalars.get(dtype);
    if (known === undefined) this.#scalars.set(dtype, (known = this.of(tensorType(dtype, []))));
    return known;
  }
}
