/** What stands for place.ts in `pnpm test:native-sanitized`: each piece is as long as was asked for, and what was given back may not be touched. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Addon } from '../addon.ts';
import { allocate, type Place, Places as Shared } from './place.ts';

/** native/test/guard.c. */
interface Guard {
  forbid(address: number, bytes: number): void;
  allow(address: number, bytes: number): void;
}

const ALIGNMENT = 64;
const guard = createRequire(import.meta.url)(fileURLToPath(new URL('../../build/guard.node', import.meta.url))) as Guard;

export class Places extends Shared {
  readonly #addon: Addon;

  constructor(addon: Addon) {
    super(addon);
    this.#addon = addon;
  }

  override take(bytes: number): Place {
    const length = bytes + 2 * ALIGNMENT;
    const memory = allocate(length);
    const start = this.#addon.addressOf(memory);
    const address = Math.ceil(start / ALIGNMENT) * ALIGNMENT;
    guard.forbid(start, length);
    guard.allow(address, bytes);
    return { memory, offset: address - start, address, bytes };
  }

  protected override recycle({ address, bytes }: Place): void {
    guard.forbid(address, bytes);
  }
}
