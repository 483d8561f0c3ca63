/** Texts as lists of numbers, and how surprising they are to those who only count. */
export interface Alphabet {
  readonly characters: readonly string[];
  readonly encode: (text: string) => Int32Array;
  readonly decode: (numbers: Int32Array) => string;
}

export function alphabetOf(text: string): Alphabet {
  const characters = [...new Set(text)].sort();
  const numbers = new Map(characters.map((character, at) => [character, at]));
  return {
    characters,
    encode: (some) => Int32Array.from(some, (character) => {
      const number = numbers.get(character);
      if (number === undefined) throw new Error(`gallery: "${character}" is not in the alphabet ${characters.join('')}`);
      return number;
    }),
    decode: (some) => Array.from(some, (number) => characters[number]).join(''),
  };
}

/** The mean surprise in nats for whoever knows how frequent each character is: −Σ p ln p. */
export function unigramEntropy(text: string): number {
  return entropy(countsOf(Array.from(text)), text.length);
}

/** For whoever knows how frequent each is after each other one. */
export function bigramEntropy(text: string): number {
  const [all, before] = [Array.from(text), Array.from(text.slice(0, -1))];
  return entropy(countsOf(before.map((character, at) => `${character}${all[at + 1]}`)), before.length) - entropy(countsOf(before), before.length);
}

function countsOf(things: readonly string[]): readonly number[] {
  const counts = new Map<string, number>();
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  return [...counts.values()];
}

const entropy = (counts: readonly number[], total: number): number => -counts.reduce((all, count) => all + (count / total) * Math.log(count / total), 0);
