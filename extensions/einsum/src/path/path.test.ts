import { Builder, compileProgram, isTfError, planMemory, tensorType } from '@tf/core';
import { createRandom } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import { type ContractionPath, contractionPath, einsum } from '../index.ts';
import { listOfPath, pathOfList, pathOfTree, type PathTree } from './explicit.ts';
import { greedyPath } from './greedy.ts';
import { costOf, type Network, type Pair, type Path } from './network.ts';
import { optimalPath } from './optimal.ts';
import { findPath } from './search.ts';

/** Tensors joined at random; labels in up to three tensors, some of them open. */
function randomNetwork(seed: number, count: number): Network {
  const random = createRandom(seed);
  const tensors = Array.from({ length: count }, () => new Set<number>());
  const output: number[] = [];
  const labels = count + 3;
  for (let label = 0; label < labels; label++) {
    const holders = new Set(Array.from({ length: random() < 0.2 ? 3 : 2 }, () => Math.floor(random() * count)));
    for (const holder of holders) tensors[holder]?.add(label);
    if (holders.size === 1 || random() < 0.15) output.push(label);
  }
  return { tensors: tensors.map((set) => [...set]), output, sizes: Array.from({ length: labels }, () => 2 + Math.floor(random() * 4)) };
}

/** Every way to contract, one pair after the other. */
function* everyPath(count: number, left: readonly number[] = Array.from({ length: count }, (_, at) => at), done: Path = []): Generator<Path> {
  if (left.length === 1) yield done;
  for (let a = 0; a < left.length; a++) {
    for (let b = a + 1; b < left.length; b++) {
      const pair: Pair = [left[a] as number, left[b] as number];
      yield* everyPath(count, [...left.filter((tensor) => !pair.includes(tensor)), count + done.length], [...done, pair]);
    }
  }
}

it('the optimal path has the fewest operations of all there are', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const network = randomNetwork(seed, 5);
    const least = Math.min(...[...everyPath(5)].map((path) => costOf(network, path).flops));
    expect(costOf(network, optimalPath(network) as Path).flops).toBe(least);
  }
});

it('a greedy path contracts everything once, and is never better than the optimal one', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const network = randomNetwork(seed, 8);
    const greedy = findPath(network, { strategy: 'greedy' });
    expect([...greedy.flat()].sort((a, b) => a - b)).toEqual(Array.from({ length: 14 }, (_, at) => at));
    const [found, best] = [costOf(network, greedy).flops, costOf(network, optimalPath(network) as Path).flops];
    expect(found).toBeGreaterThanOrEqual(best);
    expect(found).toBeLessThanOrEqual(4 * best);
  }
});

it('is the same in every run', () => {
  const network = randomNetwork(5, 40);
  expect(findPath(network, { strategy: 'auto' })).toEqual(findPath(network, { strategy: 'auto' }));
});

it('is never worse for more restarts, and the same whatever was given up on the way', () => {
  const network = randomNetwork(11, 60);
  const flops = [1, 2, 4, 8, 16, 32, 64].map((restarts) => costOf(network, findPath(network, { strategy: 'greedy', restarts })).flops);
  expect(flops).toEqual([...flops].sort((a, b) => b - a));
  expect(new Set(flops).size).toBeGreaterThan(2);
  // Each run by itself, followed to its end.
  const best = Math.min(...[1, 0, 2, 0.5].map((weight) => greedyPath(network, { weight, temperature: 0, random: () => 0.5 }).flops));
  expect(flops[2]).toBe(best);
});

it('the cost that a search reports is that of its path', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const network = randomNetwork(seed, 4 + seed);
    const { path, flops, largest, valued } = greedyPath(network, { weight: 1, temperature: 0, random: () => 0.5 });
    expect(costOf(network, path as Path)).toEqual({ flops, largest });
    expect(valued).toBeGreaterThan(0);
    expect(greedyPath(network, { weight: 1, temperature: 0, random: () => 0.5 }, flops / 2).path).toBeUndefined();
  }
});

