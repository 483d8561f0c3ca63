import { randomKey, tensor } from '@tf/core';
import { jit, jvp, type TracedTensor, valueAndGrad } from '@tf/traced';
import { afterAll, describe, expect, it } from 'vitest';
import { createGalleryEngine } from '../engine.ts';
import { holds } from '../example.ts';
import { readData } from '../read-data.ts';
import { createModel, type Float, logits, type Parameters, type Size, startOf, surprise } from './problem.ts';
import { example } from './run.ts';
import { alphabetOf, bigramEntropy, unigramEntropy } from './text.ts';

const engine = await createGalleryEngine([]);
afterAll(() => engine.dispose());

type T = TracedTensor<Float>;
type Integers = TracedTensor<'int32'>;
const size: Size = { characters: 5, context: 6, width: 8, heads: 2, layers: 2 };
const text = tensor(Int32Array.of(0, 3, 1, 4, 2, 2, 1, 1, 0, 4, 3, 0, 2, 1), { shape: [2, 7] });

describe('those who only count', () => {
  it('are surprised by ln of the number of equally frequent characters, and by nothing where pairs say all', () => {
    expect(unigramEntropy('abcd')).toBeCloseTo(Math.log(4), 14);
    expect(bigramEntropy('abababa')).toBeCloseTo(0, 14);
    expect(bigramEntropy('aabba')).toBeCloseTo(Math.log(2), 14);
  });

  it('have texts as numbers and back', () => {
    const { encode, decode } = alphabetOf('hello');
    expect([...encode('hole')]).toEqual([1, 3, 2, 0]);
    expect(decode(encode('hole'))).toBe('hole');
    expect(() => encode('x')).toThrow(/"x" is not in the alphabet ehlo/);
  });
});

describe('the transformer', () => {
  it('is surprised by ln of the number of characters where all parameters are 0', () => {
    const value = jit((key: Integers, some: Integers) => {
      const { characters, ...rest } = startOf(size, key, 'float64');
      return surprise({ ...rest, characters: characters.mul(0) as T }, some, size);
    }, { engine });
    expect(value(randomKey(1), text).item()).toBeCloseTo(Math.log(5), 12);
  });

  it('does not see what comes later, and sees what came before', () => {
    const program = jit((key: Integers, some: Integers) => logits(startOf(size, key, 'float64'), some, size), { engine });
    const at = (last: number, first: number): number[][] => (program(randomKey(1), tensor(Int32Array.of(first, 3, 1, 4, 2, last), { shape: [1, 6] })).toArray() as number[][][])[0]!;
    const [here, later, before] = [at(0, 0), at(1, 0), at(0, 1)];
    expect(later.slice(0, 5)).toEqual(here.slice(0, 5));
    expect(later[5]).not.toEqual(here[5]);
    before.slice(1).forEach((row, place) => expect(row).not.toEqual(here[place + 1]));
  });

  it('has the gradient that differences have, through embedding, attention and everything', () => {
    const small = { ...size, layers: 1 };
    const loss = (p: Parameters<T>, some: Integers): T => surprise(p, some, small);
    const start = jit((key: Integers) => startOf(small, key, 'float64'), { engine });
    const [at, direction] = [start(randomKey(2)), start(randomKey(3))] as never[];
    const along = jit((p: Parameters<T>, v: Parameters<T>, some: Integers) => {
      const [, gradient] = valueAndGrad((q: Parameters<T>) => loss(q, some))(p);
      const leaves = (tree: Parameters<T>): readonly T[] => [tree.characters, tree.places, ...tree.layers.flatMap(({ attention, joined, wide, narrow }) => [attention, joined, wide, narrow])];
      const [slopes, steps] = [leaves(gradient as never), leaves(v)];
      return { reverse: slopes.map((slope, i) => slope.mul(steps[i] as T).sum()).reduce((a, b) => a.add(b) as never), forward: jvp((q: Parameters<T>) => loss(q, some), [p], [v])[1] };
    }, { engine })(at as never, direction as never, text) as unknown as Record<'forward' | 'reverse', { item(): number }>;
    const moved = jit((p: Parameters<T>, v: Parameters<T>, some: Integers, h: TracedTensor<'float64'>) => {
      const step = (x: T, dx: T): T => x.add(dx.mul(h)) as T;
      return loss({
        characters: step(p.characters, v.characters), places: step(p.places, v.places),
        layers: p.layers.map((layer, i) => ({ attention: step(layer.attention, v.layers[i]!.attention), joined: step(layer.joined, v.layers[i]!.joined), wide: step(layer.wide, v.layers[i]!.wide), narrow: step(layer.narrow, v.layers[i]!.narrow) })),
      }, some);
    }, { engine });
    const value = (h: number): number => (moved(at as never, direction as never, text, tensor(h)) as unknown as { item(): number }).item();
    expect(along.reverse.item()).toBeCloseTo((value(1e-5) - value(-1e-5)) / 2e-5, 7);
    expect(along.reverse.item()).toBeCloseTo(along.forward.item(), 12);
  });

  it('comes below the entropy of characters, and near 0 where the text repeats', () => {
    const saying = 'tf differentiates. ';
    const { characters, encode, decode } = alphabetOf(saying);
    const model = createModel(engine, { characters: characters.length, context: 8, width: 16, heads: 2, layers: 1 }, { batch: 8, learningRate: 1e-2 });
    const repeated = encode(saying.repeat(12));
    let trained = model.start(4);
    for (let step = 0; step < 150; step++) trained = model.step(trained, repeated, step);
    const left = model.examine(trained, repeated);
    expect(left).toBeLessThan(0.1 * unigramEntropy(saying));
    expect(decode(model.write(trained, encode(saying), saying.length, 0.1))).toBe(saying);
  });
});

describe('the example', { timeout: 120_000 }, () => {
  it('finds what it promises', async () => {
    const { numbers, pictures } = await example.run({ engine, scale: 'quick', progress() {}, readData });
    expect(numbers.filter((number) => !holds(number))).toEqual([]);
    expect(pictures.map(({ name }) => name)).toEqual(['course', 'samples']);
  });
});
