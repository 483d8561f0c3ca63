import { createRandom } from '@tf/testkit';

/** So many steps of a program are dealt, the others drawn. */
const perProgram = 4;

/**
 * Kinds of steps that program `index` of a run has to have, where they fit. They are dealt: each kind comes up once before any comes up
 * again, in an order that the seed and the number of the deal decide. So a program depends on seed and index only.
 */
export function featuresOf(kinds: readonly string[], seed: number, index: number): readonly string[] {
  return Array.from({ length: perProgram }, (_, at) => {
    const place = index * perProgram + at;
    return dealt(kinds, seed, Math.floor(place / kinds.length))[place % kinds.length] as string;
  });
}

/** All kinds in an order of their own (Fisher and Yates, Statistical Tables, 1938). */
function dealt(kinds: readonly string[], seed: number, round: number): readonly string[] {
  const random = createRandom(seed * 31 + round * 104_729 + 7);
  const deck = [...kinds];
  for (let last = deck.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1));
    [deck[at], deck[last]] = [deck[last] as string, deck[at] as string];
  }
  return deck;
}