describe('a budget of time', () => {
  const network = randomNetwork(11, 60);
  /** A clock that moves by 1 whenever it is asked: once before each path but the first. */
  const ticking = (): (() => number) => {
    let now = 0;
    return () => now++;
  };

  it('is for as many paths as there is time for, at least one', () => {
    for (const runs of [1, 2, 16, 64]) {
      expect(findPath(network, { strategy: 'greedy', deadline: runs - 1, clock: ticking() })).toEqual(findPath(network, { strategy: 'greedy', restarts: runs }));
    }
    expect(findPath(network, { strategy: 'greedy', deadline: 3, restarts: 2, clock: ticking() })).toEqual(findPath(network, { strategy: 'greedy', restarts: 2 }));
    expect(findPath(network, { strategy: 'greedy', deadline: 1, restarts: 50, clock: ticking() })).toEqual(findPath(network, { strategy: 'greedy', restarts: 2 }));
  });

  it('without one no clock is asked', () => {
    const clock = (): number => {
      throw new Error('asked');
    };
    expect(findPath(network, { strategy: 'greedy', clock })).toEqual(findPath(network, { strategy: 'auto' }));
  });

  it('is an option of einsum, in milliseconds', () => {
    const terms = grid(6);
    const shapes = terms.map((term) => [...term].map(() => 2));
    const equation = `${terms.join(',')}->`;
    const [first, much] = [0, 60].map((timeBudget) => contractionPath(equation, shapes, { timeBudget }));
    expect(first?.path).toEqual(contractionPath(equation, shapes, { restarts: 1 }).path);
    expect(much?.flops).toBeLessThanOrEqual(first?.flops as number);
    expect(() => contractionPath(equation, shapes, { timeBudget: -1 })).toThrow('timeBudget is number -1; it takes a number of milliseconds');
  });
});

const letter = (at: number): string => String.fromCodePoint(0x4e00 + at);

/** A 10 × 10 grid of tensors whose neighbours share a label. */
function grid(side: number): readonly string[] {
  const horizontal = (row: number, column: number): string => letter(row * side + column);
  const vertical = (row: number, column: number): string => letter(1000 + row * side + column);
  return Array.from({ length: side * side }, (_, at) => {
    const [row, column] = [Math.floor(at / side), at % side];
    return [row > 0 ? vertical(row - 1, column) : '', row < side - 1 ? vertical(row, column) : '', column > 0 ? horizontal(row, column - 1) : '', column < side - 1 ? horizontal(row, column) : ''].join('');
  });
}

it('of 100 tensors is found in less than a second', () => {
  const terms = grid(10);
  const shapes = terms.map((term) => [...term].map(() => 2));
  const before = process.cpuUsage();
  const path = contractionPath(`${terms.join(',')}->`, shapes);
  const { user } = process.cpuUsage(before);
  expect(user / 1e6).toBeLessThan(1);
  expect(path.steps).toHaveLength(99);
  // All at once is 2^180; row by row is about 2^10 · 100 · 4.
  expect(path.flops).toBeLessThan(2e6);
});

it('keeps the cost of a sparse network low', () => {
  const equation = 'gfl,egh,efj,mjk,cdn,bck,bdi,oih->lmno';
  const terms = equation.slice(0, equation.indexOf('-')).split(',');
  const sizes = new Map([...new Set(terms.join(''))].map((label, at) => [label, at % 2 === 0 ? 6 : 4]));
  const path = contractionPath(equation, terms.map((term) => [...term].map((label) => sizes.get(label) as number)));
  expect(path.flops).toBeLessThan(1e6);
  expect(path.naiveFlops).toBeGreaterThan(1e10);
});

it('prints its cost, its scaling and its largest intermediate', () => {
  expect(String(contractionPath('ij,jk,kl->il', [[2, 300], [300, 300], [300, 4]]))).toBe([
    'einsum ij,jk,kl->il',
    '  operations            364800 (all at once: 2.160e+6)',
    '  scaling               3 labels',
    '  largest intermediate  600 elements',
    '  intermediates         4800 bytes at a time',
    '  [0, 1]      ij,jk->ik  scaling 3, 360000 operations, 600 elements',
    '  [0, 1]      kl,ik->il  scaling 3, 4800 operations, 8 elements',
  ].join('\n'));
});

it('takes a path as a list of places or as a tree', () => {
  const shapes = [[2, 3], [3, 4], [4, 5], [5, 6]];
  const [listed, tree] = [contractionPath('ij,jk,kl,lm->im', shapes, { path: [[0, 1], [0, 1], [0, 1]] }), contractionPath('ij,jk,kl,lm->im', shapes, { tree: [[0, 1], [2, 3]] })];
  expect(listed.steps.map(({ equation }) => equation)).toEqual(['ij,jk->ik', 'kl,lm->km', 'ik,km->im']);
  expect(tree.path).toEqual([[0, 1], [0, 1], [0, 1]]);
  expect(contractionPath('ij,jk,kl,lm->im', shapes, { path: [[0, 1, 2, 3]] }).path).toEqual([[0, 1], [0, 2], [0, 1]]);
  expect(contractionPath('ij,jk,kl,lm->im', shapes, { path: tree.path }).flops).toBe(tree.flops);
});

it('lists a path and reads it back', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const path = findPath(randomNetwork(seed, 9), { strategy: 'greedy' });
    expect(pathOfList(listOfPath(path, 9), 9)).toEqual(path);
  }
});

