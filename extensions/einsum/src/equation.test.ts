import { addDims, Builder, type DType, isTfError, type Operand, symbolicDim, tensor, tensorType } from '@tf/core';
import { hostValue } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { einsumValue, valueOf } from './einsum.testing.ts';
import { contractionPath, einsum, einsumExtension } from './index.ts';

function operand(shape: readonly number[], dtype: DType = 'float64'): Operand {
  return new Builder().input(tensorType(dtype, shape), 'x');
}

function operands(...shapes: readonly (readonly number[])[]): readonly Operand[] {
  const builder = new Builder();
  return shapes.map((shape) => builder.input(tensorType('float64', shape)));
}

function refusal(f: () => unknown): { readonly name: string; readonly message: string } {
  try {
    f();
  } catch (error) {
    if (isTfError(error)) return { name: error.name, message: error.message };
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Equations that are refused, for which operands, and what the message says. */
const refused: readonly (readonly [string, readonly (readonly number[])[], string, string])[] = [
  ['ij,jk->ik', [[2, 3]], 'ArgumentError', 'einsum: "ij,jk->ik" names 2 operands, 1 was given.'],
  ['ij', [[2, 3], [3]], 'ArgumentError', 'names 1 operand, 2 were given'],
  ['ij,jk->iz', [[2, 3], [3, 4]], 'ArgumentError', "the output label z is in no operand's term"],
  ['ij->ii', [[2, 3]], 'ArgumentError', 'the output has the label i twice'],
  ['ij,jk->ik', [[2, 3], [4, 5]], 'ShapeError', 'label j has size 3 in operand 0 (f64[2, 3]) and size 4 in operand 1 (f64[4, 5]). Sizes must be equal or 1.'],
  ['i,j,i->', [[2], [3], [4]], 'ShapeError', 'label i has size 2 in operand 0 (f64[2]) and size 4 in operand 2 (f64[4])'],
  ['ii->i', [[2, 3]], 'ShapeError', 'label i has size 2 in operand 0 (f64[2, 3]) and size 3 in operand 0 (f64[2, 3]). Axes of one operand with the same label must be equal.'],
  ['ii', [[1, 3]], 'ShapeError', 'label i has size 1 in operand 0'],
  ['...,...', [[2, 3], [2, 4]], 'ShapeError', 'axis -1 of the ellipsis has size 3 in operand 0 (f64[2, 3]) and size 4 in operand 1 (f64[2, 4])'],
  ['...a->a', [[2, 3]], 'ArgumentError', 'the ellipsis stands for 1 axis, and the output has none'],
  ['a...b', [[2]], 'ArgumentError', 'the term of operand 0 has 2 labels beside its ellipsis, the operand is f64[2] with 1 axis'],
  ['ijk', [[2, 3]], 'ArgumentError', 'the term of operand 0 has 3 labels, the operand is f64[2, 3] with 2 axes'],
  ['', [[2]], 'ArgumentError', 'the term of operand 0 has 0 labels'],
  ['a%', [[2, 3]], 'ArgumentError', 'has the character "%"'],
  ['1a', [[2, 3]], 'ArgumentError', 'has the character "1"'],
  ['ab-->ba', [[2, 3]], 'ArgumentError', 'has the character "-"'],
  ['ab>ba', [[2, 3]], 'ArgumentError', 'The output follows an arrow written "->"'],
  ['ab - > ba', [[2, 3]], 'ArgumentError', 'has the character "-"'],
  ['a->a->a', [[2]], 'ArgumentError', 'has two arrows'],
  ['ab->a,b', [[2, 3]], 'ArgumentError', 'has a comma after the arrow'],
  ['a..', [[2]], 'ArgumentError', 'has a "." that belongs to no "..."'],
  ['...a...', [[2]], 'ArgumentError', 'has two ellipses in the term "...a..."'],
];

describe('equations that do not fit', () => {
  for (const [equation, shapes, name, text] of refused) {
    it(`${JSON.stringify(equation)} of ${JSON.stringify(shapes)} is a ${name}`, () => {
      const found = refusal(() => einsum(equation, operands(...shapes)));
      expect(found.name).toBe(name);
      expect(found.message).toContain(text);
      expect(found.message).toMatch(/^einsum: /);
    });
  }

  it('names what is no tensor, no list and no option', () => {
    expect(refusal(() => einsum('i' as string, [[1, 2]] as unknown as readonly Operand[])).message).toBe('einsum: operand 0 of "i" is an array, not a tensor. Wrap numbers and arrays: tensor([...]).');
    expect(refusal(() => einsum('i,', operand([2]), 3 as unknown as Operand)).message).toContain('einsum: operand 1 of "i," is number 3, not a tensor. Wrap numbers and arrays: tensor(3).');
    expect(refusal(() => einsum(operand([2]), 0 as unknown as readonly number[])).message).toContain('the list after operand 0 must be a list of integers');
    expect(refusal(() => einsum(operand([2]), [-1])).message).toContain('the list of operand 0 has the label -1');
    expect(refusal(() => einsum(...([[0]] as unknown as []))).message).toContain('begin with an equation');
    expect(refusal(() => einsum('i', [operand([2])], { paht: 'greedy' } as object)).message).toContain('Write path.');
    expect(refusal(() => einsum('i', [operand([2])], { path: 'best' as 'auto' })).message).toContain('there is no path "best"');
    expect(refusal(() => einsum('i', [operand([2])], { sizes: { n: 0 } })).message).toContain('sizes.n');
    expect(refusal(() => einsum('i', [operand([2])], null as unknown as object)).message).toContain('options');
    expect(refusal(() => einsum('' as string, [])).message).toContain('has no operands');
  });
});

it('refuses sizes of symbols that no operand has', () => {
  const [n, m] = [symbolicDim('n'), symbolicDim('m')];
  const x = new Builder().input(tensorType('float64', [n, addDims(n, m)]));
  const text = 'einsum: sizes.typo: no operand of "ij->" has the symbolic extent typo (f64[n, m+n]). Of symbols there are m, n.';
  expect(refusal(() => einsum('ij->', [x], { sizes: { n: 3, typo: 5 } })).message).toBe(text);
  expect(refusal(() => contractionPath('ij->', [x], { sizes: { typo: 5 } })).message).toBe(text);
  expect(refusal(() => contractionPath('ij->', [[2, n]], { sizes: { i: 2 } })).message).toContain('([2, n]). Of symbols there is n.');
  expect(refusal(() => einsum('ij->', [operand([2, 3])], { sizes: { j: 3 } })).message).toContain('All sizes are known: leave sizes out.');
  expect(contractionPath('ij->', [x], { sizes: { n: 3, m: 5 } }).flops).toBe(0);
});

describe('the output that is not written', () => {
  const shapes: readonly (readonly [string, readonly (readonly number[])[], string])[] = [
    ['bA,Ac', [[2, 3], [3, 4]], 'f64[2, 4]'],
    ['ba', [[2, 3]], 'f64[3, 2]'],
    ['bZ,Zac', [[2, 3], [3, 4, 5]], 'f64[4, 2, 5]'],
    ['Zz', [[2, 3]], 'f64[2, 3]'],
    ['zZ', [[2, 3]], 'f64[3, 2]'],
    ['b...a', [[2, 3, 4]], 'f64[3, 4, 2]'],
    ['ii', [[2, 2]], 'f64[]'],
  ];
  for (const [equation, given, key] of shapes) it(`of ${equation} has the shape ${key}`, () => expect((einsum(equation, operands(...given)) as Operand).type.key).toBe(key));

  it('of integer labels is in their order', () => {
    const [a, b] = operands([2, 3], [3, 4]) as [Operand, Operand];
    expect((einsum(a, [10, 1], b, [1, 9]) as Operand).type.key).toBe('f64[4, 2]');
    expect((einsum(a, [0, 100], b, [100, '...'], ['...', 0]) as Operand).type.key).toBe('f64[4, 2]');
  });
});

describe('dtypes', () => {
  it('meet as in every product', () => {
    const key = (a: DType, b: DType): string => {
      const builder = new Builder();
      return (einsum('i,i->i', builder.input(tensorType(a, [2])), builder.input(tensorType(b, [2]))) as Operand).type.dtype;
    };
    expect([key('int32', 'float32'), key('float32', 'float64'), key('complex64', 'float64'), key('int32', 'bool'), key('bool', 'bool')]).toEqual(['float32', 'float64', 'complex128', 'int32', 'bool']);
  });

  it('of booleans: products are and, sums are or', () => {
    const [a, b] = [hostValue('bool', [2, 2], [1, 1, 0, 1]), hostValue('bool', [2, 2], [0, 1, 0, 1])];
    expect([...einsumValue('ij,jk->ik', [a, b]).data]).toEqual([0, 1, 0, 1]);
    expect([...einsumValue('ij->j', [b]).data]).toEqual([0, 1]);
    expect([...einsumValue('ij->ji', [a]).data]).toEqual([1, 0, 1, 1]);
  });

  it('of booleans: no number of true ones comes round to false', () => {
    const all = hostValue('bool', [2, 2], [1, 1, 1, 1]);
    // Every element of the product of 33 matrices is a sum of 2^32 products.
    const terms = Array.from({ length: 33 }, (_, at) => String.fromCodePoint(0x4e00 + at, 0x4e01 + at));
    const equation = `${terms.join(',')}->${String.fromCodePoint(0x4e00, 0x4e00 + 33)}`;
    const chain = terms.map(() => all);
    expect([...einsumValue(equation, chain).data]).toEqual([1, 1, 1, 1]);
    // Sums of each operand by itself, whose product has 2^32 terms.
    const long = hostValue('bool', [65536], new Array<number>(65536).fill(1));
    expect([...einsumValue('a,b->', [long, long]).data]).toEqual([1]);
    expect([...einsumValue('a,b->', [long, hostValue('bool', [0], [])]).data]).toEqual([0]);
    expect([...einsumValue('ab->a', [hostValue('bool', [2, 3], [0, 0, 0, 0, 1, 1])]).data]).toEqual([0, 1]);
  });

  it('of booleans beside numbers: counts', () => {
    expect([...einsumValue('a,b->b', [hostValue('bool', [3], [1, 1, 0]), hostValue('float32', [2], [1, 2])]).data]).toEqual([2, 4]);
  });

  it('of integers: exact', () => {
    const big = hostValue('int64', [2], [2n ** 53n + 1n, 3n]);
    expect([...einsumValue('i,i->', [big, hostValue('int64', [2], [1n, 1n])]).data]).toEqual([2n ** 53n + 4n]);
  });
});

it('takes letters of every alphabet, and white space anywhere', () => {
  const a = hostValue('float64', [2], [2, 3]);
  expect([...einsumValue(' é , 文\n->\t文é', [a, a]).data]).toEqual([4, 6, 6, 9]);
});

it('gives what stays as it is without an instruction', () => {
  const x = operand([2, 3]);
  expect(einsum('ij->ij', x)).toBe(x);
  expect(einsum('...', x)).toBe(x);
});

it('takes host tensors', () => {
  expect((einsum('i,i->', tensor([1, 2]), tensor([3, 4])) as Operand).type.key).toBe('f64[]');
});

it('records what symbolic sizes must satisfy', () => {
  const builder = new Builder();
  const [n, m] = [symbolicDim('n'), symbolicDim('m')];
  const [a, b] = [builder.input(tensorType('float64', [2, n])), builder.input(tensorType('float64', [m, 4]))];
  const program = builder.build([einsum('ij,jk->ik', a, b)]);
  expect(program.constraints.map(({ reason }) => reason).join()).toContain('einsum: in "ij,jk->ik", label j, axis 1 of operand 0 (f64[2, n]) and axis 0 of operand 1 (f64[m, 4])');
  expect((einsum('ii->i', builder.input(tensorType('float64', [n, n]))) as Operand).type.key).toBe('f64[n]');
});

it('of all placements of a label that is twice or three times in one operand', () => {
  const value = hostValue('float64', [2, 2, 4], Array.from({ length: 16 }, (_, at) => at));
  expect([...einsumValue('iij->i', [value]).data]).toEqual([6, 54]);
  expect([...einsumValue('iij->ij', [value]).data]).toEqual([0, 1, 2, 3, 12, 13, 14, 15]);
  expect([...valueOf((x) => einsum('ij->', x as Operand), [hostValue('float64', [2, 3], [1, 1, 1, 1, 1, 1])]).data]).toEqual([6]);
});

it('has the version of its package', () => {
  expect(einsumExtension.version).toBe(manifest.version);
  expect(einsumExtension.package).toBe(manifest.name);
});
