import { createRandom } from '@tf/testkit';
import type { Regime } from './inputs.ts';

/** So many steps of a program are dealt, the others drawn. */
const perProgram: { readonly [R in Regime]: number } = { tame: 4, ties: 6, special: 6, mixed: 6 };

/** Numbers of dealt kinds, by regime. */
export type Deals = { readonly [R in Regime]: number };

const none: Deals = { tame: 0, ties: 0, special: 0, mixed: 0 };

/**
 * Deals programs the kinds of steps that they have to have, where they fit. Every regime of values has a deck of its own, from which each
 * kind comes up once before any comes up again, in an order that the seed and the number of the round decide: so every operation meets
 * ordinary values, whose derivatives are compared, and NaN, infinities and signed zeros as well.
 */
export class Dealer {
  readonly #kinds: readonly string[];
  readonly #seed: number;
  readonly #dealt: { [R in Regime]: number } = { ...none };

  constructor(kinds: readonly string[], seed: number) {
    this.#kinds = kinds;
    this.#seed = seed;
  }

  /** For the next program, whose values are of this regime. */
  deal(regime: Regime): readonly string[] {
    return Array.from({ length: perProgram[regime] }, () => {
      const place = this.#dealt[regime]++;
      return this.#deck(regime, Math.floor(place / this.#kinds.length))[place % this.#kinds.length] as string;
    });
  }

  /** How often every kind has been dealt in rounds that are over: in those that had not begun after `since` deals, where it is given. */
  rounds(since: Deals = none): number {
    const count = this.#kinds.length;
    return (Object.keys(perProgram) as Regime[]).reduce((total, regime) => total + Math.max(0, Math.floor(this.#dealt[regime] / count) - Math.ceil(since[regime] / count)), 0);
  }

  /** How many kinds each regime has been dealt so far. */
  deals(): Deals {
    return { ...this.#dealt };
  }

  #deck(regime: Regime, round: number): readonly string[] {
    return shuffled(this.#kinds, this.#seed * 31 + Object.keys(perProgram).indexOf(regime) * 1009 + round * 104_729 + 7);
  }
}

/** All kinds in an order of their own (Fisher and Yates, Statistical Tables, 1938). */
function shuffled(kinds: readonly string[], seed: number): readonly string[] {
  const random = createRandom(seed);
  const deck = [...kinds];
  for (let last = deck.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1));
    [deck[at], deck[last]] = [deck[last] as string, deck[at] as string];
  }
  return deck;
}
