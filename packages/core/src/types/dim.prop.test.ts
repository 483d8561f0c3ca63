import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDims, type Dim, dimText, divideDims, evaluateDim, isKnown, linearDim, mulDims, parseDim, productOfDims, sameDim, solveDim, subDims, symbolicDim } from './dim.ts';

const names = ['n', 'm', "k'", 'rows_2'];
const leaf: fc.Arbitrary<Dim> = fc.oneof(fc.integer({ min: -6, max: 6 }), fc.constantFrom(...names).map(symbolicDim));
const dim: fc.Arbitrary<Dim> = fc.letrec<{ dim: Dim }>((tie) => ({
  dim: fc.oneof({ maxDepth: 4 }, leaf, fc.tuple(fc.constantFrom(addDims, subDims, mulDims), tie('dim'), tie('dim')).map(([operate, a, b]) => operate(a, b))),
})).dim;
const binding: fc.Arbitrary<ReadonlyMap<string, number>> = fc.tuple(...names.map(() => fc.integer({ min: 0, max: 7 }))).map((values) => new Map(names.map((name, at) => [name, values[at] as number])));

describe('extents', () => {
  it('are added, subtracted and multiplied as their values are', () => {
    fc.assert(fc.property(dim, dim, binding, (a, b, given) => {
      const [x, y] = [evaluateDim(a, given), evaluateDim(b, given)];
      expect(evaluateDim(addDims(a, b), given)).toBe(x + y);
      expect(evaluateDim(subDims(a, b), given)).toBe(x - y);
      expect(evaluateDim(mulDims(a, b), given) === x * y).toBe(true);
    }), { seed: 1 });
  });

  it('have one text for equal polynomials, whichever way they were made', () => {
    fc.assert(fc.property(dim, dim, dim, (a, b, c) => {
      expect(sameDim(addDims(a, b), addDims(b, a))).toBe(true);
      expect(sameDim(mulDims(a, b), mulDims(b, a))).toBe(true);
      expect(sameDim(mulDims(a, addDims(b, c)), addDims(mulDims(a, b), mulDims(a, c)))).toBe(true);
      expect(sameDim(addDims(subDims(a, b), b), a)).toBe(true);
    }), { seed: 1 });
  });

  it('are read back from their text', () => {
    fc.assert(fc.property(dim, (a) => {
      const again = parseDim(dimText(a));
      expect(dimText(again)).toBe(dimText(a));
      expect(again).toEqual(Object.is(a, -0) ? 0 : a);
    }), { seed: 1 });
  });

  it('are numbers as soon as nothing symbolic is left', () => {
    fc.assert(fc.property(dim, (a) => {
      expect(subDims(a, a)).toBe(0);
      expect(isKnown(mulDims(a, 0))).toBe(true);
      expect(isKnown(a)).toBe(typeof a === 'number');
    }), { seed: 1 });
  });

  it('divided by a monomial factor give the other factor; what is not exact is undefined', () => {
    const monomial = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.array(fc.constantFrom(...names), { maxLength: 2 })).map(([size, symbols]) => mulDims(size, productOfDims(symbols.map(symbolicDim))));
    fc.assert(fc.property(dim, monomial, (a, by) => {
      const quotient = divideDims(mulDims(a, by), by);
      expect(quotient !== undefined && sameDim(quotient, a)).toBe(true);
    }), { seed: 1 });
    expect(divideDims(addDims(symbolicDim('n'), 1), 2)).toBeUndefined();
    expect(divideDims(symbolicDim('n'), symbolicDim('m'))).toBeUndefined();
    expect([divideDims(7, 2), divideDims(7, 0), divideDims(0, 3)]).toEqual([undefined, undefined, 0]);
  });

  it('of one symbol are solved for it', () => {
    fc.assert(fc.property(fc.integer({ min: -5, max: 5 }).filter((by) => by !== 0), fc.integer({ min: -9, max: 9 }), fc.nat(1000), (coefficient, constant, size) => {
      const dim = addDims(mulDims(coefficient, symbolicDim('n')), constant);
      const linear = linearDim(dim);
      expect(linear).toEqual({ symbol: 'n', coefficient, constant });
      const extent = evaluateDim(dim, new Map([['n', size]]));
      expect(solveDim(linear!, extent)).toBe(size);
      if (Math.abs(coefficient) > 1) expect(solveDim(linear!, extent + 1)).toBeUndefined();
    }), { seed: 1 });
    const [n, m] = [symbolicDim('n'), symbolicDim('m')];
    expect([linearDim(3), linearDim(mulDims(n, n)), linearDim(addDims(n, m)), linearDim(addDims(mulDims(n, m), 1)), linearDim(addDims(addDims(n, mulDims(n, n)), 1))]).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(solveDim(linearDim(addDims(n, 3))!, 1)).toBeUndefined();
  });

  it('without a binding for a symbol cannot be evaluated', () => {
    expect(() => evaluateDim(symbolicDim('n'), new Map())).toThrow(expect.objectContaining({ name: 'ConstraintError' }));
  });

  it.each(['', '2n', 'a b', '+', 'n*m', 'ä'])('refuse %o as a name', (name) => {
    expect(() => symbolicDim(name)).toThrow(expect.objectContaining({ name: 'ArgumentError' }));
  });
});