it('refuses paths that are none', () => {
  const lists: readonly (readonly [readonly (readonly number[])[], string])[] = [[[[0, 1]], 'leaves 2 tensors'], [[[0, 3], [0, 1]], 'has the place 3 in a list of 3'], [[[0, 0], [0, 1]], 'has a place twice'], [[[], [0, 1]], 'no list of places']];
  for (const [path, text] of lists) expect(() => pathOfList(path, 3)).toThrow(text);
  const trees: readonly (readonly [PathTree, string])[] = [[[0, 1], 'has 2 of 3 operands'], [[0, [1, 1]], 'operand 1 twice'], [[0, [1, 5]], 'operand 5 of 3'], [[[0, 1], []], 'neither an operand nor a list']];
  for (const [tree, text] of trees) expect(() => pathOfTree(tree, 3)).toThrow(text);
  expect(() => contractionPath('a,a,a->', [[2], [2], [2]], { path: 'greedy', tree: [0, [1, 2]] })).toThrow('both path and tree');
});

it('goes through labels one by one to stay within memory, or says that it cannot', () => {
  const terms = Array.from({ length: 16 }, (_, at) => `ab${letter(at)}`);
  const wide = Array.from({ length: 16 }, (_, at) => letter(at)).join('') + 'z';
  const equation = `${[...terms, wide].join(',')}->z`;
  const shapes = [...terms.map(() => [2, 2, 2]), Array.from({ length: 17 }, () => 2)];
  const free = contractionPath(equation, shapes);
  const limited = contractionPath(equation, shapes, { memoryLimit: free.peakBytes / 4 });
  expect(limited.peakBytes).toBeLessThanOrEqual(free.peakBytes / 4);
  expect(limited.sliced.length).toBeGreaterThan(0);
  expect(limited.iterations).toBe(2 ** limited.sliced.length);
  try {
    contractionPath(equation, shapes, { memoryLimit: 8 });
    expect.unreachable();
  } catch (error) {
    expect(isTfError(error, 'TooLargeError')).toBe(true);
  }
});

it('stays within every limit by what core plans, or names one that it can stay within', () => {
  const random = createRandom(3);
  let [within, beyond] = [0, 0];
  for (let count = 3; count <= 6; count++) {
    const terms = Array.from({ length: count }, () => [...new Set(Array.from({ length: 3 }, () => 'abcdefg'[Math.floor(7 * random())] as string))].join(''));
    const sizes = new Map([...'abcdefg'].map((label) => [label, 2 + Math.floor(20 * random())]));
    const equation = `${terms.join(',')}->${terms[0]?.slice(0, 1)}`;
    const shapes = terms.map((term) => [...term].map((label) => sizes.get(label) as number));
    const free = contractionPath(equation, shapes).peakBytes;
    for (const memoryLimit of [free, free / 2, free / 8, free / 64, 8]) {
      try {
        const builder = new Builder();
        const result = einsum(equation, shapes.map((shape) => builder.input(tensorType('float64', shape))), { memoryLimit });
        expect(planMemory(compileProgram(builder.build([result]))).arenaBytes).toBeLessThanOrEqual(memoryLimit);
        within++;
      } catch (error) {
        if (!isTfError(error, 'TooLargeError')) throw error;
        const bytes = error.fields['bytes'] as number;
        expect(bytes).toBeGreaterThan(memoryLimit);
        expect(contractionPath(equation, shapes, { memoryLimit: bytes }).peakBytes).toBe(bytes);
        beyond++;
      }
    }
  }
  expect(within).toBeGreaterThan(8);
  expect(beyond).toBeGreaterThan(3);
});

it('says what a run takes, and goes through as little as a limit asks', () => {
  const shapes = [[100, 100], [100, 100], [100, 100]];
  const plan = (memoryLimit?: number): ContractionPath => contractionPath('ab,bc,cd->ad', shapes, memoryLimit === undefined ? {} : { memoryLimit });
  expect(plan().peakBytes).toBe(80000);
  expect(plan(80000).sliced).toEqual([]);
  // Rows of the result need no running sum and add no operations.
  const limited = plan(79999);
  expect([limited.sliced, limited.flops, limited.iterations]).toEqual([['a'], plan().flops, 100]);
  expect(limited.peakBytes).toBeLessThan(8000);
});

it('refuses shapes that are none', () => {
  const refused: readonly (readonly [readonly unknown[], string, string])[] = [[[2, -3], 'ShapeError', 'axis 1 of operand 0 has the size -3'], [[2, 1.5], 'ShapeError', 'axis 1 of operand 0 has the size 1.5'], [['n', 3], 'ArgumentError', 'symbolicDim("n")'], [[null, 3], 'ArgumentError', 'neither a tensor nor a shape']];
  for (const [shape, name, text] of refused) expect(() => contractionPath('ij->ij', [shape as readonly number[]])).toThrow(expect.objectContaining({ name, message: expect.stringContaining(text) as unknown }));
});
